// One execution: the program runs along the graph, then adds to it.

#include <cxxabi.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdarg>
#include <cstdio>
#include <cstring>

#include "explorer.hpp"

namespace fencepost::verify {

thread_local engine* engine::current_ = nullptr;

namespace context = boost::context::detail;

namespace {

constexpr event_id none_untested = ~event_id{0};

}  // namespace

fiber_stack::~fiber_stack() {
  if (base_ != nullptr) munmap(base_, guard_ + size_);
}

void fiber_stack::reserve(std::size_t bytes, unsigned thread) {
  if (base_ != nullptr) return;
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  // Wide enough that a large frame does not step over it.
  guard_ = 16 * page;
  size_ = (bytes + page - 1) / page * page;
  base_ = map(stacks_address + thread * (guard_ + size_), guard_ + size_, MAP_STACK);
  if (base_ == nullptr) throw std::bad_alloc();
  mprotect(base_, guard_, PROT_NONE);
}

// ---------------------------------------------------------------------------------------------
// Fibers.

void explorer::start(unsigned thread, void (*entry)(void*), void* argument, source_location where) {
  model_thread& t = threads_[thread];
  t.stack.reserve(options_.stack_size, thread);
#ifdef FENCEPOST_ASAN
  // The frames of the fiber that was abandoned here.
  __asan_unpoison_memory_region(t.stack.bottom(), t.stack.size());
#endif
  t.context = context::make_fcontext(t.stack.top(), t.stack.size(), &explorer::enter);
  t.exceptions = {};
  t.at = state::running;
  t.following = true;
  ++following_;
  t.position = t.constructed = t.reads = t.idle_pauses = t.turn = 0;
  t.resumed = false;
  t.gave_up = t.attempting = t.next_turn = t.excused = false;
  t.tested.clear();
  t.wants = nullptr;
  t.entry = entry;
  t.argument = argument;
  t.where = where;
  if (thread >= created_) created_ = thread + 1;
}

void explorer::enter(context::transfer_t from) {
  auto* self = static_cast<explorer*>(from.data);
#ifdef FENCEPOST_ASAN
  __sanitizer_finish_switch_fiber(nullptr, &self->home_stack_, &self->home_size_);
#endif
  self->home_ = from.fctx;
  model_thread& t = self->threads_[self->running_];
  const char* thrown = nullptr;
  allocation_hook::in_body = true;
  try {
    t.entry(t.argument);
    allocation_hook::in_body = false;
  } catch (const std::exception& e) {
    allocation_hook::in_body = false;
    thrown = self->say("an exception left the thread: %s", e.what());
  } catch (...) {
    allocation_hook::in_body = false;
    thrown = "an exception left the thread";
  }
  if (thrown != nullptr) self->fail(violation::exception, thrown, t.where);
  self->settle_attempt();
  if (t.position < self->graph_.logs[self->running_].length())
    self->fail(violation::nondeterminism,
               "the thread ended where it went on when the same execution was run before", t.where);
  t.at = state::finished;
  self->log(step_kind::finish, "ends", t.where);
  self->yield();
}

void explorer::resume(unsigned thread) {
  model_thread& t = threads_[thread];
  running_ = thread;
  const exception_state saved = *exceptions_;
  *exceptions_ = t.exceptions;
#ifdef FENCEPOST_ASAN
  void* fake = nullptr;
  __sanitizer_start_switch_fiber(&fake, t.stack.bottom(), t.stack.size());
#endif
  const context::transfer_t back = context::jump_fcontext(t.context, this);
#ifdef FENCEPOST_ASAN
  __sanitizer_finish_switch_fiber(fake, nullptr, nullptr);
#endif
  t.context = back.fctx;
  allocation_hook::in_body = false;
  t.exceptions = *exceptions_;
  *exceptions_ = saved;
  if (t.following && t.at != state::waiting && t.at != state::running) {
    t.following = false;
    --following_;
  }
}

// Back to the scheduler, until it resumes this thread.
void explorer::yield() {
  const bool in_body = allocation_hook::in_body;
  allocation_hook::in_body = false;
#ifdef FENCEPOST_ASAN
  __sanitizer_start_switch_fiber(&threads_[running_].fake_stack, home_stack_, home_size_);
#endif
  const context::transfer_t back = context::jump_fcontext(home_, nullptr);
#ifdef FENCEPOST_ASAN
  __sanitizer_finish_switch_fiber(threads_[running_].fake_stack, &home_stack_, &home_size_);
#endif
  home_ = back.fctx;
  allocation_hook::in_body = in_body;
}

// The run is over: this thread never goes on. Nothing is unwound.
void explorer::abandon() {
  ended_ = true;
  for (;;) yield();
}

// ---------------------------------------------------------------------------------------------
// A run.

bool explorer::replayed(event_id id) const noexcept {
  return threads_[thread_of(id)].position >= index_of(id);
}

explorer::ending explorer::run() {
  for (;;) {
    const ending end = run_once();
    if (restart_) begin_anew();
    if (end != ending::again) return end;
  }
}

void explorer::begin_anew() {
  while (frames_used_ > 0) undo_revisit();
  graph_.cut(0);
  choices_.clear();
  forced_ = max_threads;
  restart_ = false;
  begun_anew_ = true;
  if (options_.on_restart) options_.on_restart();
}

explorer::ending explorer::run_once() {
  ++runs_;
  if (logging_) {
    log_.clear();
    names_.clear();
  }
  arena_.begin_run(options_.reuse_addresses);
  for (unsigned t = 0; t < created_; ++t) {
    threads_[t].at = state::unused;
    threads_[t].position = 0;
  }
  created_ = 0;
  following_ = 0;
  declared_.clear();
  outcome_.clear();
  found_ = ended_ = dropped_ = probing_ = probing_old_ = false;
  reschedule_ = false;
  owner_ = unlearned_ = max_threads;
  start(0, [](void* self) { static_cast<explorer*>(self)->body_(); }, this, {});

  while (!ended_) {
    if (following_ > 0) {
      unsigned t = max_threads;
      for (const unsigned candidate : by_priority_)
        if (threads_[candidate].at == state::running && threads_[candidate].following)
          t = candidate;  // the most preferred one last: it goes straight on
      drive(t);
      if (unlearned_ != max_threads) return learn_loop();
      continue;
    }
    unsigned t = pick();
    if (t == max_threads) {
      for (const unsigned p : by_priority_)
        if (threads_[p].at == state::parked && !ended_) commit_parked(p);
      if (ended_) break;
      t = pick_turn();
      if (t == max_threads && forced_ != max_threads && forced_at_ == graph_.trail.size()) {
        t = std::exchange(forced_, max_threads);
        threads_[t].excused = true;
      }
      if (t == max_threads) break;
      threads_[t].at = state::running;
      threads_[t].resumed = true;
    }
    owner_ = t;
    reschedule_ = false;
    resume(t);
    if (unlearned_ != max_threads) return learn_loop();
  }
  if (restart_ || std::exchange(run_again_, false)) return ending::again;
  if (found_) return ending::violation;
  if (dropped_) return ending::blocked;
  for (unsigned t = 0; t < created_; ++t)
    if (threads_[t].at != state::unused && threads_[t].at != state::finished) return stuck();
  if (options_.check_leaks && arena_.live_blocks() > 0) {
    const arena::block* b = arena_.first_live();
    running_ = b->thread;
    violate(violation::leak,
            say("a block of %zu bytes, allocation %u of thread %u, is never released", b->size,
                b->ordinal + 1, b->thread),
            threads_[b->thread].where);
    return ending::violation;
  }
  return ending::complete;
}

// Resumes a thread that follows the graph, and those that it needs, until it is where the graph
// ends for it. A thread that is needed runs on past what is needed; it may then need the first one.
void explorer::drive(unsigned thread, unsigned depth) {
  model_thread& t = threads_[thread];
  while (!ended_) {
    if (t.at == state::running) {
      resume(thread);
      continue;
    }
    if (t.at != state::waiting) return;
    unsigned other = thread_of(t.needs);
    if (t.needs_end ? threads_[other].at == state::finished : replayed(t.needs)) {
      t.at = state::running;
      continue;
    }
    while (threads_[other].at == state::unused && creators_[other] != 0 &&
           !replayed(creators_[other]))
      other = thread_of(creators_[other]);
    const state at = threads_[other].at;
    if ((at != state::running && at != state::waiting) || depth > 4 * max_index) {
      running_ = thread;
      violate(violation::nondeterminism,
              "a thread did not do what it did when the same execution was run before",
              threads_[other].where);
      return;
    }
    if (t.needs_end) {
      // Everybody, so that the next join finds them finished.
      for (unsigned u = 0; u < max_threads && !ended_; ++u)
        if (u != thread && threads_[u].at == state::running && threads_[u].following)
          drive(u, depth + 1);
    } else {
      drive(other, depth + 1);
    }
  }
}

bool explorer::runnable(const event& e) const {
  if (e.kind == event_kind::join) return all_finished(e.partners);
  if (!e.awaits) return true;
  return graph_.written(graph_.places[e.loc[0]].mo.back(), e.loc[0]) == e.expected;
}

// The next event is a function of the graph alone: the first thread, by priority, that can go on.
// A thread that waits for a value is left for last, and then takes part only if some write has it.
unsigned explorer::pick() const {
  for (const unsigned t : by_priority_)
    if ((threads_[t].at == state::frontier && runnable(*threads_[t].wants)) ||
        (threads_[t].at == state::parked && untested(t) != none_untested))
      return t;
  for (const unsigned t : by_priority_) {
    if (threads_[t].at != state::frontier || !threads_[t].wants->awaits) continue;
    const event& e = *threads_[t].wants;
    for (const event_id w : graph_.places[e.loc[0]].mo)
      if (graph_.written(w, e.loc[0]) == e.expected) return t;
  }
  return max_threads;
}

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
  return none_untested;
}

// The thread goes on with what it has read.
void explorer::commit() {
  const engine_scope scope;
  model_thread& t = threads_[running_];
  t.attempting = false;
  const bool only_latest = parking_loop(t.attempt, t.attempt_where)->latest;
  if (t.attempt.rf[0] != graph_.places[t.attempt.loc[0]].mo.back()) {
    // An old value ends the loop as well: that is an execution of its own.
    for (loop& l : loops_)
      if (l.simple && l.reads.front() == t.attempt_where) l.latest = true;
    run_again_ = true;
    abandon();
  }
  add_attempt(!only_latest);
}

void explorer::add_attempt(bool all_tested) {
  model_thread& t = threads_[running_];
  t.tested.clear();
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
  graph_.cut(before);
  if (waits && !changes) return gets_on::no;
  return news ? gets_on::elsewhere : gets_on::here;
}

// ---------------------------------------------------------------------------------------------
// Events, from inside a model thread.

bool explorer::racy() const {
  event_id other = 0;
  for (const entry& t : graph_.trail)
    if (t.part == 0 && graph_.at(t.id).fields() != 0 && model_.races(t.id, other)) return true;
  return false;
}

event& explorer::perform(const event& e, source_location where) {
  ++heartbeat_;
  silent_ = 0;
  model_thread& t = threads_[running_];
  t.where = where;
  check_stack();
  if (t.attempting) commit();
  const graph::log& l = graph_.logs[running_];
  if (t.position < l.length()) {
    follow(e, l.events[t.position + 1], where);
  } else {
    const bool direct = probing_ ? runnable(e)
                                 : following_ == (t.following ? 1u : 0u) && !reschedule_ &&
                                       (owner_ == running_ ? runnable(e) : goes_first(e));
    if (!direct) {
      t.wants = &e;
      t.at = state::frontier;
      yield();
      t.at = state::running;
    }
    if (t.following) {
      t.following = false;
      --following_;
      owner_ = running_;
    }
    if (parking_loop(e, where) != nullptr) {
      t.next_turn = false;
      check_alive(e.loc[0], where);
      t.attempting = true;
      t.attempt = e;
      t.attempt_where = where;
      t.attempt.rf[0] = untested(running_);
      t.attempt.read = graph_.written(t.attempt.rf[0], e.loc[0]);
      ++t.reads;
      return t.attempt;
    }
    if (t.next_turn) misjudged();
    add(e, where);
  }
  ++t.position;
  event& done = graph_.logs[running_].events[t.position];
  if (logging_) log_event(make_id(running_, t.position));
  if (done.reads()) {
    ++t.reads;
    if (done.torn || done.waits_on()) {
      t.at = state::blocked;
      for (;;) yield();
    }
  }
  return done;
}

// This thread follows the graph no longer, all others are at its end: is it the next one?
bool explorer::goes_first(const event& e) {
  if (!runnable(e)) return false;
  for (const unsigned t : by_priority_) {
    if (t == running_) return true;
    const model_thread& m = threads_[t];
    if (m.at == state::frontier && runnable(*m.wants)) return false;
    if (m.at == state::parked && untested(t) != none_untested) return false;
  }
  return true;
}

void explorer::follow(const event& e, const event& recorded, source_location where) {
  const bool same = e.kind == recorded.kind && e.loc[0] == recorded.loc[0] &&
                    e.loc[1] == recorded.loc[1] && e.success == recorded.success &&
                    e.failure == recorded.failure && e.operand == recorded.operand &&
                    e.expected == recorded.expected && e.op == recorded.op &&
                    (e.kind != event_kind::join || e.partners == recorded.partners);
  if (!same)
    fail(violation::nondeterminism,
         "this is not what the thread did when the same execution was run before: the test depends "
         "on something other than its atomics (time, random numbers, static or thread-local "
         "variables, addresses outside its own memory)",
         where);
  model_thread& t = threads_[running_];
  const auto wait = [&](event_id id, bool end) {
    t.needs = id;
    t.needs_end = end;
    t.at = state::waiting;
    yield();
  };
  if (recorded.reads()) {
    for (unsigned k = 0; k < recorded.fields(); ++k)
      if (!replayed(recorded.rf[k])) wait(recorded.rf[k], false);
  } else if (recorded.kind == event_kind::join) {
    for (unsigned child = 0; child < max_threads; ++child)
      if (recorded.concerns(child) && threads_[child].at != state::finished)
        wait(make_id(child, graph_.logs[child].length()), true);
  }
}

void explorer::add(const event& e, source_location where) {
  const engine_scope scope;
  if (graph_.logs[running_].length() >= options_.max_events)
    fail(violation::no_progress,
         say("the thread made %zu events in one execution: a loop that waits for another thread "
             "must "
             "call spin_pause()",
             options_.max_events),
         where);
  for (unsigned k = 0; k < e.fields(); ++k) check_alive(e.loc[k], where);
  const event_id id = graph_.append(running_, e, where);
  switch (e.kind) {
    case event_kind::load:
    case event_kind::rmw: add_read(id); break;
    case event_kind::store: add_write(id); break;
    case event_kind::choose: add_choice(id); break;
    default: model_.settle(id); break;
  }
  const event& done = graph_.at(id);
  if (done.writes()) reschedule_ = true;  // somebody may have waited for it
  event_id other = 0;
  if (done.fields() != 0 && model_.races(id, other)) {
    if (!options_.races_are_outcomes)
      fail(violation::data_race,
           "a plain access and another one to the same location are not ordered by happens-before",
           where);
  }
}

void explorer::check_alive(location l, source_location where) {
  const place& p = graph_.places[l];
  if (!p.alive)
    fail(violation::use_after_free,
         say("access to an object whose lifetime ended at %s:%u", p.where.file, p.where.line),
         where);
  if (thread_of(p.born) == running_ || p.born == initial_write) return;
  const clock& hb = graph_.logs[running_].view[threads_[running_].position].hb;
  if (!hb.covers(p.born))
    fail(violation::data_race,
         say("the access is not ordered after the construction of the object (thread %u, %s:%u)",
             thread_of(p.born), p.where.file, p.where.line),
         where);
}

// ---------------------------------------------------------------------------------------------
// Objects and memory.

location explorer::place_for(unsigned thread) {
  graph::log& l = graph_.logs[thread];
  const unsigned n = threads_[thread].constructed++;
  if (n == l.places.size()) {
    const engine_scope scope;
    l.places.push_back(graph_.new_place(thread));
    graph_.places.back().ordinal = n;
  }
  return l.places[n];
}

location explorer::declare(const void* address, std::size_t size, value initial,
                           source_location where) {
  settle_attempt();
  check_stack();
  if (where.line != 0) threads_[running_].where = where;
  const location l = place_for(running_);
  place& p = graph_.places[l];
  if (p.initial != initial && (p.mo.size() > 1 || !p.readers.empty()))
    fail(violation::nondeterminism,
         "an atomic is constructed with another value than when the same execution was run before",
         where);
  p.initial = initial;
  p.address = address;
  p.size = size;
  p.where = where;
  // A location without an address is the front door's own: its construction is no access.
  p.born = address == nullptr ? initial_write : make_id(running_, threads_[running_].position + 1);
  p.alive = true;
  p.plain = false;
  const engine_scope scope;
  declared_.push_back(l);
  return l;
}

location explorer::declare_plain(const void* address, std::size_t size, source_location where) {
  const location l = declare(address, size, 0, where);
  place& p = graph_.places[l];
  p.plain = true;
  p.written_at = {};
  p.read_at = {};
  p.written_at.set(running_, threads_[running_].position + 1);
  return l;
}

location explorer::companion(location owner) {
  if (graph_.places[owner].companion == no_location) {
    const engine_scope scope;
    const location l = graph_.new_place(graph_.places[owner].owner);
    graph_.places[l].ordinal = graph_.places[owner].ordinal + 0x10000;
    graph_.places[owner].companion = l;
  }
  const location l = graph_.places[owner].companion;
  place& p = graph_.places[l];
  p.initial = 0;
  p.born = graph_.places[owner].born;
  p.alive = graph_.places[owner].alive;
  p.where = graph_.places[owner].where;
  return l;
}

void explorer::retire(location l, source_location where) {
  settle_attempt();
  place& p = graph_.places[l];
  if (!p.alive) return;
  end_of_life(l, where, "destroyed");
}

// Every access must come before.
void explorer::end_of_life(location l, source_location where, const char* what) {
  place& p = graph_.places[l];
  const clock& hb = graph_.logs[running_].view[threads_[running_].position].hb;
  bool ordered = true;
  if (p.plain) {
    ordered = !p.written_at.exceeds(hb, running_) && !p.read_at.exceeds(hb, running_);
  } else {
    for (const event_id w : p.mo) ordered = ordered && hb.covers(w);
    for (const event_id r : p.readers) ordered = ordered && hb.covers(r);
    ordered = ordered && (thread_of(p.born) == running_ || hb.covers(p.born));
  }
  if (!ordered) {
    const engine_scope scope;
    fail(violation::use_after_free,
         say("an object is %s while an access to it is not ordered before by happens-before", what),
         where);
  }
  p.alive = false;
  p.where = where;
}

void explorer::plain_read(location l, source_location where) {
  count_silent_step(where);
  settle_attempt();
  place& p = graph_.places[l];
  model_thread& t = threads_[running_];
  t.where = where;
  const clock& hb = graph_.logs[running_].view[t.position].hb;
  if (!p.alive) check_alive(l, where);
  if (logging_) log(step_kind::plain_read, "read " + name(l), where);
  if (p.written_at.exceeds(hb, running_)) race(l, "read", "written", where);
  p.read_at.set(running_, t.position + 1);
}

void explorer::plain_write(location l, source_location where) {
  count_silent_step(where);
  settle_attempt();
  place& p = graph_.places[l];
  model_thread& t = threads_[running_];
  t.where = where;
  const clock& hb = graph_.logs[running_].view[t.position].hb;
  if (!p.alive) check_alive(l, where);
  if (logging_) log(step_kind::plain_write, "write " + name(l), where);
  if (p.written_at.exceeds(hb, running_)) race(l, "written", "written", where);
  if (p.read_at.exceeds(hb, running_)) race(l, "written", "read", where);
  p.written_at.set(running_, t.position + 1);
}

void explorer::race(location l, const char* here, const char* there, source_location where) {
  const engine_scope scope;
  const place& p = graph_.places[l];
  const clock& hb = graph_.logs[running_].view[threads_[running_].position].hb;
  const clock& other = std::strcmp(there, "read") == 0 ? p.read_at : p.written_at;
  unsigned by = 0;
  for (unsigned t = 0; t < max_threads; ++t)
    if (t != running_ && other[t] > hb[t]) by = t;
  fail(
      violation::data_race,
      say("plain data is %s by thread %u and %s by thread %u, and neither happens before the other",
          here, running_, there, by),
      where);
}

void* explorer::allocate(std::size_t size, std::size_t alignment) {
  check_stack();
  count_silent_step(threads_[running_].where);
  settle_attempt();
  const engine_scope scope;
  void* p = arena_.allocate(running_, size, alignment);
  if (p == nullptr)
    fail(violation::out_of_memory,
         say("an allocation of %zu bytes does not fit: a thread may have %zu MiB in one execution "
             "(memory_size)",
             size, arena_.bytes_per_thread() >> 20U),
         threads_[running_].where);
  if (logging_) log(step_kind::allocate, say("allocate %zu bytes", size), threads_[running_].where);
  return p;
}

void explorer::release(void* pointer) {
  const bool in_body = allocation_hook::in_body;
  const engine_scope scope;
  if (!in_body) return;  // the engine lets go of something of a run that is over
  settle_attempt();
  const source_location where = threads_[running_].where;
  if (!arena_.contains(pointer)) {
    for (unsigned t = 0; t < created_; ++t)
      if (threads_[t].stack.contains(pointer))
        fail(violation::invalid_free, "release of an object on a thread's stack", where);
    std::free(pointer);
    return;
  }
  arena::block* b = arena_.find(pointer);
  if (b == nullptr)
    fail(violation::invalid_free, "release of a pointer that no allocation has returned", where);
  if (b->state == arena::freed)
    fail(violation::double_free,
         say("release of a block of %zu bytes that was released before", b->size), where);
  if (logging_) log(step_kind::release, say("release %zu bytes", b->size), where);
  const auto begin = reinterpret_cast<std::uintptr_t>(pointer);
  for (const location l : declared_) {
    const place& p = graph_.places[l];
    if (p.alive && reinterpret_cast<std::uintptr_t>(p.address) - begin < b->size)
      end_of_life(l, where, "released");
  }
  arena_.release(running_, b);
}

// ---------------------------------------------------------------------------------------------
// What front doors call.

// The next event of the graph, if it is what is asked for and no source has to be waited for: most
// events of most runs. Null: perform() has to look at it.
const event* explorer::recorded(event_kind kind, word w, order o, value operand,
                                source_location where) {
  model_thread& t = threads_[running_];
  const graph::log& l = graph_.logs[running_];
  if (t.position >= l.length() || logging_) return nullptr;
  const event& e = l.events[t.position + 1];
  if (e.kind != kind || e.loc[0] != w.fields[0] || e.loc[1] != w.fields[1] || e.success != o ||
      e.operand != operand || e.awaits || e.torn)
    return nullptr;
  if (e.reads()) {
    if (!replayed(e.rf[0]) || !replayed(e.rf[1])) return nullptr;
    ++t.reads;
  }
  ++t.position;
  ++heartbeat_;
  silent_ = 0;
  t.where = where;
  return &e;
}

value explorer::load(word w, order o, source_location where) {
  if (const event* done = recorded(event_kind::load, w, o, 0, where)) return done->read;
  event e;
  e.kind = event_kind::load;
  e.loc[0] = w.fields[0];
  e.loc[1] = w.fields[1];
  e.success = o;
  return perform(e, where).read;
}

void explorer::store(word w, value v, order o, source_location where) {
  if (recorded(event_kind::store, w, o, v, where) != nullptr) return;
  event e;
  e.kind = event_kind::store;
  e.loc[0] = w.fields[0];
  e.loc[1] = w.fields[1];
  e.success = o;
  e.operand = v;
  perform(e, where);
}

value explorer::read_modify_write(word w, operation op, value operand, std::size_t size, order o,
                                  source_location where, value (*custom)(value, value)) {
  event e;
  e.kind = event_kind::rmw;
  e.loc[0] = w.fields[0];
  e.loc[1] = w.fields[1];
  e.success = o;
  e.op = op;
  e.operand = operand;
  e.size = static_cast<std::uint8_t>(size);
  e.custom = custom;
  return perform(e, where).read;
}

exchanged explorer::compare_exchange(word w, value expected, value desired, bool weak,
                                     order success, order failure, source_location where) {
  event e;
  e.kind = event_kind::rmw;
  e.loc[0] = w.fields[0];
  e.loc[1] = w.fields[1];
  e.success = success;
  e.failure = failure;
  e.expected = expected;
  e.operand = desired;
  e.compares = true;
  e.weak = weak;
  const event& done = perform(e, where);
  return {done.read, done.succeeds()};
}

void explorer::fence(order o, source_location where) {
  if (recorded(event_kind::fence, {}, o, 0, where) != nullptr) return;
  event e;
  e.kind = event_kind::fence;
  e.success = o;
  perform(e, where);
}

void explorer::spin_pause(source_location where) {
  ++heartbeat_;
  model_thread& t = threads_[running_];
  t.where = where;
  if (t.reads == 0) {
    if (++t.idle_pauses > 10'000)
      fail(violation::no_progress,
           "spin_pause() in a loop that reads nothing: no other thread can end it", where);
    return;
  }
  if (t.next_turn) misjudged();
  if (t.attempting) {
    const loop* known = find_loop(where);
    if (known != nullptr && known->simple && known->reads.front() == t.attempt_where) {
      const engine_scope scope;
      t.attempting = false;
      t.tested.push_back(t.attempt.rf[0]);
      if (untested(running_) == none_untested) {
        t.at = state::parked;
        yield();
      }
      t.next_turn = true;
      t.reads = 0;
      return;
    }
    commit();
  }
  const graph::log& l = graph_.logs[running_];
  if (t.position < l.length()) {
    t.turn = t.position;
    t.reads = 0;
    t.resumed = true;
    return;
  }
  const bool excused = std::exchange(t.excused, false);
  if (!probing_ && t.resumed && !excused && !turn_was_fair()) {
    dropped_ = true;
    abandon();
  }
  // A read that took an old value can only be blocked for good: whatever follows was or will be
  // explored with a later one.
  const unsigned i = last_read(running_);
  if (!probing_ && last_effect(running_) < i && read_old(running_, i, l.events[i].fields() - 1)) {
    dropped_ = true;
    abandon();
  }
  if (logging_) log(step_kind::wait, "waits (spin_pause)", where);
  if (!probing_ && find_loop(where) == nullptr) unlearned_ = running_;
  t.at = state::spinning;
  yield();
  t.turn = t.position;
  t.reads = 0;
}

void explorer::await(location l, value expected, order o, wait_for what, source_location where) {
  event e;
  e.kind = event_kind::load;
  e.loc[0] = l;
  e.success = o;
  e.expected = expected;
  e.awaits = true;
  e.waits = what;
  perform(e, where);
}

void explorer::await_exchange(location l, value expected, value desired, order o, wait_for what,
                              source_location where) {
  event e;
  e.kind = event_kind::rmw;
  e.loc[0] = l;
  e.success = o;
  e.failure = order::relaxed;
  e.expected = expected;
  e.operand = desired;
  e.compares = true;
  e.awaits = true;
  e.waits = what;
  perform(e, where);
}

void explorer::give_up() {
  threads_[running_].gave_up = true;
  threads_[running_].at = state::blocked;
  for (;;) yield();
}

unsigned explorer::choose(unsigned alternatives, budget charge, source_location where) {
  event e;
  e.kind = event_kind::choose;
  e.operand = alternatives;
  e.charge = charge;
  return static_cast<unsigned>(perform(e, where).read);
}

void explorer::create(void (*entry)(void*), void* const* arguments, unsigned* ids, unsigned count,
                      source_location where) {
  event e;
  e.kind = event_kind::create;
  e.operand = count;
  const model_thread& t = threads_[running_];
  if (t.position == graph_.logs[running_].length() && used_threads() + count > max_threads) {
    char text[100];
    std::snprintf(text, sizeof text, "an execution may have %u threads, the main one included",
                  max_threads);
    fail(violation::misuse, text, where);
  }
  perform(e, where);
  const event_id id = make_id(running_, t.position);
  event& done = graph_.at(id);
  unsigned child = 0;
  for (unsigned i = 0; i < count; ++i) {
    ++child;
    if (done.named) {
      while (!done.concerns(child)) ++child;
    } else {
      while (threads_[child].at != state::unused || graph_.logs[child].length() != 0) ++child;
      done.partners = static_cast<std::uint16_t>(done.partners | 1U << child);
      views& base = graph_.logs[child].view[0];
      base = {};
      base.hb = graph_.view(id).hb;
      base.porf = graph_.view(id).porf;
      creators_[child] = id;
    }
    ids[i] = child;
    start(child, entry, arguments[i], where);
  }
  done.named = true;
  reschedule_ = true;
}

unsigned explorer::used_threads() const {
  unsigned n = 0;
  for (unsigned t = 0; t < max_threads; ++t)
    if (threads_[t].at != state::unused) ++n;
  return n;
}

void explorer::join(const unsigned* ids, unsigned count, source_location where) {
  event e;
  e.kind = event_kind::join;
  for (unsigned i = 0; i < count; ++i)
    e.partners = static_cast<std::uint16_t>(e.partners | 1U << ids[i]);
  perform(e, where);
}

bool explorer::all_finished(std::uint16_t threads) const noexcept {
  for (unsigned t = 0; threads != 0; ++t, threads = static_cast<std::uint16_t>(threads >> 1U))
    if ((threads & 1U) != 0 && threads_[t].at != state::finished) return false;
  return true;
}

// The engine works on the stack of the thread that calls it.
void explorer::check_stack() {
  constexpr std::size_t enough = std::size_t{24} << 10U;
  const char here = 0;
  const fiber_stack& stack = threads_[running_].stack;
  if (&here - static_cast<const char*>(stack.bottom()) > static_cast<std::ptrdiff_t>(enough))
    return;
  char text[160];
  std::snprintf(text, sizeof text,
                "the stack of the thread is used up (stack_size is %zu KiB): endless recursion, or "
                "large local variables",
                stack.size() >> 10U);
  fail(violation::stack_overflow, text, threads_[running_].where);
}

// What is no event must come to an end as well.
void explorer::count_silent_step(source_location where) {
  if (++silent_ < 1'000'000) return;
  silent_ = 0;
  fail(violation::no_progress,
       "a million plain accesses and allocations without an atomic operation: an endless loop? (a "
       "loop that waits must read an atomic and call spin_pause())",
       where);
}

// A message; it lives in the explorer, since what stands on an abandoned stack is never released.
const char* explorer::say(const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(said_, sizeof said_, format, arguments);
  va_end(arguments);
  return said_;
}

void explorer::fail(violation kind, std::string_view message, source_location where) {
  allocation_hook::in_body = false;
  if (threads_[running_].attempting) commit();
  violate(kind, message, where);
  abandon();
}

void explorer::violate(violation kind, std::string_view message, source_location where) {
  ended_ = true;
  if (found_) return;
  found_ = true;
  violation_.kind = kind;
  violation_.message = message;
  violation_.thread = running_;
  violation_.where = where;
  log(step_kind::violation, violation_.message, where);
}

void explorer::broken(const char* what, source_location where) {
  fail(violation::assertion, what, where);
}

void explorer::record(std::string_view text) {
  const engine_scope scope;
  record_outcome(text);
}

void explorer::record_outcome(std::string_view text) {
  const engine_scope scope;
  if (!outcome_.empty()) outcome_ += "; ";
  outcome_ += text;
}

}  // namespace fencepost::verify
