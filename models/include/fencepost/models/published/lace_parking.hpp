// Lace's wake word and sleepers, as published: LACE-56, LACE-57, LACE-59, LACE-60.
//
// A worker that has looked for work in vain often enough counts itself as a sleeper (relaxed),
// reads the wake word, and sleeps while the word is what it read, for at most 1 ms. Who has work
// for others counts the word up and wakes one, if there are sleepers; who stops all sets a flag and
// wakes all. Counting the word up before each wake is said to prevent the lost wake between the
// change of the word and the wake.
//
// The checker: it does. There is another window: what is published, counted and woken between the
// look for work and the reading of the word is slept through; so is a stop between the look at the
// flag and the reading. And a thief runs what it has stolen before it wakes one more for what it
// left, so that the cascade takes the time of the tasks. Each time a time-out brings the worker
// back, at most 1 ms late: in Lace all this is latency. Here no time-out fires, so that it shows.
#pragma once

#include <atomic>
#include <cstdint>

#include "fencepost/atomics/policy.hpp"
#include "fencepost/scenario/scenario.hpp"
#include "fencepost/scenario/scenario_list.hpp"

namespace fencepost::models::published {

template <class P>
struct lace_parking {
  typename P::template atomic<std::uint32_t> wake_word{0}, sleepers{0};
  typename P::template atomic<unsigned> tasks{0};
  typename P::template atomic<bool> quit{false};

  // Of an external task: it does not ask whether anybody sleeps.
  void wake(unsigned most) {
    wake_word.fetch_add(1, std::memory_order_seq_cst);
    P::futex_wake(wake_word, most);
  }
  void sleep() {
    sleepers.fetch_add(1, std::memory_order_relaxed);
    const std::uint32_t seen = wake_word.load(std::memory_order_seq_cst);
    P::futex_wait(wake_word, seen, no_deadline);
    sleepers.fetch_sub(1, std::memory_order_relaxed);
  }
  // How many tasks there were; one fewer are left.
  unsigned steal() {
    unsigned seen = tasks.load(std::memory_order_seq_cst);
    while (seen != 0 && !tasks.compare_exchange_strong(seen, seen - 1, std::memory_order_seq_cst,
                                                       std::memory_order_seq_cst)) {
    }
    return seen;
  }
};

template <class P>
struct lace_wake_word : lace_parking<P> {
  static constexpr auto about =
      scenario{.name = "published/lace_wake_word",
               .threads = 2,
               .claim = "Lace's worker misses a task that was submitted before it read the word",
               .expected = violation::liveness,
               .timeouts = 0};
  void thread(unsigned index) {
    if (index == 0) {
      this->tasks.fetch_add(1, std::memory_order_seq_cst);
      this->wake(1);
    } else {
      while (this->steal() == 0) this->sleep();
    }
  }
};

template <class P>
struct lace_stop : lace_parking<P> {
  static constexpr auto about =
      scenario{.name = "published/lace_stop",
               .threads = 2,
               .claim = "Lace's worker misses a stop that was requested before it read the word",
               .expected = violation::liveness,
               .timeouts = 0};
  void thread(unsigned index) {
    if (index == 0) {
      this->quit.store(true, std::memory_order_seq_cst);
      this->wake(~0u);
    } else {
      while (!this->quit.load(std::memory_order_seq_cst)) this->sleep();
    }
  }
};

// Two tasks, each of which is done only when both are running, which Lace's, fully strict, cannot
// ask for: it makes the late wake visible. One worker is awake, and one has been asleep since
// before they came.
template <class P>
struct lace_cascade : lace_parking<P> {
  static constexpr auto about =
      scenario{.name = "published/lace_cascade",
               .threads = 2,
               .claim = "Lace's thief runs its task before it wakes another worker for the rest",
               .expected = violation::liveness,
               .timeouts = 0};
  typename P::template atomic<unsigned> running{0};
  void before() {
    this->tasks.store(2, std::memory_order_relaxed);
    this->sleepers.store(1, std::memory_order_relaxed);
  }
  void thread(unsigned index) {
    if (index == 0) {
      const unsigned found = this->steal();
      run();
      if (found > 1 && this->sleepers.load(std::memory_order_seq_cst) != 0) this->wake(1);
    } else {
      P::futex_wait(this->wake_word, 0, no_deadline);  // counted in before()
      if (this->steal() != 0) run();
    }
  }
  void run() {
    running.fetch_add(1, std::memory_order_relaxed);
    while (running.load(std::memory_order_relaxed) < 2) P::spin_pause();
  }
};

using lace_parking_list = scenario_list<lace_wake_word, lace_stop, lace_cascade>;

}  // namespace fencepost::models::published
