// What the loops of thread_pool claim: its core, on the threads of the runner, with rounds cut down
// to the shortest. faults.hpp has what must be violated.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>

#include "fencepost/models/thread_pool/following_jobs.hpp"
#include "fencepost/models/thread_pool/waited_job.hpp"
#include "fencepost/models/undisturbed.hpp"
#include "fencepost/runtime/group_count.hpp"
#include "fencepost/runtime/pool_core.hpp"
#include "fencepost/runtime/pool_jobs.hpp"
#include "fencepost/scenario/scenario.hpp"
#include "fencepost/scenario/scenario_list.hpp"

namespace fencepost::models {

namespace thread_pool_scenarios {

// A job that leaves a trace.
template <class P>
struct traced_job final : pool_job<P> {
  traced_job() : pool_job<P>{&run_it} {}
  static void run_it(pool_job<P>& job) noexcept {
    auto& me = static_cast<traced_job&>(job);
    me.runs.set(me.runs.get() + 1);
  }
  typename P::template plain<unsigned> runs{0u};
};

template <class P>
struct outside_waits {
  static constexpr auto about = undisturbed(
      {.name = "thread_pool/outside_waits",
       .threads = 2,
       .claim =
           "an external job runs exactly once, and happens before its submitter's wait returns"});
  pool_core<P> pool{1, at_once};
  typename P::template plain<unsigned> result{0u};
  void thread(unsigned index) {
    if (index == 0) return pool.work(pool.at(0));
    {
      waited_job<P> job{pool, result};
      require(pool.inject(job.record()), "the pool is open");
      job.wait(nullptr);
      require(result.get() == 7, "the result is visible");
    }
    pool.close();
  }
};

// The handle goes before the job is run.
template <class P>
struct nobody_waits {
  static constexpr auto about = undisturbed(
      {.name = "thread_pool/nobody_waits",
       .threads = 2,
       .claim = "a job runs before the pool's destructor returns, even if its handle is gone"});
  pool_core<P> pool{1, at_once};
  typename P::template plain<unsigned> result{0u};
  void thread(unsigned index) {
    if (index == 0) return pool.work(pool.at(0));
    {
      waited_job<P> job{pool, result};
      require(pool.inject(job.record()), "the pool is open");
    }
    pool.close();
  }
  void after() { require(result.get() == 7, "the job ran"); }
};

template <class P>
struct submit_against_stop {
  static constexpr auto about = undisturbed(
      {.name = "thread_pool/submit_against_stop",
       .threads = 3,
       .claim = "a stopping pool refuses an external job, or runs it before stop() returns"});
  pool_core<P> pool{1, at_once};
  traced_job<P> job;
  bool accepted = false;
  void thread(unsigned index) {
    if (index == 0) {
      pool.work(pool.at(0));
    } else if (index == 1) {
      accepted = pool.inject(job);
    } else {
      pool.close();
    }
  }
  void after() { require(job.runs.get() == (accepted ? 1 : 0), "an accepted submission runs"); }
};

// Worker 0 has two jobs; the pool is closed already.
template <class P>
struct claim {
  static constexpr auto about =
      undisturbed({.name = "thread_pool/claim",
                   .threads = 2,
                   .claim = "two workers run each of two jobs exactly once before they leave"});
  pool_core<P> pool{2, at_once};
  traced_job<P> jobs[2];
  void before() {
    for (auto& job : jobs) pool.push(pool.at(0), job);
    pool.close();
  }
  void thread(unsigned index) { pool.work(pool.at(index)); }
  void after() {
    for (auto& job : jobs) require(job.runs.get() == 1, "each job runs exactly once");
  }
};

// A worker with a job in its deque, which the other may steal, waits for it, asleep if it must.
template <class P>
struct worker_waits {
  static constexpr auto about = undisturbed(
      {.name = "thread_pool/worker_waits",
       .threads = 2,
       .claim = "a worker that waits for a job taken by another observes what the job did"});
  pool_core<P> pool{2, at_once};
  typename P::template plain<unsigned> result{0u};
  std::optional<waited_job<P>> job;
  void before() {
    job.emplace(pool, result);
    pool.push(pool.at(0), job->record());
  }
  void thread(unsigned index) {
    if (index == 1) return pool.work(pool.at(1));
    job->wait(&pool.at(0));
    require(result.get() == 7, "the result is visible");
    job.reset();
    pool.close();
  }
};

// A job that lies where the worker waits for it, in its deque, and is gone right after.
template <class P>
struct joined_job_may_die {
  static constexpr auto about =
      undisturbed({.name = "thread_pool/joined_job_may_die",
                   .threads = 2,
                   .claim = "a job on the waiter's stack is not touched after the wait returns"});
  struct work {
    typename P::template plain<unsigned> runs{0u};
    void operator()() { runs.set(runs.get() + 1); }
  };
  pool_core<P> pool{2, at_once};
  work right;
  std::optional<joined_job<work&, P>> job;
  void before() {
    job.emplace(pool.at(0), right);
    pool.push(pool.at(0), *job);
  }
  void thread(unsigned index) {
    if (index == 1) return pool.work(pool.at(1));
    job->finish();
    job->rethrow();
    job.reset();
    require(right.runs.get() == 1, "the job ran exactly once");
    pool.close();
  }
};

// As worker_waits, where the job is pushed while the other worker looks for one, or falls asleep.
template <class P>
struct worker_submits_and_waits {
  static constexpr auto about = undisturbed(
      {.name = "thread_pool/worker_submits_and_waits",
       .threads = 2,
       .claim = "a worker that waits for a job it has just pushed observes what the job did",
       .nightly = true});
  pool_core<P> pool{2, at_once};
  typename P::template plain<unsigned> result{0u};
  void thread(unsigned index) {
    if (index == 1) return pool.work(pool.at(1));
    {
      waited_job<P> job{pool, result};
      pool.push(pool.at(0), job.record());
      job.wait(&pool.at(0));
      require(result.get() == 7, "the result is visible");
    }
    pool.close();
  }
};

// A job that tells the workers from 1 on that it has run, so that they may leave.
template <class P, unsigned Workers>
struct last_job final : pool_job<P> {
  explicit last_job(pool_core<P>& of) : pool_job<P>{&run_it}, pool{of} {}
  static void run_it(pool_job<P>& job) noexcept {
    auto& me = static_cast<last_job&>(job);
    me.ran.store(true, std::memory_order_relaxed);
    for (unsigned worker = 1; worker < Workers; ++worker) {
      me.pool.sleep().set_latch(me.heard[worker], worker);
    }
  }
  void await() {
    while (!ran.load(std::memory_order_relaxed)) P::spin_pause();
  }
  pool_core<P>& pool;
  typename P::template atomic<bool> ran{false};
  core_latch<P> heard[Workers];
};

// Worker 0 has a job in its deque, and does nothing until another has run it.
template <class P>
struct sleeper_gets_pushed_work {
  static constexpr auto about =
      undisturbed({.name = "thread_pool/sleeper_gets_pushed_work",
                   .threads = 2,
                   .claim = "a sleeping worker obtains work that only a busy owner has"});
  pool_core<P> pool{2, at_once};
  last_job<P, 2> job{pool};
  void before() {  // a post that no worker has answered yet: the next does not change the counters
    pool.push(pool.at(0), job);
    require(pool.pop(pool.at(0)) == &job, "no other worker took the job");
  }
  void thread(unsigned index) {
    if (index == 1) return pool.work_until(pool.at(1), job.heard[1]);
    pool.push(pool.at(0), job);
    job.await();
  }
};

// The same with a second worker, which found the job before, and is busy with that until the other
// has run this one: it does not count as one that is looking. The two fall asleep one after the
// other.
template <class P>
struct second_sleeper_gets_pushed_work {
  static constexpr auto about = undisturbed(
      {.name = "thread_pool/second_sleeper_gets_pushed_work",
       .threads = 3,
       .claim = "work reaches a sleeping worker even if another worker found some before"});
  struct long_job final : pool_job<P> {
    explicit long_job(last_job<P, 3>& next) : pool_job<P>{&run_it}, until{next} {}
    static void run_it(pool_job<P>& job) noexcept {
      auto& me = static_cast<long_job&>(job);
      me.begun.store(true, std::memory_order_relaxed);
      me.until.await();
    }
    last_job<P, 3>& until;
    typename P::template atomic<bool> begun{false};
  };
  pool_core<P> pool{3, at_once};
  last_job<P, 3> second{pool};
  long_job first{second};
  void thread(unsigned index) {
    await_sleepers(index == 0 ? 2 : index - 1);
    if (index != 0) return pool.work_until(pool.at(index), second.heard[index]);
    pool.push(pool.at(0), first);
    while (!first.begun.load(std::memory_order_relaxed)) P::spin_pause();
    pool.push(pool.at(0), second);
    second.await();
  }
  void await_sleepers(unsigned count) {
    while (pool.sleep().counters().sleeping() != count) P::spin_pause();
  }
};

// The one worker learns of the job by running it, and destroys the pool; the submitter may still
// be about to wake it.
template <class P>
struct destroyed_at_once {
  static constexpr auto about = undisturbed(
      {.name = "thread_pool/destroyed_at_once",
       .threads = 2,
       .claim = "the pool may be destroyed before the submitter of its last job has returned"});
  struct ending_job final : pool_job<P> {
    explicit ending_job(pool_core<P>& of) : pool_job<P>{&run_it}, pool{&of} {}
    static void run_it(pool_job<P>& job) noexcept {
      auto& me = static_cast<ending_job&>(job);
      me.pool->sleep().set_latch(me.learnt, 0);
    }
    pool_core<P>* pool;
    core_latch<P> learnt;
  };
  std::unique_ptr<pool_core<P>> pool = std::make_unique<pool_core<P>>(1, at_once);
  pool_core<P>* const seen = pool.get();
  ending_job job{*pool};
  void thread(unsigned index) {
    if (index == 0) {
      require(seen->inject(job), "the pool is open");
      return;
    }
    pool->work_until(pool->at(0), job.learnt);
    pool->close();
    pool.reset();
  }
};

// Two workers look for the one job that was given from outside.
template <class P>
struct two_workers_one_job {
  static constexpr auto about = undisturbed(
      {.name = "thread_pool/two_workers_one_job",
       .threads = 2,
       .claim =
           "of two workers one runs an external job, and the other is notified, asleep or not"});
  struct heard_job final : pool_job<P> {
    explicit heard_job(pool_core<P>& of) : pool_job<P>{&run_it}, pool{of} {}
    static void run_it(pool_job<P>& job) noexcept {
      auto& me = static_cast<heard_job&>(job);
      me.runs.set(me.runs.get() + 1);
      for (unsigned worker = 0; worker < 2; ++worker) {
        me.pool.sleep().set_latch(me.heard[worker], worker);
      }
    }
    pool_core<P>& pool;
    typename P::template plain<unsigned> runs{0u};
    core_latch<P> heard[2];
  };
  pool_core<P> pool{2, at_once};
  heard_job job{pool};
  void before() { require(pool.inject(job), "the pool is open"); }
  void thread(unsigned index) { pool.work_until(pool.at(index), job.heard[index]); }
  void after() { require(job.runs.get() == 1, "the job runs exactly once"); }
};

template <class P>
struct two_workers_are_stopped {
  static constexpr auto about =
      undisturbed({.name = "thread_pool/two_workers_are_stopped",
                   .threads = 3,
                   .claim = "two workers leave a stopped pool, whether asleep or about to sleep"});
  pool_core<P> pool{2, at_once};
  void thread(unsigned index) {
    if (index < 2) return pool.work(pool.at(index));
    pool.close();
  }
};

// One of the two is told to leave, and may be on its way during the submission: the submitter may
// count on it, as one that is looking.
template <class P>
struct submit_while_a_worker_leaves {
  static constexpr auto about = undisturbed(
      {.name = "thread_pool/submit_while_a_worker_leaves",
       .threads = 3,
       .claim = "an external job runs although one of two workers leaves during its submission",
       .nightly = true});
  pool_core<P> pool{2, at_once};
  typename destroyed_at_once<P>::ending_job job{pool};  // the remaining thread waits for it
  core_latch<P> may_leave;
  void thread(unsigned index) {
    if (index == 2) {
      pool.sleep().set_latch(may_leave, 1);
      require(pool.inject(job), "the pool is open");
    } else {
      pool.work_until(pool.at(index), index == 0 ? job.learnt : may_leave);
    }
  }
};

// Submits itself again to worker 0 until others have run; lets that worker leave then.
template <class P>
struct self_submitting final : pool_job<P> {
  self_submitting(pool_core<P>& of, unsigned most) : pool_job<P>{&run_it}, pool{of}, left{most} {}
  static void run_it(pool_job<P>& job) noexcept {
    auto& me = static_cast<self_submitting&>(job);
    if (me.others.load(std::memory_order_relaxed) == 0) {
      return me.pool.sleep().set_latch(me.done, 0);
    }
    require(me.left != 0, "the other jobs run before it has submitted itself so often");
    --me.left;
    me.pool.push(me.pool.at(0), me);
  }
  pool_core<P>& pool;
  unsigned left;                                    // unwatched: worker 0's
  typename P::template atomic<unsigned> others{0};  // that have not run yet
  core_latch<P> done;
};

// One of those that it keeps waiting.
template <class P>
struct kept_waiting final : pool_job<P> {
  explicit kept_waiting(self_submitting<P>& by) : pool_job<P>{&run_it}, behind{by} {
    by.others.fetch_add(1, std::memory_order_relaxed);
  }
  static void run_it(pool_job<P>& job) noexcept {
    static_cast<kept_waiting&>(job).behind.others.fetch_sub(1, std::memory_order_relaxed);
  }
  self_submitting<P>& behind;
};

// One worker, with an older job in its deque, and a job from outside.
template <class P, unsigned OutOfTurn>
struct starving_jobs {
  pool_core<P> pool{1, at_once, OutOfTurn};
  self_submitting<P> again{pool, 3 * (OutOfTurn + 1)};
  kept_waiting<P> older{again}, external{again};
  typename P::template atomic<bool> injected{false};
  void thread(unsigned index) {
    if (index == 1) {
      require(pool.inject(external), "the pool is open");
      injected.store(true, std::memory_order_release);
      return;
    }
    pool.push(pool.at(0), older);
    while (!injected.load(std::memory_order_acquire)) P::spin_pause();
    pool.push(pool.at(0), again);
    pool.work_until(pool.at(0), again.done);
  }
};

template <class P>
struct self_submitting_job : starving_jobs<P, 2> {
  static constexpr auto about = undisturbed(
      {.name = "thread_pool/self_submitting_job",
       .threads = 2,
       .claim = "a job that submits itself again starves no external job, and no older one"});
};

// Worker 1 has a job in its deque, and does nothing until it has run.
template <class P>
struct self_submitting_job_beside_a_busy_worker {
  static constexpr auto about =
      undisturbed({.name = "thread_pool/self_submitting_job_beside_a_busy_worker",
                   .threads = 2,
                   .claim = "a job that submits itself again starves no job of a busy worker"});
  pool_core<P> pool{2, at_once, 1};
  self_submitting<P> again{pool, 3 * 2};
  kept_waiting<P> of_the_other{again};
  typename P::template atomic<bool> pushed{false};
  void thread(unsigned index) {
    if (index == 1) {
      pool.push(pool.at(1), of_the_other);
      pushed.store(true, std::memory_order_release);
      while (again.others.load(std::memory_order_relaxed) != 0) P::spin_pause();
      return;
    }
    while (!pushed.load(std::memory_order_acquire)) P::spin_pause();
    pool.push(pool.at(0), again);
    pool.work_until(pool.at(0), again.done);
  }
};

// As one of post(), or that of a coroutine, which lies in its frame.
template <class P>
struct job_may_die_when_it_runs {
  static constexpr auto about = undisturbed(
      {.name = "thread_pool/job_may_die_when_it_runs",
       .threads = 2,
       .claim = "a job may be destroyed when it runs, even if its submission has not returned"});
  struct dying_job final : pool_job<P> {
    explicit dying_job(typename P::template plain<unsigned>& to)
        : pool_job<P>{&run_it}, result{to} {}
    static void run_it(pool_job<P>& job) noexcept {
      const std::unique_ptr<dying_job> me{static_cast<dying_job*>(&job)};
      me->result.set(7);
    }
    typename P::template plain<unsigned>& result;
  };
  pool_core<P> pool{1, at_once};
  typename P::template plain<unsigned> result{0u};
  void thread(unsigned index) {
    if (index == 0) return pool.work(pool.at(0));
    require(pool.inject(*new dying_job{result}), "the pool is open");
    pool.close();
  }
  void after() { require(result.get() == 7, "the job ran"); }
};

// Two tasks, both of which fail, and an owner outside, which destroys the group at once.
template <class P>
struct group_may_die_after_the_wait {
  static constexpr auto about = undisturbed(
      {.name = "thread_pool/group_may_die_after_the_wait",
       .threads = 3,
       .claim = "what the tasks of a group did is visible after the wait for it, and the group may "
                "be destroyed"});
  std::unique_ptr<group_count<P>> group = std::make_unique<group_count<P>>();
  group_count<P>* const seen = group.get();
  typename P::template plain<unsigned> results[2];
  void before() {
    seen->enter();
    seen->enter();
  }
  void thread(unsigned index) {
    if (index < 2) {
      results[index].set(7);
      seen->fail(nullptr);
      seen->leave();
      return;
    }
    group->wait(nullptr);
    require(results[0].get() + results[1].get() == 14, "the results are visible");
    static_cast<void>(group->take_error());
    group.reset();
  }
};

// A task whose group an owner waits for: one of the pool's workers, asleep if it must.
template <class P>
struct group_of_a_waiting_worker {
  static constexpr auto about =
      undisturbed({.name = "thread_pool/group_of_a_waiting_worker",
                   .threads = 2,
                   .claim = "a worker that waits for a group is woken by its last task, and "
                            "observes what it did"});
  struct leaving_job final : pool_job<P> {
    explicit leaving_job(group_count<P>& of) : pool_job<P>{&run_it}, group{of} {}
    static void run_it(pool_job<P>& job) noexcept {
      auto& me = static_cast<leaving_job&>(job);
      me.result.set(7);
      me.group.leave();
    }
    group_count<P>& group;
    typename P::template plain<unsigned> result{0u};
  };
  pool_core<P> pool{2, at_once};
  group_count<P> group;
  leaving_job job{group};
  void before() {
    group.enter();
    pool.push(pool.at(0), job);
  }
  void thread(unsigned index) {
    if (index == 1) return pool.work(pool.at(1));
    group.wait(&pool.at(0));
    require(job.result.get() == 7, "the result is visible");
    pool.close();
  }
};

// A task adds another, hands it over, and ends; then, a second group of the same count.
template <class P>
struct group_task_adds_another {
  static constexpr auto about = undisturbed(
      {.name = "thread_pool/group_task_adds_another",
       .threads = 3,
       .claim = "a task that a task of the group has added is waited for, and the group "
                "can be used again"});
  group_count<P> group;
  typename P::template plain<unsigned> result{0u};
  typename P::template atomic<unsigned> handed_over{0};
  void before() { group.enter(); }
  void thread(unsigned index) {
    if (index == 0) {
      group.enter();
      handed_over.store(1, std::memory_order_release);
      group.leave();
    } else if (index == 1) {
      while (handed_over.load(std::memory_order_acquire) == 0) P::spin_pause();
      result.set(7);
      group.leave();
    } else {
      group.wait(nullptr);
      require(result.get() == 7, "the added task has ended");
      group.enter();
      group.leave();
      group.wait(nullptr);
    }
  }
};

}  // namespace thread_pool_scenarios

using thread_pool_claims_list = scenario_list<
    thread_pool_scenarios::outside_waits, thread_pool_scenarios::nobody_waits,
    thread_pool_scenarios::submit_against_stop, thread_pool_scenarios::claim,
    thread_pool_scenarios::worker_waits, thread_pool_scenarios::joined_job_may_die,
    thread_pool_scenarios::worker_submits_and_waits,
    thread_pool_scenarios::sleeper_gets_pushed_work,
    thread_pool_scenarios::second_sleeper_gets_pushed_work,
    thread_pool_scenarios::destroyed_at_once, thread_pool_scenarios::two_workers_one_job,
    thread_pool_scenarios::two_workers_are_stopped,
    thread_pool_scenarios::submit_while_a_worker_leaves, thread_pool_scenarios::self_submitting_job,
    thread_pool_scenarios::self_submitting_job_beside_a_busy_worker,
    thread_pool_scenarios::job_may_die_when_it_runs,
    thread_pool_scenarios::group_may_die_after_the_wait,
    thread_pool_scenarios::group_of_a_waiting_worker,
    thread_pool_scenarios::group_task_adds_another,
    thread_pool_scenarios::follower_comes_after_the_job,
    thread_pool_scenarios::all_jobs_come_before_the_result>;

}  // namespace fencepost::models
