// Lace's barrier, as published: LACE-73, and LACE-75 as of Lace 1.4.2.
//
// A count of arrivals, a flag that the last thread to arrive flips, and a count of departures. Each
// arrival is an acquire-release read-modify-write of the count. Two things are claimed of it: that
// it also orders a thread's store before the barrier before its load after it, "because a
// read-modify-write is indivisible"; and, in 1.4.2, that this read-modify-write may be relaxed.
//
// The checker refutes both. A thread outside the barrier may observe the store after the load: to
// exclude that takes a sequentially consistent fence. (x86 has one in each locked instruction;
// POWER, and AArch64 without its atomic instructions, do not.) Among the threads of the barrier no
// fence is needed, see barrier/store_load_inside. With relaxed arrivals the threads do not even
// observe each other's plain data.
//
// 1.4.2's relaxed arrival is also said to allow that the flag is read after it, already flipped:
// the thread then waits for the next flip. That is a cycle of program order and reads-from, load
// buffering, and is not explored here; the release in the arrival excludes it.
#pragma once

#include <atomic>

#include "fencepost/scenario/scenario.hpp"
#include "fencepost/scenario/scenario_list.hpp"

namespace fencepost::models::published {

template <class P, std::memory_order Arrival>
class lace_barrier {
 public:
  explicit lace_barrier(int threads) : threads_(threads) {}

  void wait() {
    const bool turn = turn_.load(std::memory_order_relaxed);
    if (count_.fetch_add(1, Arrival) + 1 == threads_) {
      count_.store(0, std::memory_order_relaxed);
      leaving_.store(threads_, std::memory_order_relaxed);
      turn_.store(!turn, std::memory_order_release);
    } else {
      while (turn_.load(std::memory_order_acquire) == turn) P::spin_pause();
    }
    leaving_.fetch_sub(1, std::memory_order_release);
  }

 private:
  const int threads_;
  typename P::template atomic<int> count_{0}, leaving_{0};
  typename P::template atomic<bool> turn_{false};
};

template <class P>
struct lace_barrier_store_load {
  static constexpr auto about =
      scenario{.name = "published/lace_barrier_store_load",
               .threads = 3,
               .claim = "Lace's barrier lets a store before it and a load after it be reordered",
               .expected = violation::assertion};
  lace_barrier<P, std::memory_order_acq_rel> meeting{2};
  typename P::template atomic<int> x{0}, y{0};
  int saw[3] = {};  // by thread; only that thread writes its element
  void thread(unsigned index) {
    if (index == 2) {
      y.store(1, std::memory_order_relaxed);
      P::fence(std::memory_order_seq_cst);
      saw[2] = x.load(std::memory_order_relaxed);
      return;
    }
    if (index == 0) x.store(1, std::memory_order_relaxed);
    meeting.wait();
    if (index == 0) saw[0] = y.load(std::memory_order_relaxed);
  }
  void after() { require(saw[0] == 1 || saw[2] == 1, "at least one observes the other's store"); }
};

template <class P>
struct lace_barrier_relaxed {
  static constexpr auto about =
      scenario{.name = "published/lace_barrier_relaxed",
               .threads = 2,
               .claim = "Lace 1.4.2's relaxed arrivals do not publish what precedes them",
               .expected = violation::data_race};
  lace_barrier<P, std::memory_order_relaxed> meeting{2};
  typename P::template plain<int> cells[2];
  void thread(unsigned index) {
    cells[index].set(1);
    meeting.wait();
    require(cells[1 - index].get() == 1, "everything before the barrier is visible");
  }
};

using lace_barrier_list = scenario_list<lace_barrier_store_load, lace_barrier_relaxed>;

}  // namespace fencepost::models::published
