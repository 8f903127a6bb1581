// Lace's new frame, as its code has it: LACE-36.
//
// A worker that wants all workers to run a task changes the pointer to the pending frame from null
// to its own task. If that fails, another frame is pending, and the worker joins it: copies the
// task to which the pointer leads, and meets the others in a barrier. The exchange is a weak one.
//
// The checker finds: a weak exchange may fail spuriously, while no frame is pending; the worker
// then copies from a null pointer. It can fail so on machines with load-linked/store-conditional.
#pragma once

#include <atomic>

#include "fencepost/scenario/scenario.hpp"
#include "fencepost/scenario/scenario_list.hpp"

namespace fencepost::models::published {

template <class P>
struct lace_new_frame {
  static constexpr auto about =
      scenario{.name = "published/lace_new_frame",
               .threads = 2,
               .claim = "Lace's initiator joins a frame that does not exist",
               .expected = violation::crash};
  using task = typename P::template plain<int>;
  task tasks[2];
  typename P::template atomic<const task*> frame{nullptr};
  typename P::template atomic<int> copied{0}, returned{0};
  unsigned frames_run[2] = {};  // by worker; only that worker accesses its element

  // Both workers start a frame; each frame is run by both.
  void thread(unsigned index) {
    tasks[index].set(1);
    for (;;) {
      const task* none = nullptr;
      if (frame.compare_exchange_weak(none, &tasks[index], std::memory_order_seq_cst,
                                      std::memory_order_seq_cst)) {
        break;
      }
      run(index);
    }
    run(index);
    // The other worker's frame, unless it was joined above.
    while (frames_run[index] < 2) {
      if (frame.load(std::memory_order_relaxed) == nullptr) {
        P::spin_pause();
      } else {
        run(index);
      }
    }
  }
  void run(unsigned index) {
    const task* pending = frame.load(std::memory_order_relaxed);
    P::fence(std::memory_order_acquire);
    require(pending->get() == 1, "the copy is complete");
    meet(copied);
    frame.store(nullptr, std::memory_order_relaxed);
    meet(returned);
    ++frames_run[index];
  }
  // A barrier of two threads, by a count of arrivals: both continue when the count is even.
  static void meet(typename P::template atomic<int>& count) {
    const int mine = count.fetch_add(1, std::memory_order_acq_rel);
    while (count.load(std::memory_order_acquire) / 2 == mine / 2) P::spin_pause();
  }
};

using lace_new_frame_list = scenario_list<lace_new_frame>;

}  // namespace fencepost::models::published
