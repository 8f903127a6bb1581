#include "virtual_time.hpp"

#include <poll.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <chrono>
#include <ctime>

// The parameters of the system's own declarations have reserved names.
// NOLINTBEGIN(readability-inconsistent-declaration-parameter-name)
extern "C" {

int clock_gettime(clockid_t clock, timespec* now) noexcept {
  const fencepost::virtual_time* const time = fencepost::virtual_time::current();
  if (time == nullptr || clock != CLOCK_MONOTONIC) {
    return static_cast<int>(::syscall(SYS_clock_gettime, clock, now));
  }
  const auto seconds = std::chrono::floor<std::chrono::seconds>(time->now());
  now->tv_sec = seconds.count();
  now->tv_nsec = (time->now() - seconds).count();
  return 0;
}

int poll(pollfd* descriptors, nfds_t count, int milliseconds) {
  const fencepost::virtual_time* const time = fencepost::virtual_time::current();
  const timespec whole{milliseconds / 1000, milliseconds % 1000 * 1'000'000L}, none{};
  if (time == nullptr)
    return ::ppoll(descriptors, count, milliseconds < 0 ? nullptr : &whole, nullptr);
  const int ready = ::ppoll(descriptors, count, &none, nullptr);
  if (ready != 0 || milliseconds == 0) return ready;
  time->wait(milliseconds);
  return ::ppoll(descriptors, count, &none, nullptr);
}

int sched_yield() noexcept {
  const fencepost::virtual_time* const time = fencepost::virtual_time::current();
  if (time != nullptr) time->yield();
  return static_cast<int>(::syscall(SYS_sched_yield));
}

}  // extern "C"
// NOLINTEND(readability-inconsistent-declaration-parameter-name)
