// Claims of the barrier about a store before wait() and a load after it.
#pragma once

#include <atomic>

#include "fencepost/scenario/scenario.hpp"
#include "fencepost/sync/barrier.hpp"

namespace fencepost::models::barrier_scenarios {

inline constexpr barrier_options with_fence{.store_load = true};

// Threads 0 and 1 meet; thread 2 takes no part. Thread 0 stores x before the meeting and loads y
// after it; thread 2 stores y and loads x, with a fence between.
template <class P, barrier_options Options>
struct store_buffering {
  barrier<P, Options> meeting{2, spin_for_ever};
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
struct store_load : store_buffering<P, with_fence> {
  static constexpr auto about =
      scenario{.name = "barrier/store_load",
               .threads = 3,
               .claim =
                   "with .store_load, a store before wait() and a load after it are ordered, even "
                   "as observed by a thread outside the barrier"};
};

// Recorded as an outcome: 1 if the other's store is observed, by thread 0 and by thread 2.
inline constexpr known_outcome both_orders[] = {
    {"0, 1", expect::allowed, "thread 0 came first"},
    {"1, 0", expect::allowed, "thread 2 came first"},
    {"1, 1", expect::allowed, "the loads came last"},
    {"0, 0", expect::forbidden, "neither: a store and a load were reordered"}};
inline constexpr known_outcome with_neither[] = {
    both_orders[0],
    both_orders[1],
    both_orders[2],
    {"0, 0", expect::interesting, "neither: the store of thread 0 is still in flight"}};

template <class P, barrier_options Options>
struct who_sees_whom : store_buffering<P, Options> {
  void after() { outcome(this->saw[0], this->saw[2]); }
};

template <class P>
struct outsider_with_fence : who_sees_whom<P, with_fence> {
  static constexpr auto about = scenario{.name = "barrier/outsider_with_fence",
                                         .threads = 3,
                                         .claim =
                                             "with .store_load, a thread outside the barrier never "
                                             "observes the store and the load reordered",
                                         .outcomes = both_orders};
};

template <class P>
struct outsider_without_fence : who_sees_whom<P, barrier_options{}> {
  static constexpr auto about =
      scenario{.name = "barrier/outsider_without_fence",
               .threads = 3,
               .claim =
                   "without .store_load, a thread outside the barrier may observe a store before "
                   "wait() and a load after it reordered",
               .outcomes = with_neither};
};

// Among the participants the question does not arise: the other's store came before.
template <class P>
struct store_load_inside {
  static constexpr auto about = scenario{
      .name = "barrier/store_load_inside",
      .threads = 2,
      .claim =
          "without .store_load, a participant's load after wait() observes every store before it"};
  barrier<P> meeting{2, spin_for_ever};
  typename P::template atomic<int> cells[2] = {0, 0};
  void thread(unsigned index) {
    cells[index].store(1, std::memory_order_relaxed);
    meeting.wait();
    require(cells[1 - index].load(std::memory_order_relaxed) == 1,
            "the other thread's store is observed");
  }
};

}  // namespace fencepost::models::barrier_scenarios
