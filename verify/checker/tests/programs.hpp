// What the checker's tests write their programs with.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <numeric>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "fencepost/verify/check.hpp"

namespace fencepost::verify::testing {

using fencepost::violation;
using checked = fencepost::checked_atomics;

inline constexpr auto relaxed = std::memory_order_relaxed;
inline constexpr auto consume = std::memory_order_consume;
inline constexpr auto acquire = std::memory_order_acquire;
inline constexpr auto release = std::memory_order_release;
inline constexpr auto acq_rel = std::memory_order_acq_rel;
inline constexpr auto seq_cst = std::memory_order_seq_cst;

inline constexpr memory_model all_models[] = {memory_model::rc20, memory_model::rc11,
                                              memory_model::cpp20};

// The counterexample of a body that is violated.
inline counterexample counterexample_in(const std::function<void()>& body, const options& o = {}) {
  const result r = check(o, body);
  EXPECT_TRUE(r.violation) << to_text(r);
  return r.violation.value_or(counterexample{});
}

// The shortest counterexample of many.
inline counterexample shortest_counterexample_in(const std::function<void()>& body) {
  options o;
  o.shorten = 1000;
  return counterexample_in(body, o);
}

// Runs each argument in a thread of its own and joins them all.
template <class... Bodies>
void concurrently(Bodies&&... bodies) {
  checked::thread threads[] = {checked::thread(std::forward<Bodies>(bodies))...};
  for (checked::thread& t : threads) t.join();
}

// Runs body(0) … body(n-1), each in a thread of its own, and joins them all.
template <class Body>
void in_threads(unsigned n, Body&& body) {
  std::vector<checked::thread> threads;
  threads.reserve(n);
  for (unsigned i = 0; i < n; ++i) threads.emplace_back([&body, i] { body(i); });
  for (checked::thread& t : threads) t.join();
}

// The last of two threads that use an object destroys it, with the mutex that protects it. The
// other one may still do something to the mutex after its unlock().
template <class Mutex, class After = void (*)(Mutex&)>
void last_user_destroys(After after = [](Mutex&) {}) {
  struct object {
    Mutex m;
    int users = 2;
  };
  object* const o = new object;
  in_threads(2, [&](unsigned) {
    o->m.lock();
    const bool last = --o->users == 0;
    o->m.unlock();
    if (last) {
      delete o;
    } else {
      after(o->m);
    }
  });
}

inline options under(memory_model m) {
  options o;
  o.model = m;
  return o;
}

inline std::set<std::string> outcomes_of(const result& r) {
  std::set<std::string> all;
  for (const auto& [text, times] : r.outcomes) all.insert(text);
  return all;
}

// The outcomes of a body all of whose executions are right.
inline std::set<std::string> outcomes_of(const options& o, const std::function<void()>& body) {
  const result r = check(o, body);
  EXPECT_EQ(r.outcome, verdict::verified) << to_text(r);
  return outcomes_of(r);
}

inline violation found(const result& r) {
  return r.violation ? r.violation->kind : violation::none;
}

// Returns what is found, which must not depend on the thread that is explored first.
inline violation found_in_every_order(const std::function<void()>& body, options o = {}) {
  const result first = check(o, body);
  EXPECT_NE(first.outcome, verdict::incomplete) << first.limit;
  EXPECT_TRUE(first.outcome != verdict::verified || first.executions > 0) << "nothing was executed";
  o.priorities.resize(std::min(std::max(first.threads, 4U), 5U));
  std::iota(o.priorities.begin(), o.priorities.end(), 0U);
  do {
    const result r = check(o, body);
    EXPECT_EQ(r.outcome, first.outcome) << to_text(r) << to_text(first);
    EXPECT_EQ(found(r), found(first)) << to_text(r) << to_text(first);
    if (first.outcome == verdict::verified) {
      EXPECT_EQ(r.outcomes, first.outcomes);
    }
    if (::testing::Test::HasFailure()) break;
  } while (std::next_permutation(o.priorities.begin(), o.priorities.end()));
  return found(first);
}

inline violation found_in(const std::function<void()>& body, const options& o = {}) {
  const result r = check(o, body);
  EXPECT_NE(r.outcome, verdict::incomplete) << r.limit;
  EXPECT_TRUE(r.outcome != verdict::verified || r.executions > 0) << "nothing was executed";
  return found(r);
}

}  // namespace fencepost::verify::testing
