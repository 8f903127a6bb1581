#include "execute/progress_watch.hpp"

#include <sys/resource.h>

#include <ctime>
#include <utility>

namespace fencepost::verify {

bool progress_watch::computes_alone(bool in_body) noexcept {
  if (beats_ != beats_at_tick_) {
    beats_at_tick_ = beats_;
    idle_ticks_ = 0;
    return false;
  }
  if (++idle_ticks_ < 2 || !in_body) return false;
  idle_ticks_ = 0;
  return true;
}

// A thread that waits in the kernel has used hardly any processor time, and has given up the
// processor voluntarily since the last call, whose signal woke it. A thread that computes, that was
// stopped, or that a busy machine does not run has not.
bool progress_watch::waits_outside(bool in_body) noexcept {
  constexpr std::uint64_t hardly_any = 50'000'000;  // nanoseconds
  constexpr unsigned enough = 4;
  const usage now = usage::now();
  const usage then = std::exchange(usage_, now);
  const bool moved = beats_ != beats_at_look_;
  beats_at_look_ = beats_;
  const bool waits = in_body && !moved && now.processor - then.processor < hardly_any &&
                     now.given_up > then.given_up && now.slow_faults == then.slow_faults;
  blocked_looks_ = waits ? blocked_looks_ + 1 : 0;
  if (blocked_looks_ < enough) return false;
  blocked_looks_ = 0;
  return true;
}

progress_watch::usage progress_watch::usage::now() noexcept {
  timespec used{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
  rusage all{};
  getrusage(RUSAGE_THREAD, &all);
  return {static_cast<std::uint64_t>(used.tv_sec) * 1'000'000'000 +
              static_cast<std::uint64_t>(used.tv_nsec),
          all.ru_nvcsw, all.ru_majflt};
}

}  // namespace fencepost::verify
