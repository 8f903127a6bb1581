// The claims of the task runner about posts that race with its sleep, one scenario each: its inbox,
// with the turns of run() reduced to pop, sleep and the event.
//
// Each scenario takes the inbox and its turn as a template, so that faults.hpp can substitute a
// wrong one.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <utility>

#include "fencepost/models/task_runner/one_inbox.hpp"
#include "fencepost/models/task_runner/own_tasks.hpp"
#include "fencepost/runtime/run_number.hpp"
#include "fencepost/runtime/task_inbox.hpp"
#include "fencepost/scenario/scenario.hpp"
#include "fencepost/scenario/scenario_list.hpp"

namespace fencepost::models {

namespace task_runner_scenarios {

template <class P, template <class> class Runner>
struct post_against_poll : one_inbox<P, Runner> {
  static constexpr auto about =
      scenario{.name = "task_runner/post_against_poll",
               .threads = 2,
               .claim = "a task posted while the runner goes to sleep is run, fully published",
               .timeouts = 0};
  void thread(unsigned index) {
    if (index != 0) return this->post(0);
    require(this->run(1) == 1, "the task is fully published");
  }
};

template <class P, template <class> class Runner>
struct two_posters : one_inbox<P, Runner> {
  static constexpr auto about =
      scenario{.name = "task_runner/two_posters",
               .threads = 3,
               .claim = "of two concurrent posters one wakes the runner, and both tasks run",
               .timeouts = 0,
               .symmetric = {.first = 1, .count = 2}};
  void thread(unsigned index) {
    if (index != 0) return this->post(index - 1);
    require(this->run(2) == 3, "each task runs exactly once");
  }
};

template <class P, template <class> class Runner>
struct two_rounds : one_inbox<P, Runner> {
  static constexpr auto about = scenario{.name = "task_runner/two_rounds",
                                         .threads = 2,
                                         .claim = "a runner that was woken once is woken again",
                                         .timeouts = 0};
  void thread(unsigned index) {
    if (index == 0) {
      require(this->run(1) == 1, "the first task runs first");
      require(this->run(1) == 2, "the second task runs second");
    } else {
      this->post(0);
      this->post(1);
    }
  }
};

// A slow poster lowers the flag of the second sleep: its signal must not be taken back with the
// first sleep's. Tasks are only counted here.
template <class P>
struct slow_poster {
  static constexpr auto about = scenario{
      .name = "task_runner/slow_poster",
      .threads = 3,
      .claim = "a signal for one sleep is not discarded with the signal for the previous sleep",
      .timeouts = 0};
  wake_point<P, weak_event<P>> wake;
  typename P::template atomic<unsigned> posted{0};

  void thread(unsigned index) {
    if (index == 0) return run(3);
    post();
    if (index == 1) post();
  }
  void post() {
    posted.fetch_add(1, std::memory_order_relaxed);
    wake.wake();
  }
  void run(unsigned tasks) {
    for (unsigned done = 0; done < tasks;) {
      if (posted.load(std::memory_order_relaxed) != done) {
        ++done;
        continue;
      }
      wake.flag.prepare_sleep();
      if (posted.load(std::memory_order_relaxed) == done) wake.event.wait();
      wake.flag.awake();
      wake.event.look();
    }
  }
};

// The first post has drawn its ticket, and is not finished when the second begins.
template <class P, template <class> class Runner>
struct sleep_behind_an_unfinished_post : one_inbox<P, Runner> {
  static constexpr auto about =
      scenario{.name = "task_runner/sleep_behind_an_unfinished_post",
               .threads = 3,
               .claim =
                   "a runner that sleeps with a task behind an unfinished post is woken when the "
                   "post is finished, and runs both tasks in the order of their tickets",
               .timeouts = 0};
  typename P::template atomic<bool> drawn{false};

  void thread(unsigned index) {
    if (index == 1) return this->post(0, &drawn);
    if (index == 2) {
      while (!drawn.load(std::memory_order_relaxed)) P::spin_pause();
      return this->post(1);
    }
    require(this->run(1) == 1, "the first task runs first");
    require(this->run(1) == 2, "the second task runs second");
  }
};

// Each slab has one slot: the second post appends another slab.
template <class P>
struct sleep_at_the_end_of_a_slab : one_inbox<P, runner_with_small_slabs> {
  static constexpr auto about =
      scenario{.name = "task_runner/sleep_at_the_end_of_a_slab",
               .threads = 3,
               .claim =
                   "a runner that sleeps where the next slab is not linked yet is woken by the "
                   "poster that links it",
               .timeouts = 0,
               .symmetric = {.first = 1, .count = 2}};
  void thread(unsigned index) {
    if (index != 0) return this->post(index - 1);
    require(this->run(2) == 3, "each task runs exactly once");
  }
};

template <class P, template <class> class Runner>
struct work_comes_before_the_sleep : one_inbox<P, Runner> {
  static constexpr auto about = scenario{.name = "task_runner/work_comes_before_the_sleep",
                                         .threads = 2,
                                         .claim =
                                             "a runner that posts to itself does not sleep before "
                                             "that task runs, and its next sleep ends",
                                         .timeouts = 0};
  void thread(unsigned index) {
    if (index != 0) return this->post(1);
    this->written[0].set(1);
    this->inbox.push(note<P>{&this->written[0]});
    require(this->run(2) == 3, "each task runs exactly once");
  }
};

// The inbox is destroyed once the last task has been popped; the wake point is not.
template <class P, template <class> class Runner>
struct destroyed_after_the_last_task {
  static constexpr auto about = scenario{
      .name = "task_runner/destroyed_after_the_last_task",
      .threads = 3,
      .claim =
          "the runner may be destroyed while threads that have posted to it are still returning",
      .timeouts = 0,
      .symmetric = {.first = 1, .count = 2}};
  typename Runner<P>::wake wake;
  std::unique_ptr<typename Runner<P>::inbox> inbox =
      std::make_unique<typename Runner<P>::inbox>(wake);
  typename P::template plain<unsigned> written[2];
  void thread(unsigned index) {
    if (index != 0) {
      written[index - 1].set(index);
      return inbox->post(note<P>{&written[index - 1]});
    }
    require(Runner<P>::run(*inbox, wake, 2) == 3, "each task runs exactly once");
    inbox.reset();
  }
};

template <class P, template <class> class Runner>
struct late_wake_of_another_runner {
  static constexpr auto about =
      scenario{.name = "task_runner/late_wake_of_another_runner",
               .threads = 3,
               .claim = "a late wake-up for one runner costs the next runner no wake-up of its own",
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

// A thread announces that it wants another run, and quits that one; the runner ends a run, and
// checks whether another one is wanted.
template <class P>
struct quit_against_the_end_of_a_run {
  static constexpr auto about = scenario{
      .name = "task_runner/quit_against_the_end_of_a_run",
      .threads = 2,
      .claim =
          "a quit ends the next run, or the current run observes at its end what preceded the quit",
      .timeouts = 0};
  run_number<P> run;
  typename P::template atomic<bool> wanted{false};
  bool seen = false;
  std::uint64_t quit = 0;
  void thread(unsigned index) {
    if (index == 0) {
      run.end();
      seen = wanted.load(std::memory_order_relaxed);
    } else {
      wanted.store(true, std::memory_order_relaxed);
      quit = run.called();
    }
  }
  void after() { require(seen || run.is_now(quit), "the quit comes in time, or is not needed"); }
};

template <template <class, template <class> class> class Scenario>
struct checked {
  template <class P>
  using scenario = Scenario<P, runner>;
};

}  // namespace task_runner_scenarios

using task_runner_claims_list = scenario_list<
    task_runner_scenarios::checked<task_runner_scenarios::post_against_poll>::scenario,
    task_runner_scenarios::checked<task_runner_scenarios::two_posters>::scenario,
    task_runner_scenarios::checked<task_runner_scenarios::two_rounds>::scenario,
    task_runner_scenarios::slow_poster,
    task_runner_scenarios::checked<
        task_runner_scenarios::sleep_behind_an_unfinished_post>::scenario,
    task_runner_scenarios::sleep_at_the_end_of_a_slab,
    task_runner_scenarios::checked<task_runner_scenarios::work_comes_before_the_sleep>::scenario,
    task_runner_scenarios::checked<task_runner_scenarios::destroyed_after_the_last_task>::scenario,
    task_runner_scenarios::checked<task_runner_scenarios::late_wake_of_another_runner>::scenario,
    task_runner_scenarios::checked<task_runner_scenarios::own_tasks_keep_the_order>::scenario,
    task_runner_scenarios::checked<task_runner_scenarios::own_tasks_overflow>::scenario,
    task_runner_scenarios::checked<
        task_runner_scenarios::own_task_behind_an_unfinished_post>::scenario,
    task_runner_scenarios::quit_against_the_end_of_a_run>;

}  // namespace fencepost::models
