// What the injector would be with weaker orders: scenarios that must be violated.
#pragma once

#include <atomic>
#include <cstdint>
#include <type_traits>

#include "fencepost/models/faulty_policies.hpp"
#include "fencepost/models/injector/claims.hpp"
#include "fencepost/scenario/scenario.hpp"
#include "fencepost/scenario/scenario_list.hpp"

namespace fencepost::models {

namespace injector_faults {

using faults::operation;
using faults::weaker;
constexpr std::memory_order relaxed = std::memory_order_relaxed;

// The stack is an atomic of a pointer, the front one of a number.

template <class P>
struct relaxed_push
    : injector_scenarios::job_is_whole<weaker<
          P, operation::compare_exchange, std::memory_order_release, relaxed, std::is_pointer>> {
  static constexpr auto about =
      scenario{.name = "injector/relaxed_push",
               .threads = 2,
               .claim = "with a relaxed push, an unpublished job is popped",
               .expected = violation::data_race};
};

template <class P>
struct release_only_taking
    : injector_scenarios::job_is_whole<
          weaker<P, operation::exchange, std::memory_order_acq_rel, std::memory_order_release>> {
  static constexpr auto about =
      scenario{.name = "injector/release_only_taking",
               .threads = 2,
               .claim = "if taking the stack does not acquire, an unpublished job is popped",
               .expected = violation::data_race};
};

template <class P>
struct acquire_only_taking
    : injector_scenarios::never_called_empty<
          weaker<P, operation::exchange, std::memory_order_acq_rel, std::memory_order_acquire>> {
  static constexpr auto about = scenario{
      .name = "injector/acquire_only_taking",
      .threads = 3,
      .claim = "if taking the stack does not release, a queue with a job is reported empty",
      .expected = violation::assertion};
};

template <class P>
struct relaxed_look : injector_scenarios::never_called_empty<
                          weaker<P, operation::load, std::memory_order_acquire, relaxed>> {
  static constexpr auto about = scenario{
      .name = "injector/relaxed_look",
      .threads = 3,
      .claim = "if the load of the stack does not acquire, a queue with a job is reported empty",
      .expected = violation::assertion};
};

template <class P>
struct relaxed_lock
    : injector_scenarios::two_poppers<weaker<
          P, operation::compare_exchange, std::memory_order_acquire, relaxed, std::is_integral>> {
  static constexpr auto about =
      scenario{.name = "injector/relaxed_lock",
               .threads = 2,
               .claim = "with a lock that does not acquire, a consumer reads the front too early",
               .expected = violation::data_race};
};

template <class P>
struct relaxed_unlock : injector_scenarios::two_poppers<
                            weaker<P, operation::store, std::memory_order_release, relaxed>> {
  static constexpr auto about = scenario{
      .name = "injector/relaxed_unlock",
      .threads = 2,
      .claim = "with an unlock that does not release, a consumer reads the front too early",
      .expected = violation::data_race};
};

// What is not claimed: an `empty` that is true of some moment.
template <class P>
struct empty_at_no_moment : injector_scenarios::never_quite_empty<P, true> {
  static constexpr auto about =
      scenario{.name = "injector/empty_at_no_moment",
               .threads = 2,
               .claim = "a queue that is reported empty was empty at some moment",
               .expected = violation::assertion};
};

}  // namespace injector_faults

using injector_faults_list =
    scenario_list<injector_faults::relaxed_push, injector_faults::release_only_taking,
                  injector_faults::acquire_only_taking, injector_faults::relaxed_look,
                  injector_faults::relaxed_lock, injector_faults::relaxed_unlock,
                  injector_faults::empty_at_no_moment>;

}  // namespace fencepost::models
