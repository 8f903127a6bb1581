// Changes that a turn takes back, and that another thread may see meanwhile.
//
// An idle turn stays before the one that is left out, so that other threads may see what it
// changes. If one ever does, in any execution, turns that change this object are no longer left
// out. Otherwise none of them is ever seen: consider the first time that a thread sees what a turn
// of another has changed. No other turn was seen before, so all but this one may be removed, and
// what remains is explored.

#include <algorithm>
#include <iterator>

#include "execute/silent_sections.hpp"
#include "execute/spin_loops.hpp"

namespace fencepost::verify {

// Called when the turn that began there is left out. True if the exploration is to restart.
bool spin_loops::note_undone(const arrival& a) {
  const unsigned self = fibers_.running();
  const graph::log& l = graph_.thread(self);
  bool found = false;
  for (const unsigned i : first_changes(graph_, self, a.position, threads_[self].position)) {
    found = sites_.add_change(l.where[i]) || found;
    found =
        contention_.add_undone(l.events[i].loc[0], [&] { return exploration_.path(); }) || found;
  }
  return found;
}

// True if the event belongs to the idle turn behind which its thread is blocked.
bool spin_loops::is_in_idle_turn(event_id id) const {
  return threads_[thread_of(id)].at == model_thread::state::spinning &&
         index_of(id) > loops_[thread_of(id)].idle.begin;
}

// True if the thread is blocked and has done nothing from the event on but what may turn out to be
// an idle turn.
bool spin_loops::may_come_to_nothing(event_id id) const {
  const unsigned thread = thread_of(id);
  const model_thread& t = threads_[thread];
  unsigned i = index_of(id);
  while (i <= t.position && removable(graph_.thread(thread).events[i])) ++i;
  return t.at != model_thread::state::finished &&
         (i > t.position || is_in_idle_turn(make_id(thread, i)));
}

// True if another thread has changed this object of the event and then changed it back, as turns
// that are left out do, and the event is in between. A read-modify-write that the one which changes
// it back depends on is not counted: the turn is explored with it.
bool spin_loops::sees_change(event_id id, unsigned field) const {
  const event& e = graph_.at(id);
  const auto& mo = graph_.history(e.loc[field]).mo;
  // The last write that comes before the event or is its source, and the first one after it.
  const auto source = std::find(mo.begin(), mo.end(), e.reads() ? e.rf[field] : id);
  const auto last = e.reads() ? source + 1 : source;
  const auto next = e.writes() ? std::find(mo.begin(), mo.end(), id) + 1 : last;
  for (unsigned t = 0; t < graph_.threads(); ++t) {
    if (t == thread_of(id)) continue;
    const auto of_t = [&](event_id w) { return w != initial_write && thread_of(w) == t; };
    const auto before = std::find_if(std::make_reverse_iterator(last), mo.rend(), of_t);
    const auto after = std::find_if(next, mo.end(), of_t);
    if (before == mo.rend() || after == mo.end()) continue;
    if (!changes(graph_, graph_.at(*before)) || !sites_.changes_at(graph_.where(*before))) continue;
    if (graph_.at(*after).written != graph_.at(*before).read) continue;
    const bool depends = std::all_of(
        before.base(), after + 1, [&](event_id w) { return graph_.at(w).kind == event_kind::rmw; });
    if (!e.writes() || !depends) return true;
  }
  return false;
}

bool spin_loops::note_seen(bool stuck) {
  if (!sites_.undo()) return false;
  bool found = false;
  for (const entry& x : graph_.trail()) {
    const event& e = graph_.at(x.id);
    if (e.fields() == 0) continue;
    if (stuck ? is_in_idle_turn(x.id) : may_come_to_nothing(x.id)) continue;
    for (unsigned k = 0; k < e.fields(); ++k) {
      if (!sees_change(x.id, k)) continue;
      found = contention_.add_seen(e.loc[k], [&] { return exploration_.path(); }) || found;
    }
  }
  return found;
}

// True if the thread may wait for a value of this object.
bool spin_loops::may_await(unsigned thread, location l) const {
  const model_thread& t = threads_[thread];
  if (t.at == model_thread::state::finished) return false;
  if (t.at == model_thread::state::frontier) return t.wants->touches(l);
  const bool spins = t.at == model_thread::state::spinning;
  for (unsigned i = spins ? loops_[thread].idle.begin + 1 : t.position; i <= t.position; ++i)
    if (graph_.thread(thread).events[i].touches(l)) return true;
  return false;
}

bool spin_loops::note_awaited() {
  if (!sites_.undo()) return false;
  for (const entry& x : graph_.trail()) {
    const event& e = graph_.at(x.id);
    if (!is_in_idle_turn(x.id) || !changes(graph_, e)) continue;
    for (unsigned t = 0; t < threads_.created(); ++t) {
      if (t == thread_of(x.id) || !may_await(t, e.loc[0])) continue;
      sites_.set_undone(loop_sites::undone::awaited);
      return true;
    }
  }
  return false;
}

}  // namespace fencepost::verify
