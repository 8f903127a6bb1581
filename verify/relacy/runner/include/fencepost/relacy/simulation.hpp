// Runs a scenario under one of Relacy's schedulers.
//
//   const relacy::result r = relacy::run<steal_against_pop<relacy_atomics>>({.iterations = 1000});
//
// The same options give the same result, unless the scenario depends on the value of an address.
// Relacy's threads have 64 KiB of stack each, without a guard: a scenario that is not known to need
// less must run in a process of its own.
#pragma once

#include <cstddef>
#include <new>

#include "fencepost/relacy/relacy_atomics.hpp"
#include "fencepost/relacy/simulation_result.hpp"
#include "fencepost/scenario/scenario.hpp"

namespace fencepost::relacy {

namespace detail {

// A scenario without its type: Relacy's part is compiled once for each number of threads, not once
// for each scenario.
struct steps {
  const scenario* about;
  void (*construct)();
  void (*destroy)();
  void (*before)();
  void (*thread)(unsigned index);
  void (*after)();
};

template <class Scenario>
class stepwise {
  alignas(Scenario) static inline std::byte room[sizeof(Scenario)];
  static Scenario& it() { return *std::launder(reinterpret_cast<Scenario*>(room)); }

  static void construct() { new (static_cast<void*>(room)) Scenario; }
  static void destroy() { it().~Scenario(); }
  static void before() {
    if constexpr (requires(Scenario & s) { s.before(); }) it().before();
  }
  static void thread(unsigned index) { it().thread(index); }
  static void after() {
    if constexpr (requires(Scenario & s) { s.after(); }) it().after();
  }

 public:
  static constexpr steps table{&Scenario::about, construct, destroy, before, thread, after};
};

result run(const steps&, const options&);

}  // namespace detail

// Runs a scenario of at most four threads.
template <class Scenario>
result run(const options& o) {
  static_assert(Scenario::about.threads >= 1 && Scenario::about.threads <= 4,
                "src/simulation.cpp counts the threads");
  return detail::run(detail::stepwise<Scenario>::table, o);
}

}  // namespace fencepost::relacy
