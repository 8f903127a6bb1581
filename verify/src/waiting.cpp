// Threads that wait: turns of waiting loops, and what becomes of a run in which nobody can go on.

#include <algorithm>

#include "explorer.hpp"

namespace fencepost::verify {

// ---------------------------------------------------------------------------------------------
// Turns of waiting loops.
//
// A thread in spin_pause() is blocked: that what it read changes is explored by making its reads
// read something else, in executions of their own. That is not enough if the turn also writes:
// what follows may depend on it (a thief asks for work, and finds the answer in its next turn).
// Such a thread gets another turn when nobody else can go on and something has changed that the
// turn has read before it wrote.

// The last event of the thread that reads, or 0.
unsigned explorer::last_read(unsigned thread) const {
  unsigned i = threads_[thread].position;
  while (i > 0 && !graph_.logs[thread].events[i].reads()) --i;
  return i;
}

// The last event of this turn that changes memory, or 0.
unsigned explorer::last_effect(unsigned thread) const {
  const graph::log& l = graph_.logs[thread];
  for (unsigned i = threads_[thread].position; i > threads_[thread].turn; --i) {
    const event& e = l.events[i];
    if (e.kind == event_kind::store || (e.succeeds() && e.written != e.read)) return i;
  }
  return 0;
}

const explorer::loop* explorer::find_loop(source_location pause) const {
  for (const loop& l : loops_)
    if (l.pause == pause) return &l;
  return nullptr;
}

// How far up the modification order of a location the thread has seen, up to an event of its own.
unsigned explorer::seen(unsigned thread, location at, unsigned last) const {
  const graph::log& l = graph_.logs[thread];
  unsigned position = 0;
  for (unsigned i = 1; i <= last; ++i) {
    const event& e = l.events[i];
    if (!e.touches(at)) continue;
    const unsigned k = e.field_at(at);
    if (e.reads()) position = std::max(position, graph_.mo_position(e.rf[k], at));
    if (e.writes()) position = std::max<unsigned>(position, e.mo[k]);
  }
  return position;
}

// Is there something new at a location that the loop has read in events first … last?
bool explorer::sees_change(unsigned thread, unsigned first, unsigned last) const {
  const graph::log& l = graph_.logs[thread];
  const loop* known = find_loop(threads_[thread].where);
  for (unsigned i = first; i <= last; ++i) {
    const event& e = l.events[i];
    if (!e.reads()) continue;
    if (known != nullptr &&
        std::find(known->reads.begin(), known->reads.end(), l.where[i]) == known->reads.end())
      continue;
    for (unsigned k = 0; k < e.fields(); ++k)
      if (seen(thread, e.loc[k], threads_[thread].position) + 1 < graph_.places[e.loc[k]].mo.size())
        return true;
  }
  return false;
}

// Was something later in modification order already there when this part of the event was added?
bool explorer::read_old(unsigned thread, unsigned index, unsigned field) const {
  const event& e = graph_.logs[thread].events[index];
  const auto& mo = graph_.places[e.loc[field]].mo;
  for (std::size_t p = mo.size(); p-- > 1 && mo[p] != e.rf[field];)
    if (mo[p] != make_id(thread, index) && graph_.stamp(mo[p]) < e.stamp[field]) return true;
  return false;
}

// A later turn of a waiting loop is one after which the thread knows more, and everything there is
// to know: it has come because nobody else could go on, and a waiting thread sees changes at last.
bool explorer::turn_was_fair() const {
  const model_thread& t = threads_[running_];
  const graph::log& l = graph_.logs[running_];
  bool news = false;
  for (unsigned i = t.turn + 1; i <= t.position; ++i) {
    const event& e = l.events[i];
    if (!e.reads()) continue;
    for (unsigned k = 0; k < e.fields(); ++k) {
      if (read_old(running_, i, k)) return false;
      news = news || graph_.mo_position(e.rf[k], e.loc[k]) > seen(running_, e.loc[k], t.turn);
    }
  }
  return news;
}

// From now on every turn is in the graph. False if that was so before.
bool explorer::give_up_parking() {
  bool any = false;
  for (loop& l : loops_) any = std::exchange(l.simple, false) || any;
  if (any) begin_anew();
  return any;
}

// The first thread that may have another turn, or none.
unsigned explorer::pick_turn() {
  for (const unsigned t : by_priority_) {
    model_thread& m = threads_[t];
    if (m.at != state::spinning) continue;
    const unsigned effect = last_effect(t);
    if (effect != 0 && sees_change(t, m.turn + 1, effect)) return t;
    const loop* l = find_loop(m.where);
    if (l == nullptr || !l->bounded) continue;
    // It goes on by itself. With an old value it does so in another execution.
    const unsigned i = last_read(t);
    const event& e = graph_.logs[t].events[i];
    const unsigned k = e.fields() - 1;
    if (i == 0 || e.rf[k] != graph_.places[e.loc[k]].mo.back()) continue;
    m.excused = true;
    return t;
  }
  return max_threads;
}

// Finds out what a loop's turn does, by running more of them on what the thread knows already.
// How threads are scheduled depends on it, so the exploration begins anew.
explorer::ending explorer::learn_loop() {
  const unsigned thread = unlearned_;
  constexpr unsigned enough_turns = 300;
  model_thread& m = threads_[thread];
  loop learned;
  learned.pause = m.where;
  const unsigned first = m.position + 1;
  unsigned one_turn = 0;
  probing_ = probing_old_ = true;
  for (unsigned turn = 0; turn < enough_turns && !learned.bounded; ++turn) {
    m.at = state::running;
    m.reads = 0;
    owner_ = thread;
    reschedule_ = false;
    resume(thread);
    learned.bounded = ended_ || m.at != state::spinning || m.where != learned.pause;
    if (turn == 0) one_turn = m.position;
  }
  probing_ = probing_old_ = false;
  const graph::log& l = graph_.logs[thread];
  const unsigned from =
      one_turn >= first && !(learned.bounded && one_turn == m.position) ? first : m.turn + 1;
  for (unsigned i = from; i <= one_turn; ++i)
    if (l.events[i].reads()) learned.reads.push_back(l.where[i]);
  learned.simple = !learned.bounded && one_turn == first &&
                   l.events[first].kind == event_kind::load && l.events[first].fields() == 1;
  loops_.push_back(std::move(learned));
  restart_ = true;
  return ending::again;
}

// Most waiting loops read one location and nothing else. Such a read has no event in the graph as
// long as the thread does not go on with what it reads: it is given one source after the other,
// the latest last, comes back to spin_pause() each time, and is left alone until there is something
// new. The read becomes an event, with that one source, when the thread does something else after
// it; or when nobody else can go on.

const explorer::loop* explorer::parking_loop(const event& e, source_location where) const {
  if (loops_.empty() || probing_ || e.kind != event_kind::load || e.awaits || e.fields() != 1)
    return nullptr;
  for (const loop& l : loops_)
    if (l.simple && l.reads.front() == where) return &l;
  return nullptr;
}

// The next source for a thread that waits.
event_id explorer::untested(unsigned thread) const {
  const model_thread& t = threads_[thread];
  const auto& mo = graph_.places[t.attempt.loc[0]].mo;
  const loop* l = parking_loop(t.attempt, t.attempt_where);
  std::size_t p = mo.size() - 1;
  if (l != nullptr && !l->latest)
    p = model_.lowest(t.attempt.loc[0], graph_.logs[thread].view[t.position].hb);
  for (; p < mo.size(); ++p)
    if (std::find(t.tested.begin(), t.tested.end(), mo[p]) == t.tested.end()) return mo[p];
  return nothing_untested;
}

// The thread goes on with what it has read.
void explorer::commit() {
  const engine_scope scope;
  model_thread& t = threads_[running_];
  t.attempting = false;
  if (sampling()) {
    add_attempt(true);
    return;
  }
  const bool only_latest = parking_loop(t.attempt, t.attempt_where)->latest;
  if (t.attempt.rf[0] != graph_.places[t.attempt.loc[0]].mo.back()) {
    // An old value ends the loop as well: that is an execution of its own.
    for (loop& l : loops_)
      if (l.simple && l.reads.front() == t.attempt_where) l.latest = true;
    run_again_ = true;
    abandon();
  }
  compare_with_alike(t.attempt, t.attempt_where);
  add_attempt(!only_latest);
}

void explorer::add_attempt(bool all_tested) {
  model_thread& t = threads_[running_];
  t.tested.clear();
  t.given = sampling();
  t.source = t.attempt.rf[0];
  all_tested_ = all_tested;
  add(t.attempt, t.attempt_where);
  all_tested_ = false;
  ++t.position;
  if (logging_) log_event(make_id(running_, t.position));
}

void explorer::commit_parked(unsigned thread) {
  running_ = thread;
  model_thread& t = threads_[thread];
  t.at = state::spinning;
  const place& p = graph_.places[t.attempt.loc[0]];
  if (!p.alive) {
    violate(violation::use_after_free,
            say("the thread waits for an object whose lifetime ended at %s:%u", p.where.file,
                p.where.line),
            t.attempt_where);
    return;
  }
  const engine_scope scope;
  add_attempt(!parking_loop(t.attempt, t.attempt_where)->latest);
  if (logging_) log(step_kind::wait, "waits (spin_pause)", t.where);
}

// A loop's turn is not what it seemed to be. Everything begins anew, without parking there.
void explorer::misjudged() {
  const engine_scope scope;
  for (loop& l : loops_)
    if (l.simple && l.reads.front() == threads_[running_].attempt_where) l.simple = false;
  restart_ = true;
  abandon();
}

// ---------------------------------------------------------------------------------------------
// Nobody can go on.

explorer::ending explorer::stuck() {
  unsigned culprit = max_threads;
  for (unsigned t = 0; t < created_; ++t) {
    const model_thread& m = threads_[t];
    if (m.at == state::finished || m.at == state::unused) continue;
    if (m.gave_up) return ending::blocked;
    const graph::log& l = graph_.logs[t];
    if (m.at == state::frontier) {
      if (m.wants->kind == event_kind::join) continue;
      if (m.wants->waits == wait_for::wake_up_or_timeout && options_.timeouts > 0)
        return ending::blocked;
    } else {
      // The last read decides: with another source the thread may go on, in another execution.
      const unsigned i = last_read(t);
      if (i == 0) return ending::blocked;
      const event& e = l.events[i];
      const unsigned k = e.fields() - 1;
      const event_id latest = graph_.places[e.loc[k]].mo.back();
      if (e.torn || (e.rf[k] != latest && latest != make_id(t, i))) return ending::blocked;
      if (e.waits == wait_for::wake_up_or_timeout && options_.timeouts > 0) return ending::blocked;
    }
    if (culprit == max_threads) culprit = t;
  }
  if (culprit == max_threads) culprit = 0;
  bool elsewhere = false;
  for (const unsigned t : by_priority_) {
    if (threads_[t].at != state::spinning) continue;
    switch (probe(t)) {
      case gets_on::no: break;
      case gets_on::elsewhere: elsewhere = true; break;
      case gets_on::here:
        forced_ = t;
        forced_at_ = graph_.trail.size();
        return ending::again;
    }
  }
  if (elsewhere) return ending::blocked;
  running_ = culprit;
  const model_thread& m = threads_[culprit];
  wait_for what = wait_for::nothing;
  if (m.at == state::frontier)
    what = m.wants->waits;
  else if (m.at == state::blocked)
    what = graph_.logs[culprit].events.back().waits;
  const char* reason = "";
  switch (what) {
    case wait_for::mutex: reason = "the mutex is never unlocked"; break;
    case wait_for::wake_up:
    case wait_for::wake_up_or_timeout: reason = "nobody wakes it (lost wake-up)"; break;
    case wait_for::nothing: reason = "nothing that it reads can still change"; break;
  }
  violate(violation::liveness, say("thread %u waits forever: %s", culprit, reason), m.where);
  return ending::violation;
}

// Gives a thread in spin_pause() one more turn, reading the latest of everything, and looks what
// becomes of it. What it read before the loop, or in an earlier part of it, may have been old: then
// it gets on in another execution, where it reads what is new at once. If it gets on without any
// news, or changes memory, its turns are not all alike, and it has to get on here. The graph stays
// as it was; the threads do not, the run is over.
explorer::gets_on explorer::probe(unsigned thread) {
  const std::size_t before = graph_.trail.size();
  model_thread& m = threads_[thread];
  const source_location pause = m.where;
  const unsigned position = m.position;
  const bool was_logging = std::exchange(logging_, false);
  probing_ = true;
  m.at = state::running;
  m.reads = 0;
  owner_ = thread;
  reschedule_ = false;
  resume(thread);
  probing_ = false;
  logging_ = was_logging;
  bool news = false, changes = false;
  const graph::log& l = graph_.logs[thread];
  for (unsigned i = position + 1; i <= l.length(); ++i) {
    const event& e = l.events[i];
    for (unsigned k = 0; k < e.fields(); ++k) {
      const location at = e.loc[k];
      if (e.reads() && graph_.mo_position(e.rf[k], at) > seen(thread, at, i - 1)) news = true;
      if (!e.writes()) continue;
      const auto& mo = graph_.places[at].mo;
      std::size_t p = mo.size() - 1;
      while (p > 0 && thread_of(mo[p]) == thread && index_of(mo[p]) > position) --p;
      changes = changes || graph_.written(mo.back(), at) != graph_.written(mo[p], at);
    }
  }
  const bool waits =
      !ended_ && m.at == state::spinning && m.where == pause && m.position != position;
  ended_ = found_ = false;
  limit_.clear();
  graph_.cut(before);
  if (waits && !changes) return gets_on::no;
  return news ? gets_on::elsewhere : gets_on::here;
}

}  // namespace fencepost::verify
