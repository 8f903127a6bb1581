#include "fencepost/models/external_slots_faults.hpp"
#include "fencepost/models/injector_faults.hpp"
#include "fencepost/models/slab_queue_faults.hpp"
#include "planted_race.hpp"

namespace fencepost::models::planted {
namespace {

// The producer writes to a record that it has pushed, beside the slot that publishes it.
template <bool Writes>
struct write_beside_slab_queue {
  int record = 0;
  slab_queue<int*, P> queue;
  void thread(unsigned index) {
    if (index == 0) {
      record = 1;
      queue.push(&record);
      if (Writes) record = 2;
    } else {
      auto item = queue.pop();
      for (; !item; item = queue.pop()) P::spin_pause();
      require(**item != 0, "the record is there");
    }
  }
};

}  // namespace

std::vector<race> in_queues() {
  return {
      plant<write_beside_slab_queue<true>, write_beside_slab_queue<false>>("slab_queue",
                                                                           "write_beside_the_slot"),
      plant<slab_queue_faults::relaxed_publish<P>, slab_queue_faults::next_slab<P>>(
          "slab_queue", "relaxed_publish"),
      plant<injector_faults::relaxed_push<P>, injector_scenarios::job_is_whole<P>>("injector",
                                                                                   "relaxed_push"),
      plant<external_slots_faults::relaxed_submission<P>, external_slots_scenarios::round_trip<P>>(
          "external_slots", "relaxed_submission"),
  };
}

}  // namespace fencepost::models::planted
