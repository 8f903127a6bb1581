// Calls that would end the test program in the middle of a body, or leave the one system thread on
// which all model threads run. The functions here replace the C library's: in a body each is a
// violation, anywhere else it calls the C library's.
//
// The definitions are weak, so that a statically linked program uses the C library's instead of
// failing to link.

#include <dlfcn.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdlib>
#include <ctime>

#include "execute/address_sanitizer.hpp"
#include "execute/signals.hpp"
#include "execute/supervisor.hpp"

// The sanitizers replace some of these themselves.
#if !defined(FENCEPOST_ASAN) && !defined(__SANITIZE_THREAD__)

namespace {

using fencepost::verify::supervising;
using fencepost::verify::supervisor;

// Does not return inside a body.
void refuse_in_body(const char* what) {
  supervisor* const here = supervising();
  if (here == nullptr || !supervisor::in_body() || !here->is_own_process()) return;
  if (!here->is_on_its_stack()) here->left();
  here->break_contract(what);
}

template <class Function>
Function c_library(const char* name) {
  void* const found = dlsym(RTLD_NEXT, name);
  if (found == nullptr) std::abort();
  return reinterpret_cast<Function>(found);
}

constexpr const char* ends =
    "the body ends the program (exit, _exit or quick_exit): no other execution would be explored, "
    "and the test would seem to have passed";
constexpr const char* sleeps =
    "the body sleeps: time does not pass in a body, and all its threads share one system thread. A "
    "thread that waits for another one reads an atomic in a loop, with spin_pause() in it, or "
    "calls "
    "a function of the policy that waits";

}  // namespace

// The C library names its parameters with reserved names.
// NOLINTBEGIN(readability-inconsistent-declaration-parameter-name)
extern "C" {

[[gnu::weak, gnu::noreturn]] void exit(int status) noexcept {
  refuse_in_body(ends);
  c_library<void (*)(int)>("exit")(status);
  std::abort();
}

[[gnu::weak, gnu::noreturn]] void quick_exit(int status) noexcept {
  refuse_in_body(ends);
  c_library<void (*)(int)>("quick_exit")(status);
  std::abort();
}

// NOLINTNEXTLINE(bugprone-reserved-identifier)
[[gnu::weak, gnu::noreturn]] void _exit(int status) {
  refuse_in_body(ends);
  for (;;) syscall(SYS_exit_group, status);
}

// NOLINTNEXTLINE(bugprone-reserved-identifier)
[[gnu::weak, gnu::noreturn]] void _Exit(int status) noexcept { _exit(status); }

[[gnu::weak, gnu::noreturn]] void pthread_exit(void* value) {
  refuse_in_body(
      "the body ends its system thread (pthread_exit), on which all model threads run: a thread "
      "ends when its function returns");
  c_library<void (*)(void*)>("pthread_exit")(value);
  std::abort();
}

[[gnu::weak]] int pthread_create(pthread_t* thread, const pthread_attr_t* attributes,
                                 void* (*function)(void*), void* argument) noexcept {
  refuse_in_body(
      "the body starts a system thread (std::thread, std::async, pthread_create), which the "
      "checker "
      "does not see: use P::thread");
  static const auto create =
      c_library<int (*)(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*)>(
          "pthread_create");
  return create(thread, attributes, function, argument);
}

[[gnu::weak]] int nanosleep(const timespec* time, timespec* left) {
  refuse_in_body(sleeps);
  static const auto sleep_for = c_library<int (*)(const timespec*, timespec*)>("nanosleep");
  return sleep_for(time, left);
}

[[gnu::weak]] int clock_nanosleep(clockid_t clock, int flags, const timespec* time,
                                  timespec* left) {
  refuse_in_body(sleeps);
  static const auto sleep_until =
      c_library<int (*)(clockid_t, int, const timespec*, timespec*)>("clock_nanosleep");
  return sleep_until(clock, flags, time, left);
}

}  // extern "C"
// NOLINTEND(readability-inconsistent-declaration-parameter-name)

#endif
