#include "fencepost/models/external_slots/claims.hpp"
#include "fencepost/models/injector/claims.hpp"
#include "fencepost/models/orders/with_order.hpp"
#include "fencepost/models/slab_queue/faults.hpp"
#include "fencepost/models/ticket_queue/faults.hpp"
#include "planted_race.hpp"

namespace fencepost::models::planted {
namespace {

// The producer writes to a record that it has pushed, beside the slot that publishes it.
template <class Queue, bool Writes>
struct write_beside_slot {
  int record = 0;
  Queue queue;
  void thread(unsigned index) {
    if (index == 0) {
      record = 1;
      queue.push(&record);
      if (Writes) record = 2;
    } else {
      auto item = queue.pop();
      for (; !item; item = queue.pop()) policy::spin_pause();
      require(**item != 0, "the record is fully published");
    }
  }
};

}  // namespace

std::vector<race> in_queues() {
  return {
      plant<write_beside_slot<slab_queue<int*, policy>, true>,
            write_beside_slot<slab_queue<int*, policy>, false>>("slab_queue",
                                                                "write_beside_the_slot"),
      plant<slab_queue_faults::next_slab<with_order<policy, "slab.hpp:publish=relaxed">>,
            slab_queue_faults::next_slab<policy>>("slab_queue", "relaxed_publish"),
      plant<write_beside_slot<ticket_queue<int*, policy>, true>,
            write_beside_slot<ticket_queue<int*, policy>, false>>("ticket_queue",
                                                                  "write_beside_the_slot"),
      plant<ticket_queue_faults::hand_over<with_order<policy, "ticket_queue.hpp:publish=relaxed">>,
            ticket_queue_faults::hand_over<policy>>("ticket_queue", "relaxed_publish"),
      plant<injector_scenarios::job_is_whole<with_order<policy, "injector.hpp:push=relaxed">>,
            injector_scenarios::job_is_whole<policy>>("injector", "relaxed_push"),
      plant<external_slots_scenarios::round_trip<
                with_order<policy, "external_slots.hpp:publish=relaxed">>,
            external_slots_scenarios::round_trip<policy>>("external_slots", "relaxed_submission"),
  };
}

}  // namespace fencepost::models::planted
