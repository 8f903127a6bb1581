#include "execute/resuming.hpp"

#include "execute/address_sanitizer.hpp"
#include "execute/front_end_state.hpp"
#include "execute/memory.hpp"

namespace fencepost::verify {

namespace {

// How many runs keep resume points before the first is resumed: until then exploring is cheap, and
// some of them are watched.
constexpr std::uint64_t first_resumed = 16;

constexpr bool can_resume() noexcept {
#if defined(__GLIBC__) && !defined(FENCEPOST_ASAN) && !defined(__SANITIZE_THREAD__)
  return true;
#else
  return false;  // sanitizers do not support stacks that are restored
#endif
}

// True of the runs in which foreign memory is compared, at each new choice: the first, which has
// most of these, all whose number is a power of two, and one in 4096.
constexpr bool is_watched(std::uint64_t run) noexcept {
  return (run & (run - 1)) == 0 || run % 4096 == 0;
}

}  // namespace

bool resuming::keeps_points() const noexcept {
  return can_resume() && asked_for_ && !paused_ && from_beginning_.empty() && !ending_.is_due() &&
         !ending_.is_judged() && !ending_.is_showing() && !trace_.on() && !tape_.on() &&
         !sampler_.on() && !bound_.on();
}

bool resuming::go_on() {
  resumed_ = keeping_ >= first_resumed && keeps_points() && points_.put_back(!sites_.empty());
  return resumed_;
}

void resuming::keep_point(unsigned thread) {
  const std::size_t trail_index = *std::exchange(point_at_, std::nullopt);
  look_at_foreign_memory();
  if (allocation_hook::allocates_elsewhere) give_up("the body allocates with malloc");
  if (keeps_points()) points_.keep(thread, trail_index);
}

// If foreign memory has changed, runs that were resumed may have been wrong.
void resuming::look_at_foreign_memory() {
  if (!foreign_.has_changed()) return;
  foreign_.forget();
  if (points_.ever_put_back()) ending_.restart_later(run_ending::restart_for::mistake);
  give_up(
      "the body changes memory that outlives it: a static variable, or one of the caller of "
      "check()");
}

void resuming::watch_foreign_memory() {
  foreign_.forget();
  if (!keeps_points() || !is_watched(++keeping_)) return;
  // A front end takes care of what is allocated elsewhere.
  if (front_end_state::current == nullptr && !allocation_hook::sees_malloc()) {
    give_up("another malloc replaces that of the C library");
  } else if (!foreign_.remember(caller_, own_)) {
    give_up("the program's static variables, or its stack, cannot be examined");
  }
}

void resuming::give_up(const char* why) {
  from_beginning_ = why;
  points_.clear();
}

}  // namespace fencepost::verify
