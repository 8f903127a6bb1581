// Lace's wake word and sleepers, as published: LACE-56, LACE-57, LACE-59, LACE-60.
//
// A worker that has looked for work in vain often enough counts itself as a sleeper (relaxed),
// reads the wake word, and sleeps while the word is what it read, for at most 1 ms. A worker with
// work for others increments the word and wakes one sleeper, if there are any; a stop sets a flag
// and wakes all. Incrementing the word before each wake is said to prevent a lost wake between the
// change of the word and the wake.
//
// The checker confirms this. But there is another window: a worker misses work that is published,
// and woken for, between its last look for work and its read of the word; likewise a stop between
// its look at the flag and that read. And a thief runs its stolen task before it wakes another
// worker for the rest, so the cascade takes the time of the tasks. Each time, a time-out brings the
// worker back, at most 1 ms late: in Lace all this is latency. Here no time-out hides it.
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

  // The wake for an external task: it does not check whether any worker sleeps.
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
  // Takes a task, if there is one. Returns how many there were before.
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

// Two tasks, each of which ends only when both are running, which makes the late wake visible.
// (Lace's fully strict tasks cannot require that.) One worker is awake; the other has been asleep
// since before the tasks arrived.
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
