// The claims of a strand: its core, with turns taken by the threads that are told to take one, or
// by the loops of a thread_pool. The scenarios in faults.hpp must be violated.
#pragma once

#include "fencepost/models/strand/tasks.hpp"
#include "fencepost/models/thread_pool/waited_job.hpp"
#include "fencepost/models/undisturbed.hpp"
#include "fencepost/runtime/pool_core.hpp"
#include "fencepost/runtime/strand_core.hpp"
#include "fencepost/scenario/scenario.hpp"
#include "fencepost/scenario/scenario_list.hpp"

namespace fencepost::models {

namespace strand_scenarios {

template <class P>
struct one_after_the_other {
  static constexpr auto about =
      scenario{.name = "strand/one_after_the_other",
               .threads = 2,
               .claim =
                   "tasks of a strand never run at the same time, and each observes what the "
                   "previous one did, whichever threads run them",
               .symmetric = {.first = 0, .count = 2}};
  strand_core<P> core;
  typename P::template plain<unsigned> seen{0u};
  numbered_task<P> tasks[2] = {{seen, 1}, {seen, 1}};
  void thread(unsigned index) { post(core, tasks[index]); }
  void after() { require(seen.get() == 11, "each has run once"); }
};

// Each turn runs one task, and leaves the others that it has taken to the next turn.
template <class P>
struct in_the_order_of_the_posts {
  static constexpr auto about =
      scenario{.name = "strand/in_the_order_of_the_posts",
               .threads = 2,
               .claim =
                   "each task runs once, in the order of the posts of one thread and of posts of "
                   "which one happens before the other"};
  strand_core<P> core;
  typename P::template plain<unsigned> seen{0u};
  numbered_task<P> tasks[3] = {{seen, 1}, {seen, 2}, {seen, 3}};
  typename P::template atomic<unsigned> posted{0};
  bool second_comes_later = false;
  void thread(unsigned index) {
    if (index == 0) {
      post(core, tasks[0], 1);
      posted.store(1, std::memory_order_release);
      post(core, tasks[1], 1);
    } else {
      second_comes_later = posted.load(std::memory_order_acquire) != 0;
      post(core, tasks[2], 1);
    }
  }
  void after() {
    const unsigned order = seen.get();
    require(order == 123 || order == 132 || (order == 312 && !second_comes_later),
            "each has run once, and in order");
  }
};

// The owner gives up the handle while a turn is in progress, or about to end.
template <class P>
struct handle_goes_before_the_tasks {
  static constexpr auto about = scenario{.name = "strand/handle_goes_before_the_tasks",
                                         .threads = 2,
                                         .claim =
                                             "tasks that remain when the handle is given up run, "
                                             "and the strand is destroyed once, after them"};
  strand_core<P>* core = new strand_core<P>;
  typename P::template plain<unsigned> seen{0u};
  numbered_task<P> task{seen, 1};
  void before() { require(core->put(task), "the strand was idle"); }
  void thread(unsigned index) {
    if (index == 0) {
      if (run_turns(*core, 1) == strand_turn::ended) delete core;
    } else if (!core->end()) {
      require(seen.get() == 1, "the task has ended");
      delete core;
    }
  }
  void after() { require(seen.get() == 1, "the task has run once"); }
};

// Like a session that its last task destroys.
template <class P>
struct task_destroys_the_strand {
  static constexpr auto about =
      scenario{.name = "strand/task_destroys_the_strand",
               .threads = 2,
               .claim = "a task may give up the handle, even if its own post has not returned"};
  struct last_task final : pool_job<P> {
    explicit last_task(strand_core<P>& of) : pool_job<P>{&run_it}, core{of} {}
    static void run_it(pool_job<P>& job) noexcept {
      require(static_cast<last_task&>(job).core.end(), "the task's own turn is in progress");
    }
    strand_core<P>& core;
  };
  strand_core<P>* core = new strand_core<P>;
  typename P::template plain<unsigned> seen{0u};
  numbered_task<P> first{seen, 1};
  last_task last{*core};
  bool ended[2] = {};
  void before() { require(core->put(first), "the strand was idle"); }
  void thread(unsigned index) {
    if (index == 1 && !core->put(last)) return;
    ended[index] = run_turns(*core, 1) == strand_turn::ended;
    if (ended[index]) delete core;
  }
  void after() { require(ended[0] != ended[1] && seen.get() == 1, "the strand has ended once"); }
};

// Two posts from outside. The pool is stopped between them or after both; its worker begins late.
template <class P>
struct accepted_task_runs {
  static constexpr auto about =
      undisturbed({.name = "strand/accepted_task_runs",
                   .threads = 2,
                   .claim = "a stopped pool refuses a task from outside, or the task runs, even if "
                            "another thread was to submit the turn"});
  pool_core<P> pool{1, thread_pool_scenarios::at_once};
  turns_of_a_worker<P> turns{pool};
  typename P::template plain<unsigned> seen{0u};
  numbered_task<P> tasks[2] = {{seen, 1}, {seen, 2}};
  bool accepted[2] = {};
  void thread(unsigned index) {
    accepted[index] = turns.post(tasks[index]);
    if (index == 1) pool.close();
  }
  void after() {
    pool.work(pool.at(0));
    const unsigned order = seen.get();
    require(accepted[1], "the pool was open");
    require(accepted[0] ? order == 12 || order == 21 : order == 2, "an accepted task has run once");
  }
};

template <class P>
struct worker_takes_the_turns {
  static constexpr auto about = undisturbed(
      {.name = "strand/worker_takes_the_turns",
       .threads = 2,
       .claim = "a sleeping worker is woken for a turn, and takes the next turn as well"});
  pool_core<P> pool{1, thread_pool_scenarios::at_once};
  turns_of_a_worker<P> turns{pool};
  typename P::template plain<unsigned> seen{0u};
  numbered_task<P> tasks[2] = {{seen, 1}, {seen, 2}};
  void thread(unsigned index) {
    if (index == 0) return pool.work(pool.at(0));
    const auto both = [this]() noexcept {
      return turns.core.put(tasks[0]) && !turns.core.put(tasks[1]);
    };
    require(pool.inject_if(both, turns), "the pool is open");
    pool.close();
  }
  void after() { require(seen.get() == 12, "both have run, in order"); }
};

}  // namespace strand_scenarios

using strand_claims_list = scenario_list<
    strand_scenarios::one_after_the_other, strand_scenarios::in_the_order_of_the_posts,
    strand_scenarios::handle_goes_before_the_tasks, strand_scenarios::task_destroys_the_strand,
    strand_scenarios::accepted_task_runs, strand_scenarios::worker_takes_the_turns>;

}  // namespace fencepost::models
