// What the task runner claims of posting against its sleep, one scenario a claim: its inbox, with
// the turns of run() reduced to pop, sleep and the event.
//
// The event is weaker than any system's: a flag with relaxed orders, and no fence in the wait. No
// time-out ends a sleep, so that a lost wake-up is a thread that waits for ever.
//
// Each takes the inbox and its turn as a template, so that task_runner_faults.hpp can put a wrong
// one in.
#pragma once

#include <atomic>
#include <memory>

#include "fencepost/models/scenario_list.hpp"
#include "fencepost/queue/slab_queue.hpp"
#include "fencepost/runtime/task_inbox.hpp"
#include "fencepost/scenario.hpp"

namespace fencepost::models {

namespace task_runner_scenarios {

template <class P>
class weak_event {
 public:
  void signal() { signalled_.store(1, std::memory_order_relaxed); }
  // The runner's: poll() with a sleep; and what is done about the event after each poll().
  void wait() {
    while (signalled_.load(std::memory_order_relaxed) == 0) P::spin_pause();
  }
  void look() {
    if (signalled_.load(std::memory_order_relaxed) != 0) clear();
  }
  void clear() { signalled_.exchange(0, std::memory_order_relaxed); }

 private:
  typename P::template atomic<unsigned> signalled_{0};
};

// An item, with what its poster has written before the post.
template <class P>
struct note {
  typename P::template plain<unsigned>* written;
};

inline constexpr slab_shape one_word{.slots = 2, .word_bits = 2, .buckets = 1};

template <class P>
struct runner {
  using wake = wake_point<P, weak_event<P>>;
  using inbox = task_inbox<note<P>, wake, P, one_word>;

  // As task_runner's turns, until so many items have come. What they say is added up.
  static unsigned run(inbox& in, wake& point, unsigned items) {
    unsigned sum = 0;
    while (items != 0) {
      if (const auto item = in.pop()) {
        sum += item->written->get();
        --items;
        continue;
      }
      if (in.prepare_sleep()) point.event.wait();
      in.awake();
      point.event.look();
    }
    return sum;
  }
};

template <class P, template <class> class Runner>
struct one_inbox {
  typename Runner<P>::wake wake;
  typename Runner<P>::inbox inbox{wake};
  typename P::template plain<unsigned> written[2];

  void post(unsigned which) {
    written[which].set(which + 1);
    inbox.post(note<P>{&written[which]});
  }
  unsigned run(unsigned items) { return Runner<P>::run(inbox, wake, items); }
};

template <class P, template <class> class Runner>
struct post_against_poll : one_inbox<P, Runner> {
  static constexpr auto about =
      scenario{.name = "task_runner/post_against_poll",
               .threads = 2,
               .claim = "a task that is posted while the runner goes to sleep is run, and whole",
               .timeouts = 0};
  void thread(unsigned index) {
    if (index != 0) return this->post(0);
    require(this->run(1) == 1, "the task is all there");
  }
};

template <class P, template <class> class Runner>
struct two_posters : one_inbox<P, Runner> {
  static constexpr auto about =
      scenario{.name = "task_runner/two_posters",
               .threads = 3,
               .claim = "of two that post at once one wakes the runner, and both are run",
               .timeouts = 0};
  void thread(unsigned index) {
    if (index != 0) return this->post(index - 1);
    require(this->run(2) == 3, "each task is run once");
  }
};

template <class P, template <class> class Runner>
struct two_rounds : one_inbox<P, Runner> {
  static constexpr auto about =
      scenario{.name = "task_runner/two_rounds",
               .threads = 2,
               .claim = "a runner that has been woken once is woken again",
               .timeouts = 0};
  void thread(unsigned index) {
    if (index == 0) {
      require(this->run(1) == 1, "the first task comes first");
      require(this->run(1) == 2, "the second task comes second");
    } else {
      this->post(0);
      this->post(1);
    }
  }
};

template <class P, template <class> class Runner>
struct work_comes_before_the_sleep : one_inbox<P, Runner> {
  static constexpr auto about =
      scenario{.name = "task_runner/work_comes_before_the_sleep",
               .threads = 2,
               .claim =
                   "a runner that posts to itself does not sleep before that is run, and its "
                   "next sleep ends",
               .timeouts = 0};
  void thread(unsigned index) {
    if (index != 0) return this->post(1);
    this->written[0].set(1);
    this->inbox.push(note<P>{&this->written[0]});
    require(this->run(2) == 3, "each task is run once");
  }
};

// The inbox is gone when the last task has been popped; the wake point is not.
template <class P, template <class> class Runner>
struct destroyed_after_the_last_task {
  static constexpr auto about =
      scenario{.name = "task_runner/destroyed_after_the_last_task",
               .threads = 3,
               .claim =
                   "the runner may be destroyed while those that have posted are on their way "
                   "out",
               .timeouts = 0};
  typename Runner<P>::wake wake;
  std::unique_ptr<typename Runner<P>::inbox> inbox =
      std::make_unique<typename Runner<P>::inbox>(wake);
  typename P::template plain<unsigned> written[2];
  void thread(unsigned index) {
    if (index != 0) {
      written[index - 1].set(index);
      return inbox->post(note<P>{&written[index - 1]});
    }
    require(Runner<P>::run(*inbox, wake, 2) == 3, "each task is run once");
    inbox.reset();
  }
};

template <class P, template <class> class Runner>
struct late_wake_of_another_runner {
  static constexpr auto about =
      scenario{.name = "task_runner/late_wake_of_another_runner",
               .threads = 3,
               .claim =
                   "a wake that was meant for a runner before it does not take one from the "
                   "next",
               .timeouts = 0};
  typename Runner<P>::wake wake;
  std::unique_ptr<typename Runner<P>::inbox> first =
      std::make_unique<typename Runner<P>::inbox>(wake);
  typename Runner<P>::inbox second{wake};
  typename P::template plain<unsigned> written[2];
  void thread(unsigned index) {
    if (index == 0) {
      require(Runner<P>::run(*first, wake, 1) == 1, "the first runner's task");
      first.reset();
      require(Runner<P>::run(second, wake, 1) == 2, "the second runner's task");
    } else {
      written[index - 1].set(index);
      (index == 1 ? *first : second).post(note<P>{&written[index - 1]});
    }
  }
};

template <template <class, template <class> class> class Scenario>
struct checked {
  template <class P>
  using scenario = Scenario<P, runner>;
};

}  // namespace task_runner_scenarios

using task_runner_list = scenario_list<
    task_runner_scenarios::checked<task_runner_scenarios::post_against_poll>::scenario,
    task_runner_scenarios::checked<task_runner_scenarios::two_posters>::scenario,
    task_runner_scenarios::checked<task_runner_scenarios::two_rounds>::scenario,
    task_runner_scenarios::checked<task_runner_scenarios::work_comes_before_the_sleep>::scenario,
    task_runner_scenarios::checked<task_runner_scenarios::destroyed_after_the_last_task>::scenario,
    task_runner_scenarios::checked<task_runner_scenarios::late_wake_of_another_runner>::scenario>;

}  // namespace fencepost::models
