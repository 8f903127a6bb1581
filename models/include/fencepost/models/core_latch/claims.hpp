// The claims of the four-state latch, one scenario each. Thread 0 is the waiter, which sleeps under
// a mutex as a worker does; the others set the latch. The scenarios in faults.hpp must be violated.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>

#include "fencepost/scenario/scenario.hpp"
#include "fencepost/scenario/scenario_list.hpp"
#include "fencepost/sync/core_latch.hpp"

namespace fencepost::models {

namespace core_latch_scenarios {

// What the waiter parks on: a flag under a mutex, with a condition variable.
template <class P>
class parker {
 public:
  // Returns once the latch is set; parks until then.
  void wait(core_latch<P>& latch) {
    while (!latch.probe()) {
      if (!latch.get_sleepy()) continue;
      std::unique_lock<typename P::mutex> lock{mutex_};
      if (latch.fall_asleep()) {
        asleep_.set(true);
        while (asleep_.get()) wake_.wait(lock);
        latch.wake_up();
      }
    }
  }
  // Sleeps until it is woken, whether or not the latch is set.
  void park() {
    std::unique_lock<typename P::mutex> lock{mutex_};
    asleep_.set(true);
    while (asleep_.get()) wake_.wait(lock);
  }
  // Wakes the waiter. Returns whether it was asleep.
  bool wake() {
    {
      const std::unique_lock<typename P::mutex> lock{mutex_};
      if (!asleep_.get()) return false;
      asleep_.set(false);
    }
    wake_.notify_one();
    return true;
  }

 private:
  typename P::mutex mutex_;
  typename P::condition_variable wake_;
  typename P::template plain<bool> asleep_{false};
};

template <class P>
struct set_is_never_missed {
  static constexpr auto about =
      scenario{.name = "core_latch/set_is_never_missed",
               .threads = 2,
               .claim = "a latch that is set never leaves its waiter asleep"};
  core_latch<P> latch;
  parker<P> here;
  void thread(unsigned index) {
    if (index == 0) {
      here.wait(latch);
    } else if (latch.set()) {
      here.wake();
    }
  }
};

template <class P>
struct only_sleepers_are_woken {
  static constexpr auto about =
      scenario{.name = "core_latch/only_sleepers_are_woken",
               .threads = 2,
               .claim = "set() returns true if the waiter sleeps, and only then"};
  core_latch<P> latch;
  parker<P> here;
  void thread(unsigned index) {
    if (index == 0) {
      here.wait(latch);
    } else if (latch.set()) {
      require(here.wake(), "a waiter that must be woken is asleep");
    }
  }
  void after() { require(!here.wake(), "the waiter is awake"); }
};

// Like a worker that waits for one thing after another, set by different threads.
template <class P>
struct waits_twice {
  static constexpr auto about =
      scenario{.name = "core_latch/waits_twice",
               .threads = 3,
               .claim = "a waiter may sleep on one latch after another, and is woken from each"};
  core_latch<P> latches[2];
  parker<P> here;
  void thread(unsigned index) {
    if (index == 0) {
      here.wait(latches[0]);
      here.wait(latches[1]);
    } else if (latches[index - 1].set()) {
      require(here.wake(), "a waiter that must be woken is asleep");
    }
  }
};

// A waiter is woken for another reason, before or after the latch is set, and may park again.
template <class P>
struct woken_for_nothing {
  static constexpr auto about = scenario{
      .name = "core_latch/woken_for_nothing",
      .threads = 3,
      .claim =
          "a waiter woken for another reason may go back to sleep, and is still woken by set()"};
  core_latch<P> latch;
  parker<P> here;
  void thread(unsigned index) {
    if (index == 0) {
      here.wait(latch);
    } else if (index == 1 || latch.set()) {
      here.wake();
    }
  }
};

template <class P>
struct set_publishes {
  static constexpr auto about = scenario{
      .name = "core_latch/set_publishes",
      .threads = 2,
      .claim = "everything sequenced before set() happens before a probe() that returns true"};
  core_latch<P> latch;
  typename P::template plain<unsigned> result;
  void thread(unsigned index) {
    if (index == 0) {
      if (latch.probe()) require(result.get() == 7, "the complete result is visible");
    } else {
      result.set(7);
      require(!latch.set(), "no thread is asleep");
    }
  }
};

// The latch is in a job that its waiter destroys; the setter does not touch it once it is set.
template <class P>
struct destroyed_when_set {
  static constexpr auto about =
      scenario{.name = "core_latch/destroyed_when_set",
               .threads = 2,
               .claim = "the waiter may destroy the latch as soon as probe() returns true"};
  std::unique_ptr<core_latch<P>> latch = std::make_unique<core_latch<P>>();
  parker<P> here;
  void thread(unsigned index) {
    if (index == 0) {
      here.wait(*latch);
      latch.reset();
    } else if (core_latch<P>& mine = *latch; mine.set()) {
      here.wake();
    }
  }
};

// The transitions alone, without parking: as long as the latch is not set, the waiter may repeat
// them.
template <class P>
struct fails_only_when_set {
  static constexpr auto about =
      scenario{.name = "core_latch/fails_only_when_set",
               .threads = 2,
               .claim = "each transition to sleep and back fails only if the latch is set"};
  core_latch<P> latch;
  void thread(unsigned index) {
    if (index == 1) {
      static_cast<void>(latch.set());
      return;
    }
    for (unsigned nap = 0; nap < 2; ++nap) {
      if (!latch.get_sleepy() || !latch.fall_asleep()) {
        require(latch.probe(), "a transition that fails finds the latch set");
        return;
      }
      latch.wake_up();
    }
  }
};

// How far the waiter got on its way to sleep, and what set() returned.
template <class P>
struct set_on_the_way_to_sleep {
  static constexpr known_outcome known[] = {
      {"0, 0", expect::allowed, "set before the waiter announced itself: it does not go to sleep"},
      {"1, 0", expect::interesting,
       "set between the two transitions: the waiter observes it under its lock"},
      {"2, 1", expect::allowed, "set when the waiter had committed itself: it must be woken"},
      {"2, 0", expect::forbidden, "a lost wake-up: the waiter sleeps, and set() returned false"},
      {"0, 1", expect::forbidden, "a wake-up for a waiter that never went to sleep"},
      {"1, 1", expect::forbidden, "a wake-up for a waiter that did not go to sleep"}};
  static constexpr auto about = scenario{
      .name = "core_latch/set_on_the_way_to_sleep",
      .threads = 2,
      .claim = "set() returns true if and only if the waiter had committed itself to sleep",
      .outcomes = known};
  core_latch<P> latch;
  unsigned steps = 0;  // of the waiter; each of the two is written by one thread only
  bool says_asleep = false;
  void thread(unsigned index) {
    if (index == 1) {
      says_asleep = latch.set();
    } else if (latch.get_sleepy()) {
      steps = latch.fall_asleep() ? 2 : 1;
    }
  }
  void after() { outcome(steps, says_asleep); }
};

}  // namespace core_latch_scenarios

using core_latch_claims_list = scenario_list<
    core_latch_scenarios::set_is_never_missed, core_latch_scenarios::only_sleepers_are_woken,
    core_latch_scenarios::waits_twice, core_latch_scenarios::woken_for_nothing,
    core_latch_scenarios::set_publishes, core_latch_scenarios::destroyed_when_set,
    core_latch_scenarios::fails_only_when_set, core_latch_scenarios::set_on_the_way_to_sleep>;

}  // namespace fencepost::models
