// The core of fork_join as the scenarios use it: with short deques, and one step at a time.
#pragma once

#include <atomic>
#include <cstdint>

#include "fencepost/runtime/fork_join_core.hpp"
#include "fencepost/sync/event_count.hpp"

namespace fencepost::models::fork_join_scenarios {

// A core with short deques, without scratch memory.
template <class P, fork_join_features Features = fork_join_features{}>
struct small_core : fork_join_core<P, Features> {
  explicit small_core(std::uint32_t workers, bool leapfrog = true)
      : fork_join_core<P, Features>{workers,
                                    2,
                                    {.reserve = 0},
                                    {.leapfrog = leapfrog,
                                     .random_steals = false,
                                     .attempts = 0,
                                     .spins = spin_for_ever}} {}
};

template <class P>
using worker_of = typename fork_join_core<P>::worker;

// A core whose threads take only some of a worker's steps.
template <class P, fork_join_features Features = fork_join_features{}>
struct stepped_core : small_core<P, Features> {
  explicit stepped_core(std::uint32_t workers, bool leapfrog = false)
      : small_core<P, Features>{workers, leapfrog} {}
  // Tries once to steal, and runs the stolen task. Returns true if it stole one.
  bool steal_once(unsigned thief, unsigned victim) {
    const auto stolen = this->steal(this->at(thief), this->at(victim));
    this->run_stolen(this->at(thief), stolen);
    return stolen.task != nullptr;
  }
  // Waits until `count` workers have looked for work in vain, and sleep or are about to.
  void await_sleepers(unsigned count) {
    while (this->sleepers().sleepers() != count) P::spin_pause();
  }
  // Sleeps until another thread wakes the worker, even if there is work.
  void sleep_once() { this->sleepers().wait(this->sleepers().prepare_wait()); }
  // Before the threads begin: announces a worker that found no work and is about to sleep.
  void announce_sleeper() { announced_ = this->sleepers().prepare_wait(); }
  // Called by that worker: sleeps until another thread wakes it.
  void sleep_announced() { this->sleepers().wait(announced_); }
  bool run_submitted_once(unsigned index) { return this->run_submitted(this->at(index)); }
  // Does the same as work(), except for leaving the pool.
  template <class Done>
  void work_until(unsigned index, Done done) {
    this->look_for_work(this->at(index), done, true);
  }
  // Brings the deque of a worker to a state in which its next task is private.
  void unshare(unsigned index) {
    auto& owner = this->at(index);
    owner.sync(owner.spawn([](typename small_core<P, Features>::worker&) noexcept {}));
  }

 private:
  typename event_count<P>::ticket announced_{};  // unwatched: set before the threads begin.
};

// A flag by which threads learn that a task has run.
template <class P>
class told {
 public:
  void tell() noexcept { flag_.store(true, std::memory_order_relaxed); }
  bool operator()() const noexcept { return flag_.load(std::memory_order_relaxed); }

 private:
  typename P::template atomic<bool> flag_{false};
};

}  // namespace fencepost::models::fork_join_scenarios
