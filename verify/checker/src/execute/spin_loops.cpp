#include "execute/spin_loops.hpp"

#include <algorithm>
#include <utility>

#include "execute/silent_sections.hpp"

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

void spin_loops::copy_state(snapshot& s) {
  snapshots_.copy_thread(s);
  thread_turns& turns = here();
  auto& all = turns.memories;
  std::size_t& used = turns.memories_used;
  if (used == 0 || !is_as_in(used - 1)) {
    if (++used > all.size()) all.emplace_back();
    copy_memory(used - 1);
  }
  s.memory = used - 1;
}

void spin_loops::copy_memory(std::size_t n) {
  snapshots_.copy_memory(here().memories[n]);
  memory_is_ = n;
}

bool spin_loops::is_as_in(std::size_t n) const {
  if (memory_is_ == n) return true;
  const bool same = snapshots_.same_memory(here().memories[n]);
  if (same) memory_is_ = n;
  return same;
}

// What other threads change in memory is treated as if it had been so when the turn began, except
// where the thread itself has changed something since. If it has taken a mutex, its stack may be
// changed as well; otherwise it yields only where a turn begins.
void spin_loops::yield_in_turn() {
  thread_turns& turns = here();
  if (turns.used == 0) {
    fibers_.yield();
    return program_has_run();
  }
  {
    const engine_scope scope;
    turns.has_changed =
        threads_[fibers_.running()].last_lock > turns.arrivals[0].position || would_forget();
    if (turns.has_changed) leave_changed();
  }
  fibers_.yield();
  program_has_run();
  const engine_scope scope;
  if (std::exchange(turns.has_changed, false)) return take_in_changes();
  for (std::size_t i = 0; i < turns.used; ++i) turns.arrivals[i].state.memory = 0;
  turns.memories_used = turns.used == 0 ? 0 : 1;
  if (turns.used != 0) copy_memory(0);
}

// Forgets the arrivals since which the thread has changed memory, unless it has taken a mutex
// since: what has changed may be the mutex's owner, which is written there.
void spin_loops::leave_changed() {
  thread_turns& turns = here();
  snapshots_.copy_memory(turns.left);
  snapshots_.copy_thread(turns.left_thread);
  turns.keep_arrivals([&](const arrival& a, bool) {
    return is_as_in(a.state.memory) || threads_[fibers_.running()].last_lock > a.position;
  });
}

// Forgets an arrival if other threads have meanwhile changed the same bytes as the thread.
void spin_loops::take_in_changes() {
  thread_turns& turns = here();
  turns.keep_arrivals(
      [&](arrival& a, bool) { return snapshots_.take_in_stack(a.state, turns.left_thread); });
  if (snapshots_.same_memory(turns.left)) return;
  snapshots_.copy_memory(turns.now);
  bool known = false;
  turns.keep_arrivals([&](const arrival& a, bool other) {
    if (other) known = take_in(turns.memories[a.state.memory], turns.left, turns.now);
    return known;
  });
}

// True if an idle turn of the running thread may have this event.
bool spin_loops::may_be_idle(unsigned index, bool undo) const {
  const unsigned self = fibers_.running();
  const event& e = graph_.thread(self).events[index];
  return removable(e) || takes_mutex(graph_, e) || lock_undone_by(graph_, self, index) != 0 ||
         (undo && (changes(graph_, e) || change_undone_by(graph_, self, index) != 0));
}

void spin_loops::note_effect() {
  const unsigned self = fibers_.running();
  model_thread& t = threads_[self];
  if (!in_turn()) return;
  if (!may_be_idle(t.position, sites_.undo())) return end_turn();
  const event& e = graph_.thread(self).events[t.position];
  if (takes_mutex(graph_, e) || (sites_.undo() && changes(graph_, e))) t.last_lock = t.position;
}

// True if the thread has made this read so many times before, and done nothing since that others
// can observe; with `undo`, also if it has changed atomic objects and changed them back. Does not
// look back for long, since a thread without end comes here with each event.
bool spin_loops::comes_round(source_location where, bool undo, unsigned times) const {
  constexpr unsigned longest = 256;
  unsigned unlikely = 16;  // turns that are not whole, before it gives up
  const unsigned self = fibers_.running();
  const model_thread& t = threads_[self];
  const graph::log& l = graph_.thread(self);
  const unsigned oldest = undo ? t.position - std::min(t.position, longest) : 0;
  bool locks = false;
  for (unsigned i = t.position; i > oldest && may_be_idle(i, undo); --i) {
    locks = locks || !removable(l.events[i]);
    if (!l.events[i].reads() || !(l.where[i] == where)) continue;
    if (!locks || sections_are_whole(graph_, self, i - 1, t.position)) {
      if (--times == 0) return true;
    } else if (undo && --unlikely == 0) {
      return false;
    }
  }
  return false;
}

// Whether to look now for turns that change something and change it back. A thread without end has
// many events, and looks at some of them. Most programs have no such loop, and pay nothing.
bool spin_loops::looks_for_undone() const noexcept {
  constexpr unsigned apart = 64, at_once = 16;
  return threads_[fibers_.running()].position % apart >= apart - at_once && sites_.may_undo() &&
         !sampler_.on();
}

bool spin_loops::only_reads_follow() {
  const unsigned self = fibers_.running();
  thread_turns& turns = here();
  if (!turns.known) {
    const graph::log& l = graph_.thread(self);
    last_events last;
    unsigned i = l.length();
    for (; i > 0 && may_be_idle(i, sites_.undo()); --i)
      if (last.write == 0 && l.events[i].writes()) last.write = i;
    last.effect = i;
    last.write = std::max(last.write, i);
    turns.known = last;
  }
  return threads_[self].position >= turns.known->effect;
}

void spin_loops::linger() {
  model_thread& t = threads_[fibers_.running()];
  const thread_turns& turns = here();
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

arrival& spin_loops::note(source_location where) {
  const engine_scope scope;
  thread_turns& turns = here();
  arrival& a = turns.add(threads_[fibers_.running()].position);
  a.where = where;
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

bool spin_loops::arrive(const event& e, source_location where, bool resumed) {
  const engine_scope scope;
  const bool known = sites_.contains(where);
  constexpr unsigned several = 8;
  const bool undone = looks_for_undone() && comes_round(where, true, several);
  if (undone) sites_.set_undone(loop_sites::undone::idle);
  if (undone || (!known && comes_round(where, sites_.undo(), 1))) {
    // Which thread comes next depends on the sites.
    if (!known) sites_.add(where);
    run_.restart();
  }
  if (!known) return false;
  thread_turns& turns = here();
  const bool repeated = std::exchange(turns.was_repeated, false);
  bool came_before = false;
  for (std::size_t i = turns.used; i-- > 0;) {
    const arrival& a = turns.arrivals[i];
    if (!(a.where == where)) continue;
    came_before = true;
    if (!same_state(a.state) || !leaves_nothing(a)) continue;
    if (adds_access(i)) break;
    leave_out(i, e, resumed, repeated);
    return true;
  }
  if (came_before) settle_overtaking();
  return false;
}

void spin_loops::give_up_symmetry() {
  symmetry_.give_up();
  run_.restart();
}

std::optional<std::string> spin_loops::difference(const source_location& where) const {
  const thread_turns& turns = here();
  for (std::size_t n = turns.used; n-- > 0;) {
    const arrival& a = turns.arrivals[n];
    if (!(a.where == where) || a.position == threads_[fibers_.running()].position) continue;
    const std::string differs = snapshots_.difference(a.state, turns.memories[a.state.memory]);
    return differs.empty() ? "a loop whose turns another thread may notice" : differs;
  }
  return {};
}

}  // namespace fencepost::verify
