#include "execute/event_performer.hpp"

namespace fencepost::verify {

using state = model_thread::state;

const event& event_performer::perform(const event& e, source_location where) {
  const unsigned self = fibers_.running();
  model_thread& t = threads_[self];
  loops_.program_has_run();
  limits_.count_event(t);
  t.where = where;
  limits_.check_stack();
  if (ending_.is_due()) [[unlikely]]
    ending_.report_if_due();
  if (comparison_.on()) [[unlikely]]
    comparison_.note({.what = tape::act::event, .asked = e, .where = where});
  if (loops_.repeats()) [[unlikely]]
    if (const event* const done = repeat(e, where)) return *done;
  const graph::log& l = graph_.thread(self);
  const bool may_come_round =
      (e.kind == event_kind::load && e.looks == look_for::nothing) || e.kind == event_kind::rmw;
  // No execution is lost if such events of a turn follow each other directly.
  const bool removable_kind =
      !e.awaits && (may_come_round || e.kind == event_kind::fence || e.kind == event_kind::choose);
  if (t.position == l.length()) {
    wait_for_turn(e, may_come_round, removable_kind, where);
    if (loops_.repeats()) [[unlikely]]
      if (const event* const done = repeat(e, where)) return *done;
  }
  if (t.position < l.length())
    follow(e, may_come_round, where);
  else
    extend(e, may_come_round, where);
  ++t.position;
  const event& done = graph_.thread(self).events[t.position];
  if (!removable(done)) {
    loops_.settle_overtaking();
    loops_.note_effect();
  }
  if (options_.typed_memory) objects_.check_typed(here(), done, where);
  // An event that waits for its second field has not happened yet.
  if (trace_.on() && !done.torn) {
    const event_id id = make_id(self, t.position);
    trace_.record(id, orders_);
    if (event_id other = 0; races(id, other) && threads_.replayed(other))
      ending_.report(violation::data_race, consistency::race, where);
  }
  if (done.reads() && (done.torn || done.waits_on())) {
    t.at = state::blocked;
    for (;;) fibers_.yield();
  }
  return done;
}

// Returns null if the thread is to add the event.
const event* event_performer::repeat(const event& e, source_location where) {
  return loops_.repeat(e, where, [&](const tape::entry& then) {
    const tape::entry now{.asked = e, .where = where};
    comparison_.turns_away(then, &now);
  });
}

// Returns when the thread is to add the event, to follow it in a run that continues from a resume
// point, or to repeat a turn that begins with it.
void event_performer::wait_for_turn(const event& e, bool may_come_round, bool removable_kind,
                                    source_location where) {
  const unsigned self = fibers_.running();
  model_thread& t = threads_[self];
  // Which turns of its loop a thread forgets depends on where it yields; in a run from the
  // beginning, that depends on which other threads follow the graph. So a resumed run is made again
  // from the beginning.
  if (resuming_.resumed() && t.following && loops_.would_forget()) [[unlikely]]
    ending_.leave();
  bool direct = false;
  if (may_come_round && !ending_.is_showing()) {
    leave_unless_cleared(where);
    direct = loops_.arrive(e, where, resuming_.resumed() && !ending_.is_due());
  }
  if (!direct && !ending_.is_showing())
    direct = sampler_.on() ? removable_kind && loops_.in_turn() : scheduler_.keeps_turn(self, e);
  if (!removable_kind) loops_.settle_overtaking();
  if (direct) return;
  loops_.settle_overtaking();
  t.wants = &e;
  t.at = state::frontier;
  loops_.yield_in_turn();
  t.at = state::running;
}

// Where a turn of a loop may begin, the frames are compared. If they were not cleared, an earlier
// run may have left bytes in them, and in the resume points too, so the run is made again.
void event_performer::leave_unless_cleared(source_location where) {
  if (fibers_.are_frames_cleared() || !sites_.contains(where)) return;
  fibers_.clear_frames_from_now_on();
  resuming_.forget_points();
  ending_.leave();
}

void event_performer::follow(const event& e, bool may_come_round, source_location where) {
  const bool last = may_come_round && sites_.contains(where) && loops_.only_reads_follow();
  if (last) loops_.linger();
  follower_.follow(e, where);
  if (last) loops_.note_arrival(where);
}

void event_performer::extend(const event& e, bool may_come_round, source_location where) {
  const unsigned self = fibers_.running();
  if (threads_[self].following) {
    threads_.stop_following(self);
    scheduler_.set_owner(self, e);
  }
  if (may_come_round && sites_.contains(where)) loops_.note_new_arrival(where);
  symmetric_threads_.compare(e, where);
  const std::size_t trail_index = graph_.trail().size();
  const bool chooses = add(e, where);
  const bool first_read = e.reads() && exploration_.choices() == 0 && !resuming_.has_points();
  if ((chooses || first_read) && resuming_.keeps_points() && !loops_.tries_older())
    yield_for_resume_point(e, trail_index, where);
}

// Returns true if the event leaves alternatives to explore.
bool event_performer::add(const event& e, source_location where) {
  const engine_scope scope(fibers_.in_body());
  const std::size_t choices = exploration_.choices();
  limits_.check_length();
  for (unsigned k = 0; k < e.fields(); ++k) objects_.check_alive(here(), e.loc[k], where);
  const event_id id = graph_.append(fibers_.running(), e, where);
  if (sampler_.on()) [[unlikely]]
    sampler_.add(id);
  else
    exploration_.add(id, loops_.to_try(e, where));
  const event& done = graph_.at(id);
  if (done.writes()) scheduler_.reschedule();  // a thread may have waited for it
  if (sites_.lock() && done.reads()) loops_.note_watched(done);
  if (event_id other = 0; races(id, other))
    ending_.report(violation::data_race, consistency::race, where);
  return exploration_.choices() != choices;
}

// True if the event races with `other`, and that is a violation.
bool event_performer::races(event_id id, event_id& other) const {
  return !options_.races_are_outcomes && graph_.at(id).fields() != 0 &&
         consistency_.races(id, other);
}

// Yields so that a resume point is kept. A run that differs from this one by the choice continues
// here, along the graph; one in which a read is revisited may continue from the first read.
void event_performer::yield_for_resume_point(const event& e, std::size_t trail_index,
                                             source_location where) {
  resuming_.want_point_at(trail_index);
  fibers_.yield();
  if (!threads_[fibers_.running()].following) return;
  loops_.go_on();
  follower_.follow(e, where);
}

}  // namespace fencepost::verify
