// The frame handshake without each of its orders and steps in turn: scenarios that must be
// violated.
#pragma once

#include <cstdint>

#include "fencepost/models/frame_handshake/claims.hpp"
#include "fencepost/models/orders/order_fault.hpp"
#include "fencepost/scenario/scenario.hpp"
#include "fencepost/scenario/scenario_list.hpp"
#include "fencepost/sync/barrier.hpp"

namespace fencepost::models {

namespace frame_handshake_faults {

using frame_handshake_scenarios::frame_barrier;
using frame_handshake_scenarios::one_frame;

// Barriers that do not wait: the one on entering a frame, or the one on leaving it.
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

template <class P>
using frame_of_two = one_frame<P, frame_barrier<P>, 2>;

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

}  // namespace frame_handshake_faults

using frame_handshake_faults_list = scenario_list<
    order_fault<"frame_handshake/relaxed_publication", frame_handshake_faults::frame_of_two,
                "frame_handshake.hpp:start=relaxed", violation::data_race,
                "if the exchange does not release, a worker copies an unpublished task">::on,
    order_fault<"frame_handshake/relaxed_join", frame_handshake_faults::frame_of_two,
                "frame_handshake.hpp:join=relaxed", violation::data_race,
                "if a worker does not acquire, it copies an unpublished task">::on,
    frame_handshake_faults::no_entry_barrier, frame_handshake_faults::no_exit_barrier,
    order_fault<"frame_handshake/weak_claim", frame_handshake_scenarios::concurrent_initiators,
                "frame_handshake.hpp:start=weak", violation::crash,
                "an exchange that fails spuriously sends its worker to join no frame">::on>;

}  // namespace fencepost::models
