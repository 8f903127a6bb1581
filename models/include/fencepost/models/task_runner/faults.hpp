// Posts that race with the runner's sleep, without each of its fences and steps in turn: scenarios
// that must be violated. Where that is a liveness violation, the runner keeps sleeping with a task
// to run.
#pragma once

#include <atomic>
#include <memory>

#include "fencepost/models/orders/order_fault.hpp"
#include "fencepost/models/task_runner/claims.hpp"
#include "fencepost/runtime/task_inbox.hpp"
#include "fencepost/scenario/scenario.hpp"
#include "fencepost/scenario/scenario_list.hpp"

namespace fencepost::models {

namespace task_runner_faults {

using task_runner_scenarios::note;
using task_runner_scenarios::own_task_behind_an_unfinished_post;
using task_runner_scenarios::post_against_poll;
using task_runner_scenarios::sleep_behind_an_unfinished_post;
using task_runner_scenarios::slots;
using task_runner_scenarios::two_rounds;
using task_runner_scenarios::weak_event;

enum class fault {
  no_second_look,    // the runner does not check for tasks after it has raised the flag
  late_flag,         // the runner raises the flag after its last look
  early_claim,       // a poster reads the flag before it pushes
  late_clear,        // the runner takes signals back right before it waits
  flag_left_down,    // the runner does not raise the flag again for its second sleep
  own_regardless,    // the runner's own tasks go to its ring though the queue has some
  own_if_not_ready,  // the same, though the queue has some behind an unfinished post
  sleeps_on,         // a runner that is woken, and finds nothing ready, waits again as it is
};

// task_inbox and the runner's turn with one of the steps wrong.
template <class P, fault Fault>
struct faulty_runner {
  using wake = wake_point<P, weak_event<P>>;

  class inbox : public task_inbox<note<P>, wake, P, slots, 1> {
   public:
    explicit inbox(wake& point) : task_inbox<note<P>, wake, P, slots, 1>(point), point_(point) {}
    void post(note<P>&& item) {
      if (Fault == fault::early_claim) point_.wake();
      this->queue_.push(std::move(item));
      if (Fault != fault::early_claim) point_.wake();
    }
    void push(note<P>&& item) {
      const bool before_the_queue = Fault == fault::own_regardless ||
                                    (Fault == fault::own_if_not_ready && !this->queue_.ready());
      if (before_the_queue && !this->own_.full()) {
        this->own_.push(std::move(item));
      } else {
        task_inbox<note<P>, wake, P, slots, 1>::push(std::move(item));
      }
    }

   private:
    wake& point_;
  };

  static unsigned run(inbox& in, wake& point, unsigned items) {
    unsigned sum = 0;
    bool slept = false;
    while (items != 0) {
      if (const auto item = in.pop()) {
        sum += item->written->get();
        --items;
        continue;
      }
      bool nothing = Fault != fault::late_flag || !in.ready();
      if (Fault != fault::flag_left_down || !slept) point.flag.prepare_sleep();
      if (Fault != fault::late_flag && Fault != fault::no_second_look) nothing = !in.ready();
      if (nothing) {
        if (Fault == fault::late_clear) point.event.clear();
        point.event.wait();
        while (Fault == fault::sleeps_on && !in.ready()) {
          point.event.look();
          point.event.wait();
        }
        slept = true;
      }
      in.awake();
      point.event.look();
    }
    return sum;
  }
};

template <fault Fault>
struct with {
  template <class P>
  using runner = faulty_runner<P, Fault>;
};

template <class P>
struct no_second_look : post_against_poll<P, with<fault::no_second_look>::runner> {
  static constexpr auto about = scenario{
      .name = "task_runner/no_second_look",
      .threads = 2,
      .claim = "a runner that does not search again after raising its flag misses an earlier task",
      .expected = violation::liveness,
      .timeouts = 0};
};

template <class P>
struct late_flag : post_against_poll<P, with<fault::late_flag>::runner> {
  static constexpr auto about =
      scenario{.name = "task_runner/late_flag",
               .threads = 2,
               .claim = "a flag raised after the last search is observed by no poster",
               .expected = violation::liveness,
               .timeouts = 0};
};

template <class P>
struct early_claim : post_against_poll<P, with<fault::early_claim>::runner> {
  static constexpr auto about =
      scenario{.name = "task_runner/early_claim",
               .threads = 2,
               .claim = "a poster that reads the flag before it pushes misses the sleeping runner",
               .expected = violation::liveness,
               .timeouts = 0};
};

template <class P>
struct late_clear : post_against_poll<P, with<fault::late_clear>::runner> {
  static constexpr auto about =
      scenario{.name = "task_runner/late_clear",
               .threads = 2,
               .claim = "a runner that discards signals after its last search misses a wake-up",
               .expected = violation::liveness,
               .timeouts = 0};
};

template <class P>
struct flag_left_down : two_rounds<P, with<fault::flag_left_down>::runner> {
  static constexpr auto about =
      scenario{.name = "task_runner/flag_left_down",
               .threads = 2,
               .claim = "if the flag is not raised for each sleep, the second sleep never ends",
               .expected = violation::liveness,
               .timeouts = 0};
};

template <class P>
struct sleeps_on : sleep_behind_an_unfinished_post<P, with<fault::sleeps_on>::runner> {
  static constexpr auto about = scenario{
      .name = "task_runner/sleeps_on",
      .threads = 3,
      .claim =
          "a runner that is woken for a task behind an unfinished post, and sleeps on with its "
          "flag lowered, misses the end of that post",
      .expected = violation::liveness,
      .timeouts = 0};
};

template <class P>
struct own_if_not_ready
    : own_task_behind_an_unfinished_post<P, with<fault::own_if_not_ready>::runner> {
  static constexpr auto about = scenario{
      .name = "task_runner/own_if_not_ready",
      .threads = 3,
      .claim =
          "a runner that takes a queue with nothing ready for an empty one overtakes a task "
          "posted earlier, behind an unfinished post",
      .expected = violation::assertion,
      .timeouts = 0};
};

// The ring has room: the runner learns of the other thread's post before it pushes its own task.
template <class P>
struct own_regardless {
  static constexpr auto about = scenario{
      .name = "task_runner/own_regardless",
      .threads = 2,
      .claim = "a runner that puts its own task before the queue's overtakes a task posted earlier",
      .expected = violation::assertion,
      .timeouts = 0};
  using runner = faulty_runner<P, fault::own_regardless>;
  typename runner::wake wake;
  typename runner::inbox inbox{wake};
  typename P::template plain<unsigned> written[2];
  typename P::template atomic<bool> posted{false};
  void thread(unsigned index) {
    written[index].set(index);
    if (index == 1) {
      inbox.post(note<P>{&written[1]});
      posted.store(true, std::memory_order_release);
    } else {
      while (!posted.load(std::memory_order_acquire)) P::spin_pause();
      inbox.push(note<P>{&written[0]});
      require(inbox.pop()->written->get() == 1, "the task posted earlier runs first");
    }
  }
};

// The wake point is part of what is destroyed after the last task.
template <class P>
struct wake_point_goes_with_the_runner {
  static constexpr auto about = scenario{.name = "task_runner/wake_point_goes_with_the_runner",
                                         .threads = 2,
                                         .claim = "a poster reads the flag of a destroyed runner",
                                         .expected = violation::use_after_free,
                                         .timeouts = 0};
  using runner = task_runner_scenarios::runner<P>;
  struct owner {
    typename runner::wake wake;
    typename runner::inbox inbox{wake};
  };
  std::unique_ptr<owner> all = std::make_unique<owner>();
  typename P::template plain<unsigned> written;
  void thread(unsigned index) {
    if (index == 0) {
      runner::run(all->inbox, all->wake, 1);
      all.reset();
    } else {
      written.set(1);
      all->inbox.post(note<P>{&written});
    }
  }
};

}  // namespace task_runner_faults

using task_runner_faults_list = scenario_list<
    order_fault<"task_runner/no_claim_fence",
                task_runner_scenarios::checked<task_runner_scenarios::post_against_poll>::scenario,
                "wake_flag.hpp:claim.fence=removed", violation::liveness,
                "without the fence after its push, a poster misses the sleeping runner">::on,
    order_fault<"task_runner/relaxed_claim", task_runner_scenarios::slow_poster,
                "wake_flag.hpp:claim=relaxed", violation::liveness,
                "a signal that is not ordered after the end of the last sleep is discarded with "
                "that sleep's, and lost">::on,
    order_fault<"task_runner/relaxed_up", task_runner_scenarios::slow_poster,
                "wake_flag.hpp:up=relaxed", violation::liveness,
                "if raising the flag does not publish the end of the last sleep, a slow poster's "
                "signal is discarded with that sleep's">::on,
    order_fault<"task_runner/no_sleep_fence",
                task_runner_scenarios::checked<task_runner_scenarios::post_against_poll>::scenario,
                "wake_flag.hpp:up.fence=removed", violation::liveness,
                "without the fence after the flag, the runner misses a task and is not woken">::on,
    order_fault<"task_runner/seq_cst_flag",
                task_runner_scenarios::checked<task_runner_scenarios::post_against_poll>::scenario,
                "wake_flag.hpp:up.fence=removed", violation::liveness,
                "a seq_cst flag does not replace the fences: push and pop are weaker",
                "wake_flag.hpp:claim.fence=removed", "wake_flag.hpp:up=seq_cst",
                "wake_flag.hpp:claim.look=seq_cst">::on,
    order_fault<"task_runner/relaxed_quit", task_runner_scenarios::quit_against_the_end_of_a_run,
                "run_number.hpp:called=relaxed", violation::assertion,
                "a quit() that does not release takes effect too late, and no caller is told">::on,
    order_fault<"task_runner/relaxed_end_of_run",
                task_runner_scenarios::quit_against_the_end_of_a_run, "run_number.hpp:end=relaxed",
                violation::assertion,
                "the end of a run that does not acquire misses what preceded a late quit">::on,
    task_runner_faults::no_second_look, task_runner_faults::late_flag,
    task_runner_faults::early_claim, task_runner_faults::late_clear,
    task_runner_faults::flag_left_down, task_runner_faults::sleeps_on,
    task_runner_faults::own_regardless, task_runner_faults::own_if_not_ready,
    task_runner_faults::wake_point_goes_with_the_runner>;

}  // namespace fencepost::models
