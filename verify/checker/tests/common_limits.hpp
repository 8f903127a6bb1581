// The limits in options hold for all explorations of an xc20 check together. For the tests of these
// limits and of the faults planted there. The limit of time is tested with a check that began some
// minutes ago.
#pragma once

#include <atomic>
#include <chrono>
#include <string>

#include "fencepost/verify/check.hpp"
#include "fencepost/verify/checked_atomics.hpp"
#include "reexecute/shared_limits.hpp"

namespace fencepost::verify::testing {

// Puts what is left of the limits into the options; returns the limit that was reached, or "".
inline std::string reached(const shared_limits& limits, options& o) {
  const char* const limit = limits.reduce(o);
  return limit == nullptr ? "" : limit;
}

inline std::string wrong_limit_of_time() {
  using std::chrono::minutes;
  const shared_limits limits(shared_limits::clock::now() - minutes(3));
  options o;
  o.timeout = minutes(3);
  if (reached(limits, o) != "timeout") return "all the time has passed, and there is some left";
  o.timeout = minutes(10);
  if (!reached(limits, o).empty()) return "no time is left of what has not passed";
  if (o.timeout > minutes(7)) return "time that has passed is left";
  if (o.timeout < minutes(1)) return "time has passed twice";
  return "";
}

inline std::string wrong_limit_of_runs() {
  shared_limits limits;
  options o;
  o.max_executions = 7;
  limits.count(2);
  limits.count(3);
  if (!reached(limits, o).empty() || o.max_executions != 2) return "there are not 2 runs left of 7";
  limits.count(2);
  o.max_executions = 7;
  if (reached(limits, o) != "max_executions") return "there are runs left after 7 of 7";
  return "";
}

// Load buffering is not explored if the exploration without it has used up a limit.
inline std::string wrong_where_a_limit_is_used_up() {
  const auto body = [] {
    checked_atomics::atomic<int> a{0}, b{0};
    run_threads(2, [&](unsigned index) {
      (index == 0 ? a : b).load(std::memory_order_relaxed);
      (index == 0 ? b : a).store(1, std::memory_order_relaxed);
    });
  };
  const result without = check({}, body);
  options o;
  o.model = memory_model::xc20;
  const result whole = check(o, body);
  if (!whole || whole.reexecutions->races == 0) return "there is no load buffering";
  o.max_executions = without.executions + without.blocked;
  const result cut = check(o, body);
  if (cut.limit != "max_executions") return "with no run left the result is whole";
  return "";
}

inline std::string wrong_common_limits() {
  for (const auto wrong :
       {wrong_limit_of_time, wrong_limit_of_runs, wrong_where_a_limit_is_used_up})
    if (std::string what = wrong(); !what.empty()) return what;
  return "";
}

}  // namespace fencepost::verify::testing
