// What a counted_thread_pool and a counted_task_runner count, and what they report while they work.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <stdexcept>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

#include "child_process.hpp"
#include "fencepost/deque/chase_lev.hpp"
#include "fencepost/runtime/task_group.hpp"
#include "fencepost/runtime/task_runner.hpp"
#include "fencepost/runtime/thread_pool.hpp"
#include "fencepost/runtime/worker_counters.hpp"
#include "fencepost/runtime/worker_trace.hpp"
#if !defined(_WIN32)
#include <unistd.h>

#include <array>
#endif

namespace fencepost {
namespace {

using namespace std::chrono_literals;

// Counters take no space unless they are requested.
struct value_with_counters {
  int value;
  [[no_unique_address]] worker_counters<thread_pool_counts, false> counters;
  [[no_unique_address]] shared_counter<false> shared;
  [[no_unique_address]] shared_counter<false, 64> aligned;
};
static_assert(sizeof(value_with_counters) == sizeof(int));
static_assert(!counted_policy<default_atomics> && !counted_policy<traced_atomics>);
static_assert(counted_policy<counted_atomics> && !traced_policy<counted_atomics>);
static_assert(sizeof(pool_core<>::worker) < sizeof(pool_core<counted_atomics>::worker));
static_assert(sizeof(task_runner) < sizeof(counted_task_runner));
static_assert(sizeof(chase_lev<int*>) == sizeof(chase_lev<int*, counted_atomics>));

thread_pool_options of(std::uint32_t workers) {
  thread_pool_options options;
  options.workers = workers;
  return options;
}

template <class Condition>
void wait_until(Condition&& condition) {
  while (!condition()) std::this_thread::yield();
}

TEST(thread_pool_statistics, a_job_from_outside_is_submitted_taken_and_run) {
  counted_thread_pool pool{of(1)};
  EXPECT_EQ(pool.statistics().submitted, 0U);
  EXPECT_EQ(pool.submit([] { return 6 * 7; }).get(), 42);
  const thread_pool_statistics seen = pool.statistics();
  EXPECT_EQ(seen.jobs, 1U);
  EXPECT_EQ(seen.submitted, 1U);
  EXPECT_EQ(seen.injected, 1U);
  EXPECT_EQ(seen.stolen, 0U);
  EXPECT_EQ(seen.queued, 0U);
  EXPECT_EQ(seen.outside.submitted, 1U);
  ASSERT_EQ(seen.workers.size(), 1U);
  EXPECT_EQ(seen.workers[0].jobs, 1U);
  EXPECT_EQ(seen.workers[0].submitted, 0U);
}

TEST(thread_pool_statistics, what_waits_is_queued_in_a_deque_or_outside) {
  counted_thread_pool pool{of(1)};
  std::atomic<bool> go{false}, queued{false};
  const auto busy = pool.submit([&] {
    for (int i = 0; i < 3; ++i) pool.post([] {});
    queued = true;
    wait_until([&] { return go.load(); });
  });
  wait_until([&] { return queued.load(); });
  for (int i = 0; i < 2; ++i) pool.post([] {});
  const thread_pool_statistics seen = pool.statistics();
  EXPECT_EQ(seen.workers[0].queued, 3U);
  EXPECT_EQ(seen.workers[0].submitted, 3U);
  EXPECT_EQ(seen.outside.queued, 2U);
  EXPECT_EQ(seen.queued, 5U);
  EXPECT_EQ(seen.submitted, 6U);
  EXPECT_EQ(seen.jobs, 1U);
  go = true;
  pool.stop();
  EXPECT_EQ(pool.statistics().queued, 0U);
  EXPECT_EQ(pool.statistics().jobs, 6U);
}

TEST(thread_pool_statistics, the_right_one_of_a_join_is_a_job_the_left_one_is_not) {
  counted_thread_pool pool{of(1)};
  pool.call([&] { pool.join([] {}, [] {}); });
  const thread_pool_statistics seen = pool.statistics();
  EXPECT_EQ(seen.jobs, 2U);
  EXPECT_EQ(seen.submitted, 2U);
  EXPECT_EQ(seen.workers[0].submitted, 1U);
}

TEST(thread_pool_statistics, a_theft_is_counted_by_the_thief) {
  counted_thread_pool pool{of(2)};
  std::thread::id owner, thief;
  pool.call([&] {
    owner = std::this_thread::get_id();
    std::atomic<bool> ran{false};
    pool.post([&] {
      thief = std::this_thread::get_id();
      ran = true;
    });
    wait_until([&] { return ran.load(); });
  });
  EXPECT_NE(owner, thief);
  const thread_pool_statistics seen = pool.statistics();
  EXPECT_EQ(seen.stolen, 1U);
  for (const thread_pool_counts& each : seen.workers) EXPECT_NE(each.stolen, each.submitted);
}

TEST(thread_pool_statistics, a_job_that_is_taken_out_of_turn_is_taken_from_the_queue) {
  thread_pool_options options = of(1);
  options.out_of_turn = 1;
  counted_thread_pool pool{options};
  std::atomic<bool> submitted{false}, ran{false};
  const std::function<void()> again = [&] {
    wait_until([&] { return submitted.load(); });
    if (!ran) pool.post(again);  // so that the worker always has a job of its own
  };
  pool.post(again);
  pool.post([&] { ran = true; });
  submitted = true;
  pool.stop();
  EXPECT_EQ(pool.statistics().injected, 2U);
  EXPECT_TRUE(ran);
}

TEST(thread_pool_statistics, each_sleep_is_counted_and_each_wake) {
  counted_thread_pool pool{of(1)};
  for (std::uint64_t sleep = 1; sleep <= 3; ++sleep) {
    wait_until([&] { return pool.statistics().parks == sleep; });
    EXPECT_EQ(pool.statistics().wakes, sleep - 1);
    EXPECT_EQ(pool.statistics().injected, sleep - 1);
    pool.call([] {});
    EXPECT_EQ(pool.statistics().wakes, sleep);
  }
  pool.stop();
  EXPECT_EQ(pool.statistics().parks, pool.statistics().wakes);
}

void add_tree(counted_thread_pool& pool, basic_task_group<counted_atomics>& group, int depth) {
  if (depth == 0) return;
  for (int child = 0; child < 3; ++child) {
    group.run([&pool, &group, depth] { add_tree(pool, group, depth - 1); });
  }
  pool.join([] {}, [] {});
}

// Numbers that only grow never decrease for a thread that reads them again; at rest, all agree.
TEST(thread_pool_statistics, are_read_while_the_pool_works) {
  counted_thread_pool pool{of(3)};
  std::atomic<bool> done{false};
  std::thread reader{[&] {
    thread_pool_statistics before = pool.statistics();
    while (!done) {
      const thread_pool_statistics now = pool.statistics();
      for (const auto what : thread_pool_counts::members()) {
        if (what == &thread_pool_counts::queued) continue;
        EXPECT_GE(now.*what, before.*what);
      }
      EXPECT_LE(now.queued, 100'000U);
      before = now;
    }
  }};
  for (int round = 0; round < 10; ++round) {
    basic_task_group group{pool};
    add_tree(pool, group, 5);
    group.wait();
    const thread_pool_statistics seen = pool.statistics();
    EXPECT_EQ(seen.jobs, seen.submitted);
    EXPECT_EQ(seen.queued, 0U);
    EXPECT_EQ(seen.injected, seen.outside.submitted);
  }
  done = true;
  reader.join();
  const thread_pool_statistics seen = pool.statistics();
  thread_pool_counts sum = seen.outside;
  for (const thread_pool_counts& each : seen.workers) sum += each;
  for (const auto what : thread_pool_counts::members()) {
    EXPECT_EQ(sum.*what, static_cast<const thread_pool_counts&>(seen).*what);
  }
}

TEST(thread_pool_statistics, agree_with_a_trace) {
  basic_thread_pool<counted<traced_atomics>> pool{of(2)};
  basic_task_group group{pool};
  for (int i = 0; i < 100; ++i) {
    group.run([&] { group.run([] {}); });
  }
  group.wait();
  pool.stop();
  const thread_pool_statistics seen = pool.statistics();
  const runtime_trace trace = pool.trace();
  for (std::uint32_t index = 0; index < pool.workers(); ++index) {
    const auto& events = trace.threads[index].events;
    const auto number = [&](trace_kind kind) {
      return static_cast<std::uint64_t>(std::count_if(
          events.begin(), events.end(), [&](const auto& each) { return each.kind == kind; }));
    };
    EXPECT_EQ(seen.workers[index].jobs, number(trace_kind::task));
    EXPECT_EQ(seen.workers[index].stolen, number(trace_kind::steal));
    EXPECT_EQ(seen.workers[index].parks, number(trace_kind::park));
  }
}

#if !defined(_WIN32)
TEST(thread_pool_statistics, of_a_child_of_fork_are_those_of_the_fork) {
  SKIP_WHERE_A_CHILD_MAY_NOT_ALLOCATE();
  counted_thread_pool pool{of(1)};
  pool.call([] {});
  EXPECT_EQ(exit_of_child([&] { return pool.statistics().jobs == 1 ? 0 : 1; }), 0);
}
#endif

// Calls `look` when the deque stores, which is when another thread could read the length.
struct seen_atomics : default_atomics {
  static inline thread_local std::function<void()> look;
  template <class T>
  class atomic : public default_atomics::atomic<T> {
   public:
    using base = default_atomics::atomic<T>;
    using base::base;
    void store(T value, std::memory_order order) noexcept {
      base::store(value, order);
      if (look) look();
    }
  };
};

TEST(chase_lev, length_is_never_below_zero) {
  chase_lev<std::intptr_t, seen_atomics> deque;
  EXPECT_EQ(deque.length(), 0U);
  deque.push(1);
  deque.push(2);
  EXPECT_EQ(deque.length(), 2U);
  EXPECT_EQ(deque.steal().outcome, steal_outcome::stolen);
  EXPECT_EQ(deque.steal().outcome, steal_outcome::stolen);
  int looks = 0;
  seen_atomics::look = [&] {  // back is below front
    ++looks;
    EXPECT_EQ(deque.length(), 0U);
  };
  EXPECT_FALSE(deque.pop().has_value());
  seen_atomics::look = nullptr;
  EXPECT_EQ(looks, 2);
}

TEST(task_runner_statistics, tasks_and_timers_are_counted) {
  counted_task_runner runner;
  for (int i = 0; i < 3; ++i) runner.post([] {});
  runner.post_delayed([] {}, 0ms);
  runner.post_delayed([] {}, 24h);
  task_runner_statistics seen = runner.statistics();
  EXPECT_EQ(seen.posted, 5U);
  EXPECT_EQ(seen.queued, 5U);
  EXPECT_EQ(seen.tasks + seen.timers + seen.delayed, 0U);
  runner.run_until_idle();
  seen = runner.statistics();
  EXPECT_EQ(seen.tasks, 3U);
  EXPECT_EQ(seen.timers, 1U);
  EXPECT_EQ(seen.delayed, 1U);
  EXPECT_EQ(seen.queued, 0U);
  EXPECT_EQ(seen.parks, 0U);
}

#if defined(__cpp_lib_jthread)
TEST(task_runner_statistics, timers_that_are_cancelled_and_removed_are_not_waiting) {
  counted_task_runner runner{{.delayed = 4}};
  std::stop_source over;
  over.request_stop();
  for (int i = 0; i < 5; ++i) {
    runner.post_delayed(
        over.get_token(), [] { FAIL(); }, 24h);
  }
  runner.run_until_idle();
  const task_runner_statistics seen = runner.statistics();
  EXPECT_EQ(seen.dropped, 4U);
  EXPECT_EQ(seen.delayed, 1U);
  EXPECT_EQ(seen.timers + seen.queued, 0U);
}
#endif

TEST(task_runner_statistics, a_task_that_throws_was_run) {
  counted_task_runner runner;
  runner.post([] { throw std::runtime_error{"expected"}; });
  EXPECT_THROW(runner.run(), std::runtime_error);
  EXPECT_EQ(runner.statistics().tasks, 1U);
  EXPECT_EQ(runner.statistics().queued, 0U);
}

// A task reads how many tasks are behind it, whether it posts them itself or others do.
TEST(task_runner_statistics, a_task_sees_the_queue) {
  counted_task_runner runner;
  std::vector<std::uint64_t> lengths;
  const auto look = [&] { lengths.push_back(runner.statistics().queued); };
  runner.post([&] {
    look();
    runner.post(look);
    look();
    std::thread{[&] { runner.post(look); }}.join();
    look();
  });
  runner.run_until_idle();
  EXPECT_EQ(lengths, (std::vector<std::uint64_t>{0, 1, 2, 1, 0}));
  EXPECT_EQ(runner.statistics().posted, 3U);
}

// Reads the statistics when it is moved, at the latest into the queue.
struct looks_when_moved {
  looks_when_moved(counted_task_runner& of, std::uint64_t& to) : runner{&of}, posted{&to} {}
  looks_when_moved(looks_when_moved&& other) noexcept
      : runner{other.runner}, posted{std::exchange(other.posted, nullptr)} {
    if (posted != nullptr) *posted = runner->statistics().posted;
  }
  void operator()() const noexcept {}

  counted_task_runner* runner;
  std::uint64_t* posted;
};

// The runner may be destroyed once the task is in the queue.
TEST(task_runner_statistics, a_post_is_counted_before_it_is_in_the_queue) {
  std::uint64_t posted = 0;  // outlives the task, which looks again when the queue is emptied
  counted_task_runner runner;
  runner.post(looks_when_moved{runner, posted});
  EXPECT_EQ(posted, 1U);
}

TEST(task_runner_statistics, a_sleep_is_counted_and_that_a_post_ended_it) {
  counted_task_runner runner;
  std::thread other{[&] {
    for (std::uint64_t sleeps = 0; runner.statistics().wakes == 0;) {
      wait_until([&] { return runner.statistics().parks > sleeps; });
      sleeps = runner.statistics().parks;
      const std::uint64_t before = runner.statistics().tasks;
      runner.post([] {});
      wait_until([&] { return runner.statistics().tasks > before; });
    }
    runner.quit();
  }};
  runner.run();
  other.join();
  const task_runner_statistics seen = runner.statistics();
  EXPECT_GE(seen.wakes, 1U);
  EXPECT_GE(seen.parks, seen.wakes);
  EXPECT_EQ(seen.tasks, seen.posted);
}

TEST(task_runner_statistics, a_timer_ends_a_sleep_without_a_wake) {
  counted_task_runner runner;
  const std::function<void()> rest = [&] {  // again if it was due before the runner slept
    if (runner.statistics().parks == 0) return runner.post_delayed(rest, 10ms);
    runner.quit();
  };
  runner.post(rest);
  runner.run();
  const task_runner_statistics seen = runner.statistics();
  EXPECT_GE(seen.timers, 1U);
  EXPECT_EQ(seen.wakes, 0U);
}

#if !defined(_WIN32)
TEST(task_runner_statistics, a_call_of_a_watch_is_no_task) {
  std::array<int, 2> ends{};
  ASSERT_EQ(::pipe(ends.data()), 0);
  counted_task_runner runner;
  std::uint64_t inside = 7;
  runner.post([&] {
    runner.add_watch(ends[0], [&](watch_events) {
      runner.remove_watch(ends[0]);
      inside = runner.statistics().queued;
      runner.quit();
    });
  });
  ASSERT_EQ(::write(ends[1], "x", 1), 1);
  runner.run();
  const task_runner_statistics seen = runner.statistics();
  EXPECT_EQ(seen.watches, 1U);
  EXPECT_EQ(seen.tasks, 2U);  // quit() is one, too
  EXPECT_EQ(seen.posted, 2U);
  EXPECT_EQ(inside, 0U);
  EXPECT_EQ(seen.queued, 0U);
  for (const int end : ends) ::close(end);
}
#endif

TEST(task_runner_statistics, can_be_had_with_a_trace) {
  basic_task_runner<task_runner_features{.trace = true, .statistics = true}> runner;
  runner.post([] {});
  runner.run_until_idle();
  EXPECT_EQ(runner.statistics().tasks, 1U);
  EXPECT_EQ(runner.trace().threads.at(0).events.size(), 1U);
}

}  // namespace
}  // namespace fencepost
