// The basis of the other headers of fencepost/compat/relacy.hpp: locations, results, failures.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "fencepost/scenario/scenario.hpp"
#include "fencepost/source_location.hpp"
#include "fencepost/verify/checked_atomics.hpp"
#include "fencepost/verify/engine.hpp"

// clang warns about the name of the macro wherever it is used.
#if defined(__clang__)
#pragma clang diagnostic ignored "-Wdollar-in-identifier-extension"
#endif

namespace rl {

using thread_id_t = int;
using iteration_t = std::uint64_t;

// Where something happened. Every operation takes one; `$` is the source location at which it is
// written, which is also the default of most operations.
using debug_info = fencepost::source_location;
using debug_info_param = const debug_info&;

// The result of a test. The last two are not Relacy's.
enum test_result_e {
  test_result_success,
  test_result_until_condition_hit,
  test_result_inconsistent_test_suite,
  test_result_user_assert_failed,
  test_result_user_invariant_failed,
  test_result_data_race,
  test_result_access_to_freed_memory,
  test_result_double_free,
  test_result_memory_leak,
  test_result_resource_leak,
  test_result_unitialized_access,
  test_result_deadlock,
  test_result_livelock,
  test_result_recursion_on_nonrecursive_mutex,
  test_result_unlocking_mutex_wo_ownership,
  test_result_destroying_owned_mutex,
  test_result_double_initialization_of_mutex,
  test_result_usage_of_non_initialized_mutex,
  test_result_mutex_write_to_read_upgrade,
  test_result_mutex_read_to_write_upgrade,
  test_result_double_initialization_of_condvar,
  test_result_usage_of_non_initialized_condvar,
  test_result_double_initialization_of_semaphore,
  test_result_usage_of_non_initialized_semaphore,
  test_result_double_initialization_of_event,
  test_result_usage_of_non_initialized_event,
  test_result_thread_signal,
  test_result_incomplete,       // a limit was reached first: the rest was not explored
  test_result_other_violation,  // one that Relacy has no name for; the counterexample says which
};

inline const char* test_result_str(test_result_e r) noexcept {
  switch (r) {
    case test_result_success: return "success";
    case test_result_until_condition_hit: return "until condition hit";
    case test_result_inconsistent_test_suite: return "inconsistent test suite";
    case test_result_user_assert_failed: return "assertion failed";
    case test_result_user_invariant_failed: return "invariant failed";
    case test_result_data_race: return "data race";
    case test_result_access_to_freed_memory: return "access to freed memory";
    case test_result_double_free: return "double free";
    case test_result_memory_leak: return "memory leak";
    case test_result_resource_leak: return "resource leak";
    case test_result_unitialized_access: return "access to an uninitialized variable";
    case test_result_deadlock: return "deadlock";
    case test_result_livelock: return "livelock";
    case test_result_recursion_on_nonrecursive_mutex: return "recursion on a non-recursive mutex";
    case test_result_unlocking_mutex_wo_ownership: return "unlock of a mutex that is not held";
    case test_result_destroying_owned_mutex: return "destruction of a mutex that is held";
    case test_result_double_initialization_of_mutex: return "double initialization of a mutex";
    case test_result_usage_of_non_initialized_mutex: return "use of a mutex before initialization";
    case test_result_mutex_write_to_read_upgrade: return "shared lock of a mutex held exclusively";
    case test_result_mutex_read_to_write_upgrade: return "exclusive lock of a mutex held shared";
    case test_result_double_initialization_of_condvar:
      return "double initialization of a condition variable";
    case test_result_usage_of_non_initialized_condvar:
      return "use of a condition variable before initialization";
    case test_result_double_initialization_of_semaphore:
      return "double initialization of a semaphore";
    case test_result_usage_of_non_initialized_semaphore:
      return "use of a semaphore before initialization";
    case test_result_double_initialization_of_event: return "double initialization of an event";
    case test_result_usage_of_non_initialized_event: return "use of an event before initialization";
    case test_result_thread_signal: return "thread signal";
    case test_result_incomplete: return "incomplete";
    case test_result_other_violation: return "other violation";
  }
  return "?";
}

namespace detail {

using fencepost::checked_atomics;
using fencepost::violation;
using fencepost::verify::detail::here;

inline constexpr unsigned max_threads = 64;  // the checker's, too: each has data of its own here

class kernel_waiter;
class kernel_thread;

// What simulate() stores about the running check, in addition to the checker's state. It outlives
// the executions: nothing that a test does may depend on what another execution left here.
struct session {
  test_result_e failure = test_result_success;  // as Relacy's result
  std::string message;                          // the one that the checker got with it
  bool in_invariant = false;
  int objects = 0;  // mutexes, condition variables and such that are alive in this execution
  int errors[max_threads] = {};                                         // errno of each thread
  fencepost::verify::location kernel = fencepost::verify::no_location;  // see kernel.hpp
  kernel_waiter* waiting = nullptr;
  kernel_thread* threads = nullptr;
};

inline thread_local session* current_session = nullptr;

// Ends the execution. `kind` tells the checker what is wrong, `result` is Relacy's name for it.
[[noreturn]] inline void fail(test_result_e result, violation kind, std::string_view message,
                              debug_info_param where) {
  if (current_session != nullptr) {
    current_session->failure = result;
    // The text must not be on this thread's stack, which is abandoned; simulate() reserved room.
    current_session->message.assign(message.substr(0, current_session->message.capacity()));
  }
  here().fail(kind, message, where);
  std::abort();  // not reached; g++ 12 ignores that a virtual function does not return
}

inline void assert_that(bool condition, const char* text, debug_info_param where) {
  if (condition) return;
  const bool invariant = current_session != nullptr && current_session->in_invariant;
  fail(invariant ? test_result_user_invariant_failed : test_result_user_assert_failed,
       violation::assertion, text, where);
}

inline void until(bool condition, const char* text, debug_info_param where) {
  if (condition) fail(test_result_until_condition_hit, violation::assertion, text, where);
}

// A member of each object that must be destroyed before the test ends.
class counted_object {
 public:
  counted_object() noexcept { count(1); }
  ~counted_object() { count(-1); }
  counted_object(const counted_object&) = delete;
  counted_object& operator=(const counted_object&) = delete;

 private:
  static void count(int n) noexcept {
    if (current_session != nullptr) current_session->objects += n;
  }
};

}  // namespace detail
}  // namespace rl

#define $ ::rl::debug_info::current()
#define RL_INFO ::rl::debug_info::current()

#define RL_ASSERT(condition) \
  ::rl::detail::assert_that(static_cast<bool>(condition), "assertion: " #condition, $)
#define RL_UNTIL(condition) \
  ::rl::detail::until(static_cast<bool>(condition), "reached: " #condition, $)
#define RL_VERIFY(condition) RL_ASSERT(condition)
#define RL_LOG(text) static_cast<void>(text)
// NOLINTBEGIN(bugprone-macro-parentheses)
#define RL_NOCOPY(type)       \
 private:                     \
  type(const type&) = delete; \
  type& operator=(const type&) = delete
// NOLINTEND(bugprone-macro-parentheses)
#define RL_STDCALL
#define RL_INLINE inline
