#include "execute/spin_loops.hpp"

#include <algorithm>
#include <utility>

namespace fencepost::verify {

using state = model_thread::state;

bool removable(const event& e) noexcept {
  switch (e.kind) {
    case event_kind::load: return !e.awaits && !e.torn && e.looks == look_for::nothing;
    case event_kind::rmw: return !e.awaits && !e.torn && (!e.succeeds() || e.written == e.read);
    case event_kind::fence:
    case event_kind::choose: return true;
    default: return false;
  }
}

// ---------------------------------------------------------------------------------------------
// Arrivals.

void spin_loops::copy_state(snapshot& s) {
  snapshots_.copy_thread(s);
  loop& turns = here();
  auto& all = turns.memories;
  std::size_t& used = turns.memories_used;
  if (used == 0 || !snapshots_.same_memory(all[used - 1])) {
    if (++used > all.size()) all.emplace_back();
    snapshots_.copy_memory(all[used - 1]);
  }
  s.memory = used - 1;
}

// What the others change in memory is taken as if it had been so when the turn began; but not where
// the thread itself has changed something since.
void spin_loops::yield_in_turn() {
  loop& turns = here();
  if (turns.used == 0) return fibers_.yield();
  {
    const engine_scope scope;
    std::size_t kept = 0, memory = turns.memories_used;
    bool same = false;
    for (std::size_t i = 0; i < turns.used; ++i) {
      const std::size_t then = turns.arrivals[i].state.memory;
      if (std::exchange(memory, then) != then) same = snapshots_.same_memory(turns.memories[then]);
      if (!same) continue;
      if (kept != i) std::swap(turns.arrivals[kept], turns.arrivals[i]);
      turns.arrivals[kept++].state.memory = 0;
    }
    turns.forgot = turns.forgot || kept != turns.used;
    turns.used = kept;
    turns.memories_used = kept == 0 ? 0 : 1;
  }
  fibers_.yield();
  const engine_scope scope;
  if (turns.used != 0) snapshots_.copy_memory(turns.memories[0]);
}

// Has the thread made this read before, and done nothing since that others can see?
bool spin_loops::comes_round(source_location where) const {
  const unsigned self = fibers_.running();
  const graph::log& l = graph_.thread(self);
  for (unsigned i = threads_[self].position; i > 0 && removable(l.events[i]); --i)
    if (l.events[i].reads() && l.where[i] == where) return true;
  return false;
}

bool spin_loops::only_reads_follow() {
  const unsigned self = fibers_.running();
  loop& turns = here();
  if (!turns.known) {
    const graph::log& l = graph_.thread(self);
    last_events last;
    unsigned i = l.length();
    for (; i > 0 && removable(l.events[i]); --i)
      if (last.write == 0 && l.events[i].writes()) last.write = i;
    last.effect = i;
    last.write = std::max(last.write, i);
    turns.known = last;
  }
  return threads_[self].position >= turns.known->effect;
}

void spin_loops::linger() {
  model_thread& t = threads_[fibers_.running()];
  const loop& turns = here();
  if (turns.released || !t.following || threads_.following() < 2 || t.position < turns.known->write)
    return;
  t.at = state::lingering;
  yield_in_turn();
}

void spin_loops::let_go(unsigned thread) noexcept {
  model_thread& t = threads_[thread];
  if (t.at != state::lingering) return;
  t.at = state::running;
  loops_[thread].released = true;
}

unsigned spin_loops::next_to_linger() noexcept {
  for (unsigned t = 0; t < threads_.created(); ++t) {
    if (threads_[t].at != state::lingering) continue;
    let_go(t);
    return t;
  }
  return max_threads;
}

spin_loops::arrival& spin_loops::note(source_location where) {
  constexpr std::size_t most = 512;
  const engine_scope scope;
  loop& turns = here();
  auto& all = turns.arrivals;
  std::size_t& used = turns.used;
  const unsigned position = threads_[fibers_.running()].position;
  // A thread that was parked arrives once more where its turn began.
  const bool again = used > 0 && all[used - 1].position == position;
  if (!again) {
    if (used == most)
      std::rotate(all.begin(), all.begin() + 1, all.end());
    else if (++used > all.size())
      all.emplace_back();
  }
  arrival& a = all[used - 1];
  a.where = where;
  a.position = position;
  a.trail = arrival::not_youngest;
  a.choices = exploration_.choices();
  a.logged = trace_.size();
  a.plains = turns.plains.size();
  copy_state(a.state);
  return a;
}

void spin_loops::note_new_arrival(source_location where) {
  arrival& a = note(where);
  a.trail = graph_.trail().size();
  a.choices = exploration_.choices();
}

bool spin_loops::arrive(const event& e, source_location where) {
  const engine_scope scope;
  if (!sites_.contains(where)) {
    if (!comes_round(where)) return false;
    // Which thread comes next depends on it.
    sites_.add(where);
    run_.restart();
  }
  const loop& turns = here();
  bool came_before = false;
  for (std::size_t i = turns.used; i-- > 0;) {
    const arrival& a = turns.arrivals[i];
    if (!(a.where == where)) continue;
    came_before = true;
    if (!same_state(a.state)) continue;
    if (adds_access(i)) break;
    leave_out(i, e);
    return true;
  }
  if (came_before) settle_overtaking();
  return false;
}

// ---------------------------------------------------------------------------------------------
// Idle turns.

bool spin_loops::is_youngest(const arrival& a) const {
  return a.trail != arrival::not_youngest &&
         std::all_of(graph_.trail().begin() + static_cast<std::ptrdiff_t>(a.trail),
                     graph_.trail().end(),
                     [&](const entry& x) { return thread_of(x.id) == fibers_.running(); });
}

// Does the running thread's idle turn, which began there, see nothing change? A loop that tries
// again because something has changed, or by chance, has idle turns too, but it does not wait.
bool spin_loops::is_wait(unsigned begin) const {
  const auto& events = graph_.thread(fibers_.running()).events;
  const unsigned end = threads_[fibers_.running()].position;
  for (unsigned i = begin + 1; i <= end; ++i) {
    const event& e = events[i];
    if (e.spurious) return false;
    for (unsigned j = begin + 1; e.reads() && j < i; ++j)
      for (unsigned k = 0; events[j].reads() && k < e.fields(); ++k)
        if (events[j].touches(e.loc[k]) && events[j].rf[events[j].field_at(e.loc[k])] != e.rf[k])
          return false;
  }
  return true;
}

// The turn that began there is idle. Returns when the thread is to have another one.
void spin_loops::leave_out(std::size_t begin, const event& e) {
  const unsigned self = fibers_.running();
  model_thread& t = threads_[self];
  loop& turns = here();
  const arrival& a = turns.arrivals[begin];
  if (is_wait(a.position) && sites_.add_wait(a.where) &&
      (options_.preemptions || options_.on_preemptions)) {
    run_.restart();  // what is a preemption depends on it
  }
  note_left_out(a);
  turns.idle.begin = a.position;
  turns.idle.all_latest = true;
  for (unsigned i = a.position + 1; i <= t.position; ++i)
    if (graph_.thread(self).events[i].reads())
      turns.idle.all_latest = turns.idle.all_latest && read_latest(self, i);
  if (!turns.in_place && is_youngest(a)) {
    park(begin, e);
    return;
  }
  if (!sampler_.on() && is_settled(a.position)) run_.drop();
  if (symmetry_.used() != 0 && !turns.in_place && !trace_.on())
    give_up_symmetry();  // which threads go on without it depends on the order of the threads
  if (trace_.on()) trace_.add(self, step_kind::wait, "waits", a.where);
  t.at = state::spinning;
  for (;;) fibers_.yield();
}

// Will the running thread's turn stay as it is, whatever comes? So it does if its last read took an
// old value, or failed by chance: what is not maximal is not deleted, and no write that is still to
// come may revisit it, or what comes before it. Whatever else follows was or will be explored
// without this turn.
bool spin_loops::is_settled(unsigned begin) const {
  const unsigned self = fibers_.running();
  for (unsigned i = threads_[self].position; i > begin; --i) {
    const event& e = graph_.thread(self).events[i];
    if (e.kind == event_kind::choose && e.read != 0) return true;
    if (e.reads()) return e.spurious || read_old(self, i, e.fields() - 1);
  }
  return false;
}

// Takes the turn back, until something has changed that it has read.
void spin_loops::park(std::size_t begin, const event& e) {
  const unsigned self = fibers_.running();
  model_thread& t = threads_[self];
  loop& turns = here();
  turns.idle.latest.clear();
  for (unsigned i = turns.idle.begin + 1; i <= t.position; ++i) {
    const event& x = graph_.thread(self).events[i];
    for (unsigned k = 0; x.reads() && k < x.fields(); ++k)
      turns.idle.latest.emplace_back(x.loc[k], 0);
  }
  take_back(begin);
  for (auto& [at, last] : turns.idle.latest) last = graph_.history(at).mo.back();
  turns.idle.parked_at = graph_.trail().size();
  turns.overtakes = false;
  t.wants = &e;
  t.at = state::parked;
  yield_in_turn();
  t.at = state::running;
}

// The thread is where it was when the turn began, and its state is what it was.
void spin_loops::take_back(std::size_t begin) {
  const unsigned self = fibers_.running();
  loop& turns = here();
  const arrival& a = turns.arrivals[begin];
  graph_.cut(a.trail);
  exploration_.discard_choices(a.choices);
  objects_.forget_notes({self, a.position});
  tape_.spoil();
  if (trace_.on()) trace_.shrink(a.logged);
  threads_[self].position = a.position;
  for (auto& done = turns.plains; done.size() > a.plains; done.pop_back())
    objects_.undo_access(self, done.back().at, done.back().write, done.back().before);
  arena_.go_back(self, a.state.next);
  turns.memories_used = a.state.memory + 1;
  turns.used = begin + 1;
  if (taken_back_ != nullptr) taken_back_(a.position);
}

bool spin_loops::changed(unsigned thread) const {
  const auto& latest = loops_[thread].idle.latest;
  return std::any_of(latest.begin(), latest.end(), [&](const auto& seen) {
    return graph_.history(seen.first).mo.back() != seen.second;
  });
}

unsigned spin_loops::next_parked() {
  for (const unsigned t : priorities_.used()) {
    if (threads_[t].at != state::parked || loops_[t].idle.all_latest) continue;
    sampler_.read_latest(true);  // what is new is seen at last
    return t;
  }
  for (const unsigned t : priorities_.used()) {
    if (threads_[t].at != state::parked) continue;
    sampler_.read_latest(true);
    loops_[t].in_place = true;
    return t;
  }
  return max_threads;
}

// Was something later in modification order already there when this part of the event was added?
bool spin_loops::read_old(unsigned thread, unsigned index, unsigned field) const {
  const event& e = graph_.thread(thread).events[index];
  const auto& mo = graph_.history(e.loc[field]).mo;
  for (std::size_t p = mo.size(); p-- > 1 && mo[p] != e.rf[field];)
    if (mo[p] != make_id(thread, index) && graph_.stamp(mo[p]) < e.stamp[field]) return true;
  return false;
}

bool spin_loops::read_latest(unsigned thread, unsigned index) const {
  const event& e = graph_.thread(thread).events[index];
  if (e.torn) return false;
  for (unsigned k = 0; k < e.fields(); ++k) {
    const auto& mo = graph_.history(e.loc[k]).mo;
    for (std::size_t p = mo.size(); mo[--p] != e.rf[k];) {
      const unsigned writer = thread_of(mo[p]);
      const bool idle = writer == thread || threads_[writer].at == state::spinning;
      if (!idle || index_of(mo[p]) <= loops_[writer].idle.begin) return false;
    }
  }
  return true;
}

// ---------------------------------------------------------------------------------------------
// For resume points.

// A run from the beginning may yield where this one did not, and the other way round.
bool spin_loops::can_save(unsigned running) const {
  for (unsigned t = 0; t < threads_.created(); ++t)
    if (loops_[t].forgot || loops_[t].memories_used > 1) return false;
  return !would_forget(loops_[running]);
}

bool spin_loops::would_forget(const loop& turns) const {
  const auto first = turns.arrivals.begin();
  std::size_t same = turns.memories_used;  // as that of the arrival before, most often
  return std::any_of(first, first + static_cast<std::ptrdiff_t>(turns.used), [&](const arrival& a) {
    if (a.state.memory == same) return false;
    same = a.state.memory;
    return !snapshots_.same_memory(turns.memories[same]);
  });
}

std::size_t spin_loops::saved_size() const noexcept {
  std::size_t size = 0;
  for (unsigned t = 0; t < threads_.created(); ++t)
    for (std::size_t i = 0; i < loops_[t].used; ++i)
      size += sizeof(arrival) + loops_[t].arrivals[i].state.stack.size();
  return size;
}

void spin_loops::save(saved& s) const {
  s.of.resize(threads_.created());
  for (unsigned t = 0; t < threads_.created(); ++t) {
    const loop& turns = loops_[t];
    saved::turns& to = s.of[t];
    to.resumed = fibers_.last_resumed(t);
    to.used = turns.used;
    if (to.arrivals.size() < to.used) to.arrivals.resize(to.used);
    std::copy_n(turns.arrivals.begin(), to.used, to.arrivals.begin());
    to.plains = turns.plains;
    to.idle = turns.idle;
  }
}

void spin_loops::put_back(const saved& s) {
  for (std::size_t t = 0; t < s.of.size(); ++t) {
    const saved::turns& from = s.of[t];
    loop& turns = loops_[t];
    turns.overtakes = turns.released = turns.in_place = turns.forgot = false;
    turns.known.reset();
    if (fibers_.last_resumed(static_cast<unsigned>(t)) != from.resumed) {
      turns.used = from.used;
      if (turns.arrivals.size() < turns.used) turns.arrivals.resize(turns.used);
      std::copy_n(from.arrivals.begin(), turns.used, turns.arrivals.begin());
      turns.plains = from.plains;
      turns.idle = from.idle;
    }
    for (std::size_t i = 0; i < turns.used; ++i) turns.arrivals[i].trail = arrival::not_youngest;
    turns.memories_used = turns.used == 0 ? 0 : 1;
    if (turns.memories.size() < turns.memories_used) turns.memories.emplace_back();
  }
}

void spin_loops::go_on() {
  loop& turns = here();
  if (turns.used == 0) return;
  const engine_scope scope;
  snapshots_.copy_memory(turns.memories[0]);
}

void spin_loops::give_up_symmetry() {
  symmetry_.give_up();
  run_.restart();
}

std::optional<std::string> spin_loops::difference(const source_location& where) const {
  const loop& turns = here();
  for (std::size_t n = turns.used; n-- > 0;) {
    const arrival& a = turns.arrivals[n];
    if (!(a.where == where) || a.position == threads_[fibers_.running()].position) continue;
    return snapshots_.difference(a.state, turns.memories[a.state.memory]);
  }
  return {};
}

}  // namespace fencepost::verify
