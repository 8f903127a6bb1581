// Waiting on atomics, latches and barriers, for the headers that replace libstdc++'s (std), and
// futexes, the system calls that wait.

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdarg>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>

#include "c_library.hpp"
#include "fencepost/verify/wait_queue.hpp"
#include "passing_time.hpp"
#include "session.hpp"

namespace fencepost::programs {
namespace {

using verify::engine;
using verify::order;
using verify::wait_for;
using verify::detail::sleeper;
using verify::detail::waited;

// Returns the value of the bytes at `p`, with which an atomic object of this size is compared. More
// than eight bytes are represented by the engine's number for them.
verify::value awaited_value(session& s, const void* p, std::size_t size,
                            const source_location& where) {
  verify::wide_value bytes{};
  if (size > sizeof bytes)
    s.reach_limit("waiting for atomics of " + std::to_string(size) + " bytes is not modelled",
                  where);
  std::memcpy(bytes.data(), p, size);
  if (size > sizeof(verify::value)) return engine::current()->number_of(bytes);
  verify::value v = 0;
  std::memcpy(&v, p, size);
  return v;
}

// The arguments of a futex call. Each operation uses some of them.
struct futex_call {
  void* word;
  int operation;
  std::uint32_t number;  // the value, or how many are woken
  const timespec* timeout;
  std::uint32_t mask;
};

long fail_with(session& s, int error) {
  s.library().error_number() = error;
  return -1;
}

// A deadline that has passed is treated like any other: the call may read the word first.
nanoseconds time_left(session& s, const futex_call& c) {
  if ((c.operation & FUTEX_CMD_MASK) == FUTEX_WAIT) return as_nanoseconds(*c.timeout);
  const bool is_of_day = (c.operation & FUTEX_CLOCK_REALTIME) != 0;
  return std::max<nanoseconds>(until(s, is_of_day ? CLOCK_REALTIME : CLOCK_MONOTONIC, *c.timeout),
                               0);
}

long futex(session& s, const futex_call& c, const source_location& where) {
  const int operation = c.operation & FUTEX_CMD_MASK;
  const bool masks = operation == FUTEX_WAIT_BITSET || operation == FUTEX_WAKE_BITSET;
  if (masks && c.mask != FUTEX_BITSET_MATCH_ANY)
    s.reach_limit("a futex with a mask is not modelled", where);
  switch (operation) {
    case FUTEX_WAIT:
    case FUTEX_WAIT_BITSET: {
      const verify::location at = s.atomic(c.word, sizeof(std::uint32_t), where);
      const bool timed = c.timeout != nullptr;
      const nanoseconds how_long = timed ? time_left(s, c) : 0;
      switch (verify::detail::wait_on(at, c.word, c.number, sleeper::futex, timed, where)) {
        case waited::woken: return 0;
        case waited::changed: return fail_with(s, EAGAIN);
        case waited::timed_out: break;
      }
      s.library().let_pass(how_long);
      return fail_with(s, ETIMEDOUT);
    }
    case FUTEX_WAKE:
    case FUTEX_WAKE_BITSET:
      s.take_up_writes();
      return verify::detail::wake(c.word, sleeper::futex, c.number, where);
    default: break;
  }
  s.reach_limit("the futex operation " + std::to_string(operation) + " is not modelled", where);
}

}  // namespace
}  // namespace fencepost::programs

using namespace fencepost::programs;

// NOLINTBEGIN(bugprone-reserved-identifier,readability-identifier-naming,readability-inconsistent-declaration-parameter-name,cert-dcl50-cpp)
extern "C" {

void __fencepost_await(const void* object, std::size_t size, const void* wanted) noexcept {
  const entered s;
  if (!s) return;
  const fencepost::source_location where = s->place(FENCEPOST_CALL_SITE);
  const auto at = s->atomic(object, size, where);
  const fencepost::verify::value v = awaited_value(*s, wanted, size, where);
  engine& e = *engine::current();
  e.begin_operation("wait", object, where);
  e.await(at, v, order::acquire, wait_for::wake_up, where);
}

void __fencepost_misuse(const char* what) noexcept {
  const entered s;
  if (s) engine::current()->fail(fencepost::violation::misuse, what, s->place(FENCEPOST_CALL_SITE));
  std::abort();
}

void __fencepost_wait_while(const void* object, std::size_t size, const void* expected) noexcept {
  const entered s;
  if (!s) return;
  const fencepost::source_location where = s->place(FENCEPOST_CALL_SITE);
  const auto at = s->atomic(object, size, where);
  const fencepost::verify::value v = awaited_value(*s, expected, size, where);
  wait_on(at, object, v, sleeper::atomic, false, where);
}

bool __fencepost_wait_for(const void* object, std::size_t size, const void* expected,
                          long long how_long) noexcept {
  const entered s;
  if (!s) return true;
  const fencepost::source_location where = s->place(FENCEPOST_CALL_SITE);
  const auto at = s->atomic(object, size, where);
  const fencepost::verify::value v = awaited_value(*s, expected, size, where);
  if (how_long > 0 && wait_on(at, object, v, sleeper::atomic, true, where) != waited::timed_out)
    return true;
  if (how_long > 0) s->library().let_pass(how_long);
  return false;
}

void __fencepost_notify(const void* object, bool all) noexcept {
  const entered s;
  if (!s) return;
  s->take_up_writes();
  using namespace fencepost::verify::detail;
  wake(object, sleeper::atomic, all ? all_of_them : 1, s->place(FENCEPOST_CALL_SITE));
}

void __fencepost_use(const void* object, std::size_t size) noexcept {
  const entered s;
  if (!s) return;
  const fencepost::source_location where = s->place(FENCEPOST_CALL_SITE);
  const auto at = s->atomic(object, size, where);
  engine::current()->use(at, false, where);
}

// For std::promise and std::packaged_task.
void __fencepost_at_thread_end(void (*function)(void*), void* argument) noexcept {
  const entered s;
  if (!s) return;
  const fencepost::source_location where = s->place(FENCEPOST_CALL_SITE);
  s->note_change(where);
  s->exits().to_add_here().behind.push_back({function, argument, where});
}

long syscall(long number, ...) noexcept {
  std::va_list list;
  va_start(list, number);
  long a[6];
  for (long& argument : a) argument = va_arg(list, long);
  va_end(list);
  if (number == SYS_getpid) return getpid();
  if (number == SYS_gettid) return gettid();
  const entered s;
  if (!s) return FENCEPOST_BEHIND(syscall)(number, a[0], a[1], a[2], a[3], a[4], a[5]);
  const fencepost::source_location where = s->place(FENCEPOST_CALL_SITE);
  if (number == SYS_sched_yield) return 0;
  if (number != SYS_futex)
    s->reach_limit("the system call " + std::to_string(number) + " is not modelled", where);
  return futex(
      *s,
      {reinterpret_cast<void*>(a[0]), static_cast<int>(a[1]), static_cast<std::uint32_t>(a[2]),
       reinterpret_cast<const timespec*>(a[3]), static_cast<std::uint32_t>(a[5])},
      where);
}

// Each thread of the program has its own errno.
int* __errno_location() noexcept {
  const entered s;
  if (!s || !s->program().contains(__builtin_return_address(0)))
    return FENCEPOST_BEHIND(__errno_location)();
  return &s->library().error_number();
}

}  // extern "C"
// NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming,readability-inconsistent-declaration-parameter-name,cert-dcl50-cpp)
