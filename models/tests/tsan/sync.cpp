#include <atomic>

#include "fencepost/models/barrier/faults.hpp"
#include "fencepost/models/completion/faults.hpp"
#include "fencepost/models/core_latch/faults.hpp"
#include "fencepost/models/event_count/claims.hpp"
#include "fencepost/models/faulty_policies.hpp"
#include "fencepost/models/frame_handshake/faults.hpp"
#include "fencepost/models/rundown/faults.hpp"
#include "fencepost/models/worker_sleep/faults.hpp"
#include "planted_race.hpp"

namespace fencepost::models::planted {
namespace {

// An event count publishes nothing itself: the count of the work does.
template <class Q>
using woken = event_count_scenarios::wake_is_not_lost<Q, event_count>;
using relaxed_work = faults::weaker<policy, faults::operation::add, std::memory_order_release,
                                    std::memory_order_relaxed>;

}  // namespace

std::vector<race> in_sync() {
  return {
      plant<core_latch_faults::relaxed_set<policy>, core_latch_scenarios::set_publishes<policy>>(
          "core_latch", "relaxed_set"),
      plant<worker_sleep_faults::relaxed_stop<policy>, worker_sleep_faults::stop_publishes<policy>>(
          "worker_sleep", "relaxed_stop"),
      plant<woken<relaxed_work>, woken<policy>>("event_count", "relaxed_work"),
      plant<barrier_faults::acquire_arrival<policy>,
            barrier_scenarios::exchange_of_all<policy, 2, spin_for_ever>>("barrier",
                                                                          "acquire_arrival"),
      plant<completion_faults::relaxed_completion<policy>,
            completion_scenarios::result_is_awaited<policy, completion, 1>>("completion",
                                                                            "relaxed_completion"),
      plant<frame_handshake_faults::no_exit_barrier<policy>,
            frame_handshake_scenarios::one_frame<
                policy, frame_handshake_scenarios::frame_barrier<policy>, 2>>("frame_handshake",
                                                                              "no_exit_barrier"),
      plant<rundown_faults::relaxed_leave<policy>,
            rundown_scenarios::nobody_inside_after_close<policy>, 3>("rundown", "relaxed_leave"),
  };
}

}  // namespace fencepost::models::planted
