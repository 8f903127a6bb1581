// What the frame handshake would be without each of its orders and steps: scenarios that must be
// violated.
#pragma once

#include <atomic>
#include <cstdint>
#include <type_traits>

#include "fencepost/models/faulty_policies.hpp"
#include "fencepost/models/frame_handshake/claims.hpp"
#include "fencepost/scenario/scenario.hpp"
#include "fencepost/scenario/scenario_list.hpp"
#include "fencepost/sync/barrier.hpp"

namespace fencepost::models {

namespace frame_handshake_faults {

using faults::operation;
using frame_handshake_scenarios::concurrent_initiators;
using frame_handshake_scenarios::frame_barrier;
using frame_handshake_scenarios::one_frame;

// The pointer to the task, not the barrier.
template <class P, operation Which, std::memory_order From>
using relaxed_pointer = faults::weaker<P, Which, From, std::memory_order_relaxed, std::is_pointer>;

// Barriers that are passed by without waiting: those on entering a frame, or on leaving one.
template <class P>
struct open_entry : frame_barrier<P> {
  using frame_barrier<P>::frame_barrier;
  using frame_barrier<P>::wait;
  template <class Step>
  bool wait(Step&& step) {
    step();
    return true;
  }
};
template <class P>
struct open_exit : frame_barrier<P> {
  using frame_barrier<P>::frame_barrier;
  using frame_barrier<P>::wait;
  bool wait() { return true; }
};

template <class P, class Q>
using one_frame_on = one_frame<Q, frame_barrier<P>, 2>;

template <class P>
struct relaxed_publication
    : one_frame_on<P, relaxed_pointer<P, operation::compare_exchange, std::memory_order_release>> {
  static constexpr auto about =
      scenario{.name = "frame_handshake/relaxed_publication",
               .threads = 2,
               .claim = "if the exchange does not release, a worker copies an unpublished task",
               .expected = violation::data_race};
};

template <class P>
struct relaxed_join
    : one_frame_on<P, relaxed_pointer<P, operation::load, std::memory_order_acquire>> {
  static constexpr auto about =
      scenario{.name = "frame_handshake/relaxed_join",
               .threads = 2,
               .claim = "if a worker does not acquire, it copies an unpublished task",
               .expected = violation::data_race};
};

template <class P>
struct no_entry_barrier : one_frame<P, open_entry<P>, 2> {
  static constexpr auto about = scenario{
      .name = "frame_handshake/no_entry_barrier",
      .threads = 2,
      .claim = "an initiator that clears the pointer before all workers have a copy waits forever",
      .expected = violation::liveness};
};

template <class P>
struct no_exit_barrier : one_frame<P, open_exit<P>, 2> {
  static constexpr auto about = scenario{
      .name = "frame_handshake/no_exit_barrier",
      .threads = 2,
      .claim = "an initiator that does not wait for the other workers misses what they did",
      .expected = violation::data_race};
};

template <class P>
struct weak_claim : concurrent_initiators<faults::weak_exchanges<P, std::is_pointer>> {
  static constexpr auto about =
      scenario{.name = "frame_handshake/weak_claim",
               .threads = 2,
               .claim = "an exchange that fails spuriously sends its worker to join no frame",
               .expected = violation::crash};
};

}  // namespace frame_handshake_faults

using frame_handshake_faults_list =
    scenario_list<frame_handshake_faults::relaxed_publication, frame_handshake_faults::relaxed_join,
                  frame_handshake_faults::no_entry_barrier, frame_handshake_faults::no_exit_barrier,
                  frame_handshake_faults::weak_claim>;

}  // namespace fencepost::models
