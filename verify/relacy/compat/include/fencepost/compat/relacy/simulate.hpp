// rl::test_suite, rl::test_params, rl::simulate.
#pragma once

#include <cxxabi.h>

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <string>
#include <typeinfo>

#include "fencepost/compat/relacy/base.hpp"
#include "fencepost/compat/relacy/kernel_objects.hpp"
#include "fencepost/verify/check.hpp"
#include "fencepost/verify/report.hpp"

namespace rl {

using string = std::string;
using ostringstream = std::ostringstream;
using istringstream = std::istringstream;

enum scheduler_type_e {
  sched_random,
  sched_bound,
  sched_full,
  sched_count,
  random_scheduler_type = sched_random,
  fair_context_bound_scheduler_type = sched_bound,
  fair_full_search_scheduler_type = sched_full,
  scheduler_type_count
};

inline const char* format(scheduler_type_e type) noexcept {
  switch (type) {
    case sched_random: return "random scheduler";
    case sched_bound: return "context bound scheduler";
    case sched_full: return "full search scheduler";
    default: return "?";
  }
}

// The parameters of a run. Every execution is explored, so the number of iterations, the scheduler,
// its bound and its initial state make no difference.
struct test_params {
  iteration_t iteration_count = 1000;                    // ignored
  std::ostream* output_stream = &std::cout;              // the verdict
  std::ostream* progress_stream = &std::cout;            // reports of progress
  unsigned progress_output_period = 3;                   // seconds
  bool collect_history = false;                          // either one: a counterexample is also
  bool output_history = false;                           // shown if a violation was expected
  scheduler_type_e search_type = random_scheduler_type;  // ignored
  unsigned context_bound = 1;                            // ignored
  unsigned execution_depth_limit = 2000;                 // events of one thread; beyond: livelock
  string initial_state;                                  // ignored

  test_result_e test_result = test_result_success;
  iteration_t stop_iteration = 0;  // how many executions were explored, blocked runs included
  string test_name;
  string final_state;  // stays empty

  // Not Relacy's: all other options of the checker (time, memory model, spurious failures, reuse of
  // addresses, …), and its result.
  fencepost::verify::options checker{};
  fencepost::verify::result checked{};
};

template <class Derived, thread_id_t Threads, test_result_e Result = test_result_success>
struct test_suite {
  static constexpr thread_id_t dynamic_thread_count = 0;

  struct params {
    static constexpr thread_id_t static_thread_count = Threads;
    static constexpr thread_id_t dynamic_thread_count = Derived::dynamic_thread_count;
    static constexpr thread_id_t thread_count = static_thread_count + dynamic_thread_count;
    static constexpr test_result_e expected_result = Result;
  };

  test_suite() = default;
  test_suite(const test_suite&) = delete;
  test_suite& operator=(const test_suite&) = delete;

  void before() {}
  void after() {}
  void invariant() {}  // checked after before() and before after() only
};

namespace detail {

template <class Test>
void run_suite() {
  session& s = *current_session;
  s.objects = 0;
  s.in_invariant = false;
  std::fill(std::begin(s.errors), std::end(s.errors), 0);
  s.kernel = here().declare(nullptr, sizeof(int), 0, debug_info::current());
  s.waiting = nullptr;
  s.threads = nullptr;
  {
    const std::unique_ptr<Test> test(new Test);
    const auto invariant = [&] {
      s.in_invariant = true;
      test->invariant();
      s.in_invariant = false;
    };
    test->before();
    invariant();
    fencepost::verify::run_threads(static_cast<unsigned>(Test::params::static_thread_count),
                                   [&](unsigned index) { test->thread(index); });
    kernel_thread::end_all();
    invariant();
    test->after();
  }
  if (s.objects != 0)
    fail(test_result_resource_leak, violation::leak,
         "a mutex, condition variable or other such object is not destroyed at the end", {});
}

inline string name_of(const std::type_info& type) {
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> plain(
      abi::__cxa_demangle(type.name(), nullptr, nullptr, &status), &std::free);
  string name = status == 0 && plain != nullptr ? plain.get() : type.name();
  const string unnamed = "(anonymous namespace)::";
  for (auto at = name.find(unnamed); at != string::npos; at = name.find(unnamed))
    name.erase(at, unnamed.size());
  return name;
}

// Translates the checker's result to Relacy's.
inline test_result_e in_words_of_relacy(const fencepost::verify::result& r, const session& s,
                                        test_result_e expected) {
  using fencepost::verify::verdict;
  if (r.outcome == verdict::incomplete) return test_result_incomplete;
  if (r.outcome == verdict::verified)
    return r.executions == 0 ? test_result_inconsistent_test_suite : test_result_success;
  if (!r.violation) return test_result_other_violation;
  if (s.failure != test_result_success && r.violation->message == s.message) return s.failure;
  switch (r.violation->kind) {
    case violation::assertion: return test_result_user_assert_failed;
    case violation::data_race: return test_result_data_race;
    case violation::use_after_free: return test_result_access_to_freed_memory;
    case violation::double_free:
    case violation::invalid_free: return test_result_double_free;
    case violation::leak: return test_result_memory_leak;
    case violation::no_progress: return test_result_livelock;
    // The checker does not distinguish a thread that waits in a loop from one that is blocked.
    case violation::liveness:
      return expected == test_result_livelock ? test_result_livelock : test_result_deadlock;
    case violation::nondeterminism: return test_result_inconsistent_test_suite;
    default: return test_result_other_violation;
  }
}

inline bool simulate(test_params& p, const string& name, test_result_e expected, void (*body)()) {
  namespace verify = fencepost::verify;
  session s;
  s.message.reserve(1000);
  p.test_name = name;
  verify::options o = p.checker;
  o.max_events = std::min<std::size_t>(p.execution_depth_limit, 65'533);
  double shown = 0;
  if (p.progress_stream != nullptr && !o.on_progress) {
    o.estimate = true;
    o.on_progress = [&](const verify::progress& now) {
      if (now.seconds < shown + p.progress_output_period) return;
      shown = now.seconds;
      *p.progress_stream << verify::grouped(now.executions)
                         << (now.whole ? " of " + in_words(*now.whole) : " executions") << ", "
                         << verify::duration(now.seconds) << std::endl;
    };
  }
  session* const outer = std::exchange(current_session, &s);
  p.checked = verify::check(o, body);
  current_session = outer;
  p.test_result = in_words_of_relacy(p.checked, s, expected);
  p.stop_iteration = p.checked.executions + p.checked.blocked;
  const bool as_expected = p.test_result == expected;
  if (p.output_stream == nullptr) return as_expected;
  std::ostream& out = *p.output_stream;
  out << name << ": " << test_result_str(p.test_result);
  if (!as_expected) out << ", expected: " << test_result_str(expected);
  out << "\n";
  if (!as_expected || expected == test_result_success || p.collect_history || p.output_history)
    out << verify::to_text(p.checked);
  else
    out << "  found in execution " << verify::grouped(p.stop_iteration + 1) << ", "
        << verify::duration(p.checked.seconds) << "\n";
  out << std::endl;
  return as_expected;
}

template <void (*Function)(), std::size_t DynamicThreads>
struct function_suite : test_suite<function_suite<Function, DynamicThreads>, 1> {
  static constexpr thread_id_t dynamic_thread_count = DynamicThreads;
  void thread(unsigned) { Function(); }
};

}  // namespace detail

// Explores every execution of the test. Returns true if the result is what the test expects.
template <class Test>
bool simulate(test_params& p) {
  return detail::simulate(p, detail::name_of(typeid(Test)), Test::params::expected_result,
                          &detail::run_suite<Test>);
}
template <class Test>
bool simulate() {
  test_params p;
  return simulate<Test>(p);
}
using simulate_f = bool (*)(test_params&);

// The same for a function that starts its threads itself.
template <void (*Function)(), std::size_t DynamicThreads>
bool execute(test_params& p) {
  return simulate<detail::function_suite<Function, DynamicThreads>>(p);
}
template <void (*Function)(), std::size_t DynamicThreads>
bool execute() {
  test_params p;
  return execute<Function, DynamicThreads>(p);
}

}  // namespace rl
