// Runs that go on from where they differ from the last one, and what shows that they may not.

#include <utility>

#include "execute/address_sanitizer.hpp"
#include "execute/explorer.hpp"

namespace fencepost::verify {

namespace {

// Of the runs that keep resume points. Before, exploring is cheap; and some are watched.
constexpr std::uint64_t first_resumed = 16;

constexpr bool can_resume() noexcept {
#if defined(__GLIBC__) && !defined(FENCEPOST_ASAN) && !defined(__SANITIZE_THREAD__)
  return true;
#else
  return false;  // stacks that are put back are none of what a sanitizer knows
#endif
}

// Those in which foreign memory is looked at, at each choice that is new: the first, which has most
// of these, all whose number is a power of two, and one in 4096.
constexpr bool is_watched(std::uint64_t run) noexcept {
  return (run & (run - 1)) == 0 || run % 4096 == 0;
}

}  // namespace

// In a run of which more is asked, nothing is put back.
bool explorer::keeps_resume_points() const noexcept {
  return can_resume() && options_.resume_points.value_or(false) && !approaching_ &&
         from_beginning_.empty() && !ending_.is_due() && !ending_.is_showing() && !trace_.on() &&
         !tape_.on() && !sampler_.on() && !bound_.on();
}

bool explorer::go_on_from_resume_point() {
  if (resumable_ < first_resumed || !keeps_resume_points() ||
      !resume_points_.put_back(runs_ + 1, !sites_.empty()))
    return false;
  ++runs_;
  begin_to_go_on();
  return true;
}

// Which turns of its loop the thread forgets depends on where it yields: in a run from the
// beginning, on which other threads follow the graph.
void explorer::leave_to_a_run_from_the_beginning() { ending_.leave(); }

void explorer::keep_resume_point(unsigned thread) {
  const std::size_t trail_index = *std::exchange(point_at_, std::nullopt);
  look_at_foreign_memory();
  if (allocation_hook::allocates_elsewhere) give_up_resuming("the body allocates with malloc");
  if (keeps_resume_points()) resume_points_.keep(thread, trail_index, runs_);
}

// A front end that asks keeps something of its own that does not outlive a run.
std::uint64_t explorer::run_number() {
  if (from_beginning_.empty()) {
    const engine_scope scope;
    give_up_resuming("the front end asks for the number of the run");
  }
  return runs_;
}

// Runs that went on from a resume point may have gone wrong.
void explorer::look_at_foreign_memory() {
  if (!foreign_.has_changed()) return;
  foreign_.forget();
  if (resume_points_.ever_put_back()) ending_.restart_later(run_ending::restart_for::mistake);
  give_up_resuming(
      "the body changes memory that outlives it: a static variable, or one of the caller of "
      "check()");
}

void explorer::watch_foreign_memory() {
  foreign_.forget();
  if (!keeps_resume_points() || !is_watched(++resumable_)) return;
  if (!allocation_hook::sees_malloc()) {
    give_up_resuming("another malloc is in the place of the C library's");
  } else if (!foreign_.remember(caller_, {reinterpret_cast<const char*>(this), sizeof *this})) {
    give_up_resuming("the program's static variables, or its stack, cannot be looked at");
  }
}

void explorer::give_up_resuming(const char* why) {
  from_beginning_ = why;
  resume_points_.clear();
}

// The run, which went on from a resume point and ended so, from its beginning, along the graph that
// was there when it began.
run_end explorer::run_from_beginning(run_end then, bool record, const extent& before) {
  const std::string outcome = outcomes_.text();
  const violation wrong = ending_.found().kind;
  tape_.record();
  const run_end now = add_again(before);
  if (!record) tape_.stop();
  const bool same = now == then && (now != run_end::violation || ending_.found().kind == wrong) &&
                    (now != run_end::complete || outcomes_.text() == outcome);
  if (same || restarted_) return now;
  give_up_resuming("an execution went otherwise from its beginning than from a resume point");
  ending_.restart_later(run_ending::restart_for::mistake);
  restart_exploration();
  return run_end::again;
}

// What the run has added.
run_end explorer::add_again(const extent& before) {
  graph_.cut(before.trail);
  exploration_.discard_choices(before.choices);
  return run_or_learn();
}

}  // namespace fencepost::verify
