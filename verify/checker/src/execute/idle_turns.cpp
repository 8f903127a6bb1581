// What becomes of an idle turn of a loop: it is taken back, or stays at the end of its thread.

#include <algorithm>
#include <utility>

#include "execute/silent_sections.hpp"
#include "execute/spin_loops.hpp"

namespace fencepost::verify {

using state = model_thread::state;

bool spin_loops::is_youngest(const arrival& a) const {
  return a.trail != arrival::not_youngest &&
         std::all_of(graph_.trail().begin() + static_cast<std::ptrdiff_t>(a.trail),
                     graph_.trail().end(),
                     [&](const entry& x) { return thread_of(x.id) == fibers_.running(); });
}

// True if an event of another thread happens after some event of the turn that began after `begin`,
// and before the turn's end.
bool spin_loops::others_came_between(unsigned begin) const {
  const unsigned self = fibers_.running();
  const clock& known = graph_.thread(self).view[threads_[self].position].hb;
  for (unsigned t = 0; t < graph_.threads(); ++t) {
    const unsigned last = t == self ? 0 : known[t];
    if (last != 0 && graph_.thread(t).view[last].hb[self] > begin) return true;
  }
  return false;
}

// Called when the thread's state is the same again. True if no other thread may have observed
// anything of the turn that began there. The turn may have taken mutexes, if no other thread tests
// whether they are held, and none has taken one of them in the middle of the turn and observed what
// was written there. If it has changed atomic objects, a turn that does the same stays.
bool spin_loops::leaves_nothing(const arrival& a) const {
  const unsigned self = fibers_.running();
  const graph::log& l = graph_.thread(self);
  const unsigned end = threads_[self].position;
  bool locks = false, changed = false;
  for (unsigned i = a.position + 1; i <= end; ++i) {
    const event& e = l.events[i];
    const bool change = changes(graph_, e);
    if ((change || takes_mutex(graph_, e)) && contention_.at(e.loc[0])) return false;
    locks = locks || !removable(e);
    changed = changed || change;
  }
  return !locks ||
         (options_.judge_run == nullptr && sections_are_whole(graph_, self, a.position, end) &&
          !others_came_between(a.position) && (!changed || comes_after_another(a)));
}

// True if the turn before the one that begins there is idle as well: other threads may see what it
// changes, and take back.
bool spin_loops::comes_after_another(const arrival& a) const {
  const std::span<const arrival> begun = here().begun();
  return std::any_of(begun.begin(), begun.end(), [&](const arrival& b) {
    return b.position < a.position && b.where == a.where && same_state(b.state) &&
           sections_are_whole(graph_, fibers_.running(), b.position, a.position);
  });
}

// True if the running thread's idle turn, which began after `begin`, observes no change. A loop
// that tries again because something has changed, or because of a spurious failure, has idle turns
// too, but it does not wait.
bool spin_loops::is_wait(unsigned begin) const {
  const auto& events = graph_.thread(fibers_.running()).events;
  const unsigned end = threads_[fibers_.running()].position;
  for (unsigned i = begin + 1; i <= end; ++i) {
    const event& e = events[i];
    if (e.spurious) return false;
    if (lock_undone_by(graph_, fibers_.running(), i) != 0) continue;
    for (unsigned j = begin + 1; e.reads() && j < i; ++j)
      for (unsigned k = 0; events[j].reads() && k < e.fields(); ++k)
        if (events[j].touches(e.loc[k]) && events[j].rf[events[j].field_at(e.loc[k])] != e.rf[k])
          return false;
  }
  return true;
}

// Takes an idle turn back, drops the run, or leaves the turn at the end of its thread. Returns when
// the thread is to have another turn, or to make this one again beside the graph, unless it has.
void spin_loops::leave_out(std::size_t begin, const event& e, bool resumed, bool repeated) {
  const unsigned self = fibers_.running();
  model_thread& t = threads_[self];
  thread_turns& turns = here();
  const arrival& a = turns.arrivals[begin];
  if (is_wait(a.position) && sites_.add_wait(a.where) &&
      (!sampler_.on() || options_.preemptions || options_.on_preemptions)) {
    run_.restart();  // it decides which sources are tried first, and what is a preemption
  }
  note_left_out(a);
  if (!repeated && begin_to_repeat(a)) return;
  turns.idle.begin = a.position;
  turns.idle.all_latest = true;
  for (unsigned i = a.position + 1; i <= t.position; ++i)
    if (graph_.thread(self).events[i].reads())
      turns.idle.all_latest = turns.idle.all_latest && read_latest(self, i);
  const bool tries = turns.tried.tries(make_id(self, a.position + 1));
  const bool has_latest = turns.idle.all_latest || sampler_.on();
  if (is_youngest(a) && (tries || (!turns.in_place && has_latest))) {
    note_tried(begin);
    if (!tries) return park(begin, e);
    take_back(begin);  // the load is made again, with its next source
    turns.overtakes = false;
    return;
  }
  if (!sampler_.on() && is_settled(a.position)) {
    if (resumed && pass_on(begin)) return;
    run_.drop();
  }
  if (symmetry_.used() != 0 && !turns.in_place && !trace_.on())
    give_up_symmetry();  // which threads continue without this one depends on their order
  if (trace_.on()) trace_.add(self, step_kind::wait, "waits", a.where);
  t.at = state::spinning;
  for (;;) fibers_.yield();
}

// True if the turn that the running thread begins with this load may be nothing but the load. False
// if the thread's turns have begun with a load in another place or of another location: then this
// one may be in the middle of a turn.
bool spin_loops::may_be_whole_turn(const event& load, const source_location& where) const {
  const std::span<const arrival> begun = here().begun();
  const auto& events = graph_.thread(fibers_.running()).events;
  return std::all_of(begun.begin(), begun.end(), [&](const arrival& a) {
    return a.where == where && events[a.position + 1].loc[0] == load.loc[0];
  });
}

// Returns null unless the load, which the thread has just added to its events, tries its older
// sources before it reads the latest. The run continues with the first source whose turn is not
// taken back.
dead_ends* spin_loops::to_try(const event& e, const source_location& where) {
  if (e.kind != event_kind::load || e.fields() != 1 || !removable(e) || !sites_.waits_at(where))
    return nullptr;
  return may_be_whole_turn(e, where) ? &here().tried : nullptr;
}

// The idle turn is about to be taken back. If it is nothing but a load, it is idle whenever the
// load reads this value.
void spin_loops::note_tried(std::size_t begin) {
  const unsigned self = fibers_.running();
  thread_turns& turns = here();
  const event_id load = make_id(self, turns.arrivals[begin].position + 1);
  const bool alone = index_of(load) == threads_[self].position;
  turns.tried.note(load, graph_.at(load).read,
                   alone ? dead_ends::kind::dead : dead_ends::kind::open);
}

// True if nothing that is still to come can change the running thread's turn. This holds if the
// last read of the turn, or a choice after it, is not maximal, such as a read of an old value: it
// is not deleted, and no later write may revisit it or anything before it. Whatever else follows
// was or will be explored without this turn.
bool spin_loops::is_settled(unsigned begin) const {
  const unsigned self = fibers_.running();
  for (unsigned i = threads_[self].position; i > begin; --i) {
    const event& e = graph_.thread(self).events[i];
    if (e.kind == event_kind::choose && e.read != 0) return true;
    if (e.reads()) return e.spurious || e.displaces || read_old(self, i, e.fields() - 1);
  }
  return false;
}

// Takes the turn back, and parks the thread until something that the turn has read changes.
void spin_loops::park(std::size_t begin, const event& e) {
  const unsigned self = fibers_.running();
  model_thread& t = threads_[self];
  thread_turns& turns = here();
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

// Called when the run is to be dropped. If backtracking gives the last load of the turn another
// source, the next run differs only in what comes after that load, and the thread is already in the
// state in which it began the turn. So it follows the turn again, along the graph, which saves
// ending a run and beginning one. A run from the beginning does not pass on; tests compare the two.
bool spin_loops::pass_on(std::size_t begin) {
  const unsigned self = fibers_.running();
  const model_thread& t = threads_[self];
  const bool alone = t.following && threads_.following() == 1;
  if (passed_ >= may_pass_on_ || !alone) return false;
  if (!exploration_.take_next_source(make_id(self, t.position))) return false;
  go_back(begin);
  ++passed_;
  return true;
}

// Takes the thread back to where the turn began, and discards what the turn has added to the graph.
void spin_loops::take_back(std::size_t begin) {
  const arrival& a = here().arrivals[begin];
  graph_.cut(a.trail);
  exploration_.discard_choices(a.choices);
  go_back(begin);
}

// Takes the thread back to where the turn began. Its stack and its memory are already the same.
void spin_loops::go_back(std::size_t begin) {
  const unsigned self = fibers_.running();
  thread_turns& turns = here();
  const arrival& a = turns.arrivals[begin];
  objects_.forget_notes({self, a.position});
  tape_.spoil();
  if (trace_.on()) trace_.shrink(a.logged);
  threads_[self].position = a.position;
  threads_[self].last_lock = std::min(threads_[self].last_lock, a.position);
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
    sampler_.read_latest(true);  // the thread is to observe what is new
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

// True if something later in modification order was already there when this field of the event was
// added.
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
    // What an idle turn has changed for a moment is not the latest value.
    const bool in_between = sites_.undo() && e.rf[k] != initial_write &&
                            thread_of(e.rf[k]) != thread && is_in_idle_turn(e.rf[k]);
    if (in_between && graph_.at(e.rf[k]).written != graph_.at(mo.back()).written) return false;
  }
  return true;
}

}  // namespace fencepost::verify
