#include <atomic>

#include "fencepost/models/barrier/faults.hpp"
#include "fencepost/models/completion/faults.hpp"
#include "fencepost/models/core_latch/claims.hpp"
#include "fencepost/models/event_count/claims.hpp"
#include "fencepost/models/frame_handshake/faults.hpp"
#include "fencepost/models/orders/with_order.hpp"
#include "fencepost/models/rundown/claims.hpp"
#include "fencepost/models/worker_sleep/faults.hpp"
#include "planted_race.hpp"

namespace fencepost::models::planted {
namespace {

// The event count itself publishes nothing; the counter of the work does.
template <class Q>
using woken = event_count_scenarios::wake_is_not_lost<Q, event_count>;
struct relaxed_work : policy {
  template <class T>
  struct atomic : policy::atomic<T> {
    using policy::atomic<T>::atomic;
    T fetch_add(T value, std::memory_order) {
      return policy::atomic<T>::fetch_add(value, std::memory_order_relaxed);
    }
  };
};

}  // namespace

std::vector<race> in_sync() {
  return {
      plant<core_latch_scenarios::set_publishes<with_order<policy, "core_latch.hpp:set=relaxed">>,
            core_latch_scenarios::set_publishes<policy>>("core_latch", "relaxed_set"),
      plant<
          worker_sleep_faults::stop_publishes<with_order<policy, "worker_sleep.hpp:stop=relaxed">>,
          worker_sleep_faults::stop_publishes<policy>>("worker_sleep", "relaxed_stop"),
      plant<woken<relaxed_work>, woken<policy>>("event_count", "relaxed_work"),
      plant<barrier_faults::exchange_of_two<with_order<policy, "barrier.hpp:arrive=acquire">>,
            barrier_faults::exchange_of_two<policy>>("barrier", "acquire_arrival"),
      plant<completion_faults::result_after_one_look<
                with_order<policy, "completion.hpp:complete=relaxed">>,
            completion_faults::result_after_one_look<policy>>("completion", "relaxed_completion"),
      plant<frame_handshake_faults::no_exit_barrier<policy>,
            frame_handshake_scenarios::one_frame<
                policy, frame_handshake_scenarios::frame_barrier<policy>, 2>>("frame_handshake",
                                                                              "no_exit_barrier"),
      plant<rundown_scenarios::nobody_inside_after_close<
                with_order<policy, "rundown.hpp:leave=relaxed">>,
            rundown_scenarios::nobody_inside_after_close<policy>, 3>("rundown", "relaxed_leave"),
  };
}

}  // namespace fencepost::models::planted
