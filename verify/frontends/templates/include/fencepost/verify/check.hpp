// Checks a test body, or a scenario, over all its executions. docs/guide/checking-your-code.md is
// the long form of this.
//
//   const verify::result r = verify::check({.name = "message passing"}, [] {
//     checked_atomics::atomic<int> ready{0};
//     checked_atomics::plain<int> data{0};
//     checked_atomics::thread sender([&] {
//       data.set(42);
//       ready.store(1, std::memory_order_release);
//     });
//     if (ready.load(std::memory_order_acquire) == 1) require(data.get() == 42);
//     sender.join();
//   });
//
// The body runs once for each execution, as the main thread. It must do the same whenever it reads
// the same values: no clocks, no random numbers, no state that outlives it. When an execution ends
// early (a violation, a thread that waits) its stacks are abandoned, not unwound: no destructor
// runs, and whatever the body acquired outside the explorer's memory leaks. Memory from operator
// new is tracked and reclaimed; memory from malloc is not.
#pragma once

#include <functional>
#include <type_traits>

#include "fencepost/scenario/scenario.hpp"
#include "fencepost/verify/checked_atomics.hpp"
#include "fencepost/verify/result.hpp"

namespace fencepost::verify {

// Explores the body's executions on the calling thread. Thread-safe: each call is an exploration
// of its own.
result check(const options&, std::function<void()> body);

// Runs body(0) … body(n-1) concurrently, from inside a check, and waits for them. The effect is
// that of creating and joining n threads, with two events instead of 2n.
template <class Body>
void run_threads(unsigned n, Body&& body, source_location where = source_location::current()) {
  using function = std::remove_reference_t<Body>;
  constexpr unsigned most = 64;  // the checker's limit
  struct job {
    function* body;
    unsigned index;
    static void run(void* self) {
      auto* j = static_cast<job*>(self);
      (*j->body)(j->index);
    }
  };
  job jobs[most];
  void* arguments[most];
  unsigned ids[most] = {};
  for (unsigned i = 0; i < n && i < most; ++i) {
    jobs[i] = {&body, i};
    arguments[i] = &jobs[i];
  }
  engine& e = detail::here();
  e.create(&job::run, arguments, ids, n, where);
  e.join(ids, n, where);
}

namespace detail {

// If not null, each check runs inside a call of this function, for a test framework; see gtest.hpp.
inline void (*around_checks)(const std::function<void()>& check) = nullptr;

template <class Scenario>
void run_scenario() {
  static_assert(
      Scenario::about.symmetric.first + Scenario::about.symmetric.count <= Scenario::about.threads,
      "scenario::symmetric names threads that the scenario does not have");
  Scenario s;
  if constexpr (requires { s.before(); }) s.before();
  run_threads(Scenario::about.threads, [&](unsigned i) { s.thread(i); });
  if constexpr (requires { s.after(); }) s.after();
}

// Checks with the bounds of `about`. Not inline: there are hundreds of scenarios.
result check_with_bounds(const scenario& about, const options&, void (*body)());

}  // namespace detail

// Returns the options with the name, the bounds and the outcomes that a scenario states.
options with_bounds_of(const scenario& about, options = {});

// Explores a scenario, an instance of its template for checked_atomics; its bounds come from its
// `about`, everything else from the options.
template <class Scenario>
result check_scenario(const options& o = {}) {
  return detail::check_with_bounds(Scenario::about, o, &detail::run_scenario<Scenario>);
}

// The same under the name and the bounds of `about`, which has as many threads.
template <class Scenario>
result check_scenario(const scenario& about, const options& o) {
  return detail::check_with_bounds(about, o, &detail::run_scenario<Scenario>);
}

}  // namespace fencepost::verify
