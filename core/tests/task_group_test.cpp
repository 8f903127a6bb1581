// Groups of tasks on real threads.
#include "fencepost/runtime/task_group.hpp"

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "child_process.hpp"
#include "of_workers.hpp"

namespace fencepost {
namespace {

TEST(task_group, wait_returns_when_all_tasks_have_ended) {
  thread_pool pool{of_workers(4)};
  task_group group{pool};
  for (int round = 0; round < 200; ++round) {
    std::array<int, 20> seen{};  // not atomic
    for (int& each : seen) group.run([&each] { ++each; });
    group.wait();
    for (const int each : seen) ASSERT_EQ(each, 1);
  }
}

TEST(task_group, of_no_tasks_needs_no_wait) {
  thread_pool pool{of_workers(1)};
  task_group group{pool};
  group.wait();
  group.wait();
}

// Each node has a group of its own, in a pool with fewer workers than waiting groups.
long tree(thread_pool& pool, int depth) {
  if (depth == 0) return 1;
  std::array<long, 3> below{};
  task_group group{pool};
  for (long& each : below) group.run([&pool, &each, depth] { each = tree(pool, depth - 1); });
  group.wait();
  return below[0] + below[1] + below[2];
}
TEST(task_group, a_worker_that_waits_runs_tasks_meanwhile) {
  for (const std::uint32_t workers : {1U, 4U}) {
    thread_pool pool{of_workers(workers)};
    EXPECT_EQ(pool.call([&] { return tree(pool, 7); }), 2187);
    EXPECT_EQ(tree(pool, 5), 243) << "from outside";
  }
}

void grow(task_group& group, std::atomic<int>& count, int depth) {
  ++count;
  if (depth == 0) return;
  for (int i = 0; i < 2; ++i) {
    group.run([&group, &count, depth] { grow(group, count, depth - 1); });
  }
}
TEST(task_group, tasks_add_tasks) {
  thread_pool pool{of_workers(4)};
  for (int round = 0; round < 20; ++round) {
    std::atomic<int> count{0};
    task_group group{pool};
    group.run([&] { grow(group, count, 8); });
    group.wait();
    EXPECT_EQ(count, 511);
  }
}

// The slow group's task does not end as long as the fast group is waited for.
TEST(task_group, a_group_is_waited_for_apart_from_others) {
  thread_pool pool{of_workers(2)};
  std::atomic<bool> may_end{false};
  task_group slow{pool}, fast{pool};
  slow.run([&] {
    while (!may_end) std::this_thread::yield();
  });
  int done = 0;
  fast.run([&done] { done = 1; });
  fast.wait();
  EXPECT_EQ(done, 1);
  may_end = true;
  slow.wait();
}

TEST(task_group, an_exception_is_thrown_once_and_stops_no_other_task) {
  thread_pool pool{of_workers(4)};
  task_group group{pool};
  for (int round = 0; round < 50; ++round) {
    std::atomic<int> ran{0};
    for (int i = 0; i < 10; ++i) {
      group.run([&ran, i] {
        ++ran;
        if (i % 3 == 0) throw std::out_of_range(std::to_string(i));
      });
    }
    EXPECT_THROW(group.wait(), std::out_of_range);
    EXPECT_EQ(ran, 10);
    group.wait();
  }
}

TEST(task_group, the_destructor_waits_and_loses_the_exception) {
  thread_pool pool{of_workers(2)};
  for (int round = 0; round < 50; ++round) {
    std::array<int, 10> seen{};
    {
      task_group group{pool};
      for (int& each : seen) {
        group.run([&each] {
          ++each;
          throw std::out_of_range("lost");
        });
      }
    }
    for (const int each : seen) ASSERT_EQ(each, 1);
  }
}

TEST(task_group, what_a_task_captured_is_destroyed_before_the_wait_returns) {
  thread_pool pool{of_workers(2)};
  for (int round = 0; round < 200; ++round) {
    const auto captured = std::make_shared<int>(7);
    task_group group{pool};
    group.run([captured] {});
    group.run([copy = std::make_unique<std::shared_ptr<int>>(captured)] { return **copy; });
    group.wait();
    ASSERT_EQ(captured.use_count(), 1);
  }
}

TEST(task_group, a_task_that_is_refused_is_not_waited_for) {
  thread_pool pool{of_workers(1)};
  task_group group{pool};
  int ran = 0;
  group.run([&ran] { ++ran; });
  pool.stop();
  EXPECT_THROW(group.run([&ran] { ++ran; }), pool_stopped);
  EXPECT_THROW(group.run(std::function<void()>{}), std::invalid_argument);
  group.wait();
  EXPECT_EQ(ran, 1);
}

TEST(task_group, tasks_that_have_not_begun_when_it_is_cancelled_do_not_run) {
  thread_pool pool{of_workers(1)};
  task_group group{pool};
  const auto captured = std::make_shared<int>(7);
  for (int round = 0; round < 3; ++round) {
    int ran = 0;
    bool seen = false;
    pool.call([&] {  // on its only worker: nothing begins before it waits
      for (int i = 0; i < 10; ++i) group.run([&ran, captured] { ++ran; });
      group.run([&] {  // the newest runs first
        ++ran;
        EXPECT_FALSE(group.cancelled());
        group.cancel();
        seen = group.cancelled();
        group.run([&ran] { ++ran; });
      });
      group.wait();
    });
    EXPECT_TRUE(seen);
    EXPECT_EQ(ran, 1);
    EXPECT_EQ(captured.use_count(), 1);
    EXPECT_FALSE(group.cancelled()) << "and it can be used again";
  }
}

TEST(task_group, a_cancelled_group_throws_what_a_task_has_thrown) {
  thread_pool pool{of_workers(2)};
  task_group group{pool};
  group.run([&] {
    group.cancel();
    throw std::out_of_range("found");
  });
  EXPECT_THROW(group.wait(), std::out_of_range);
  int ran = 0;
  group.run([&] { ++ran; });
  group.wait();
  EXPECT_EQ(ran, 1);
}

// A thread that has no part in the group cancels it; a running task observes that.
TEST(task_group, any_thread_cancels) {
  thread_pool pool{of_workers(2)};
  task_group group{pool};
  std::atomic<bool> began{false};
  group.run([&] {
    began = true;
    while (!group.cancelled()) std::this_thread::yield();
  });
  std::thread other{[&] {
    while (!began) std::this_thread::yield();
    group.cancel();
  }};
  group.wait();
  other.join();
}

TEST(task_group, tasks_take_arguments_as_jobs_of_the_pool_do) {
  struct cell {
    void add(int n) { sum += n; }
    int sum = 0;
  };
  thread_pool pool{of_workers(2)};
  task_group group{pool};
  cell first, second;
  std::string text = "copied";
  std::size_t length = 0;
  int given = 0;
  group.run(&cell::add, &first, 3);
  group.run(&cell::add, std::ref(second), 4);
  group.run([&length](const std::string& s) { length = s.size(); }, text);
  group.run([&given](const std::unique_ptr<int>& n) { given = *n; }, std::make_unique<int>(5));
  group.wait();
  EXPECT_EQ(first.sum, 3);
  EXPECT_EQ(second.sum, 4);
  EXPECT_EQ(length, 6u);
  EXPECT_EQ(text, "copied");
  EXPECT_EQ(given, 5);
  void (*const none)(int) = nullptr;
  EXPECT_THROW(group.run(none, 1), std::invalid_argument);
}

#if defined(__cpp_lib_jthread)
TEST(task_group, a_stop_token_comes_before_the_arguments) {
  thread_pool pool{of_workers(1)};
  std::stop_source source;
  task_group group{pool};
  int sum = 0;
  const auto add = [&sum](const std::stop_token& token, int n) {
    sum += token.stop_possible() ? n : -n;
  };
  group.run(source.get_token(), add, 3);
  group.wait();
  source.request_stop();
  group.run(source.get_token(), add, 4);
  group.run(
      source.get_token(), [&sum](int n) { sum += n; }, 5);
  group.wait();
  EXPECT_EQ(sum, 3);
  void (*const none)(int) = nullptr;
  EXPECT_THROW(group.run(source.get_token(), none, 1), std::invalid_argument);
}

TEST(task_group, a_task_that_is_asked_to_stop_before_it_begins_does_not_run) {
  thread_pool pool{of_workers(1)};
  std::stop_source source;
  task_group group{pool};
  bool began = false, ran = false;
  pool.call([&] {  // on its only worker: nothing begins before it waits
    group.run(source.get_token(), [&ran] { ran = true; });
    group.run([&] {  // the newest runs first
      began = true;
      source.request_stop();
    });
    group.run(source.get_token(), [](const std::stop_token& token) {
      if (token.stop_requested()) throw std::logic_error("not yet");
    });
    EXPECT_THROW(group.run(source.get_token(), std::function<void()>{}), std::invalid_argument);
    group.wait();
  });
  EXPECT_TRUE(began);
  EXPECT_FALSE(ran);
}
#endif

#if !defined(_WIN32)
TEST(task_group, a_child_of_fork_is_told_that_it_has_no_workers) {
  SKIP_WHERE_A_CHILD_MAY_NOT_ALLOCATE();
  thread_pool pool{of_workers(1)};
  auto group = std::make_unique<task_group>(pool);
  group->run([] {});
  group->wait();
  EXPECT_EQ(exit_of_child([&] {
              int refused = 0;
              try {
                group->run([] {});
              } catch (const std::logic_error&) {
                ++refused;
              }
              try {
                group->wait();
              } catch (const std::logic_error&) {
                ++refused;
              }
              group.reset();  // does not wait
              return refused;
            }),
            2);
}
#endif

// Each owner destroys its group as soon as it has waited for it.
TEST(task_group, many_short_groups_from_many_threads) {
  thread_pool pool{of_workers(4)};
  std::vector<std::thread> owners;
  std::atomic<long> sum{0};
  for (int owner = 0; owner < 3; ++owner) {
    owners.emplace_back([&] {
      for (int round = 0; round < 2000; ++round) {
        auto group = std::make_unique<task_group>(pool);
        for (int i = 0; i < 3; ++i) group->run([&sum] { sum.fetch_add(1); });
        group->wait();
        group.reset();
      }
    });
  }
  for (std::thread& each : owners) each.join();
  EXPECT_EQ(sum, 3L * 2000 * 3);
}

}  // namespace
}  // namespace fencepost
