// Checks a test body, or a scenario, over all its executions.
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
// The body runs once an execution, as the main thread. It must do the same whenever it reads the
// same: no clocks, no random numbers, no state that outlives it. When an execution ends early (a
// violation, a thread that waits) its stacks are abandoned, not unwound: no destructor runs, and
// what was taken from outside the explorer's memory is lost. Memory from operator new is tracked
// and taken back; memory from malloc is not.
#pragma once

#include <functional>

#include "fencepost/scenario.hpp"
#include "fencepost/verify/checked_atomics.hpp"
#include "fencepost/verify/result.hpp"

namespace fencepost::verify {

// Explores the body's executions on the calling thread. Thread-safe: each call is an exploration
// of its own.
result check(const options&, std::function<void()> body);

namespace detail {

template <class Scenario>
void run_scenario() {
  struct job {
    Scenario* scenario;
    unsigned index;
    static void run(void* self) {
      auto* j = static_cast<job*>(self);
      j->scenario->thread(j->index);
    }
  };
  Scenario s;
  if constexpr (requires { s.before(); }) s.before();
  constexpr unsigned n = Scenario::about.threads;
  job jobs[n];
  unsigned ids[n];
  engine& e = *engine::current();
  for (unsigned i = 0; i < n; ++i) {
    jobs[i] = {&s, i};
    ids[i] = e.create(&job::run, &jobs[i], {});
  }
  for (unsigned i = 0; i < n; ++i) e.join(ids[i], {});
  if constexpr (requires { s.after(); }) s.after();
}

}  // namespace detail

// Explores a scenario, an instance of its template for checked_atomics; its bounds come from its
// `about`, everything else from the options.
template <class Scenario>
result check_scenario(options o = {}) {
  o.name = Scenario::about.name;
  o.spurious_failures = Scenario::about.spurious_failures;
  o.spurious_wakeups = Scenario::about.spurious_wakeups;
  o.reuse_addresses = Scenario::about.reuse_addresses;
  o.timeouts = Scenario::about.timeouts;
  return check(o, &detail::run_scenario<Scenario>);
}

}  // namespace fencepost::verify
