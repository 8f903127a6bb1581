// Strands on real pools.
#include "fencepost/runtime/strand.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <exception>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "child_process.hpp"
#include "failing_allocator.hpp"
#include "message_of.hpp"
#include "test_coroutines.hpp"
#include "thread_pool_testing.hpp"

namespace fencepost {
namespace {

TEST(strand, tasks_run_one_after_the_other_in_the_order_of_the_posts) {
  thread_pool pool{of(4)};
  for (int round = 0; round < 20; ++round) {
    std::vector<int> seen;  // without a lock
    strand serial{pool};
    for (int i = 0; i < 1000; ++i) serial.post([&seen, i] { seen.push_back(i); });
    ASSERT_EQ(serial.submit([&seen] { return seen.size(); }).get(), 1000u);
    for (int i = 0; i < 1000; ++i) ASSERT_EQ(seen[static_cast<std::size_t>(i)], i);
  }
}

// Threads outside and jobs of the pool post. Each poster numbers its tasks; the tasks check the
// order for each poster.
TEST(strand, keeps_the_order_of_each_of_many_posters) {
  constexpr int posters = 6, each = 3000;
  std::vector<int> seen(posters);  // without a lock
  std::atomic<int> out_of_order{0};
  {
    thread_pool pool{of(4)};
    strand serial{pool};
    const auto post_all = [&](std::size_t poster) {
      for (int i = 0; i < each; ++i) {
        serial.post([&seen, &out_of_order, poster, i] {
          if (seen[poster]++ != i) ++out_of_order;
        });
      }
    };
    std::vector<std::thread> outside;
    std::vector<pool_future<void>> jobs;
    for (std::size_t poster = 0; poster < posters; ++poster) {
      if (poster % 2 == 0) {
        outside.emplace_back(post_all, poster);
      } else {
        jobs.push_back(pool.submit(post_all, poster));
      }
    }
    for (std::thread& one : outside) one.join();
    for (auto& one : jobs) one.get();
  }
  EXPECT_EQ(out_of_order, 0);
  EXPECT_THAT(seen, testing::Each(each));
}

// Each task waits for the other strand's.
TEST(strand, tasks_of_different_strands_run_at_the_same_time) {
  thread_pool pool{of(2)};
  strand one{pool}, other{pool};
  door first, second;
  auto a = one.submit([&] {
    first.open();
    second.pass();
  });
  auto b = other.submit([&] {
    first.pass();
    second.open();
  });
  a.get();
  b.get();
}

// One worker: a strand that never becomes idle must give up its turns; otherwise nothing else would
// run.
TEST(strand, a_strand_that_always_has_tasks_lets_others_run) {
  thread_pool pool{of(1)};
  strand endless{pool}, other{pool};
  std::atomic<bool> may_end{false};
  std::function<void()> again = [&] {
    if (!may_end) endless.post(again);
  };
  endless.post(again);
  pool.submit([] {}).get();
  other.submit([] {}).get();
  may_end = true;
  pool.stop();
}

TEST(strand, a_task_that_waits_keeps_its_strand_and_no_other) {
  thread_pool pool{of(1)};
  strand serial{pool}, other{pool};
  std::vector<int> seen;
  auto outer = serial.submit([&] {
    EXPECT_TRUE(serial.on_strand());
    serial.post([&] { seen.push_back(3); });
    seen.push_back(1);
    other
        .submit([&] {
          EXPECT_TRUE(other.on_strand());
          EXPECT_FALSE(serial.on_strand());
        })
        .get();  // the pool's worker runs it meanwhile
    EXPECT_TRUE(pool.submit([&] { return serial.on_strand(); }).get());
    EXPECT_TRUE(serial.on_strand());
    seen.push_back(2);
  });
  outer.get();
  serial.submit([] {}).get();
  EXPECT_THAT(seen, testing::ElementsAre(1, 2, 3));
  EXPECT_FALSE(serial.on_strand());
}

TEST(strand, results_and_exceptions_are_those_of_jobs) {
  std::atomic<int> caught{0};
  thread_pool_options options = of(2);
  options.on_exception = [&](const std::exception_ptr&) { ++caught; };
  thread_pool pool{options};
  strand serial{pool};
  EXPECT_EQ(serial.submit([] { return std::string{"text"}; }).get(), "text");
  EXPECT_EQ(*serial.submit([own = std::make_unique<int>(4)] { return std::make_unique<int>(*own); })
                 .get(),
            4);
  auto failed = serial.submit([]() -> int { throw std::range_error{"own"}; });
  serial.post([] { throw std::range_error{"posted"}; });
  auto after = serial.submit([] { return 5; }).then(pool, [](int n) { return n + 1; });
  EXPECT_THROW(failed.get(), std::range_error);
  EXPECT_EQ(after.get(), 6);
  EXPECT_EQ(caught, 1);
  EXPECT_THROW(serial.post(std::function<void()>{}), std::invalid_argument);
  EXPECT_THROW(static_cast<void>(serial.submit(std::function<int()>{})), std::invalid_argument);
}

struct account {
  int add(int n) { return sum += n; }
  int sum = 0;
};

TEST(strand, takes_arguments_as_the_pool_does) {
  thread_pool pool{of(2)};
  strand serial{pool};
  account own;
  serial.post(&account::add, &own, 5);
  EXPECT_EQ(serial.submit(&account::add, std::ref(own), 2).get(), 7) << "after what was posted";
  EXPECT_EQ(
      *serial.submit([](std::unique_ptr<int> n) { return n; }, std::make_unique<int>(3)).get(), 3);
  std::string text = "copied";
  EXPECT_EQ(serial.submit([](std::string s) { return s.size(); }, text).get(), 6u);
  EXPECT_EQ(text, "copied");
  int (*const none)(int) = nullptr;
  EXPECT_THROW(static_cast<void>(serial.submit(none, 1)), std::invalid_argument);
  EXPECT_THROW(serial.post(none, 1), std::invalid_argument);
}

TEST(strand, the_tasks_that_are_left_run_when_the_handle_has_gone) {
  for (int round = 0; round < 200; ++round) {
    int ran = 0;  // without a lock
    const auto captured = std::make_shared<int>(1);
    {
      thread_pool pool{of(2)};
      {
        strand serial{pool};
        for (int i = 0; i < 40; ++i) serial.post([&ran, captured] { ran += *captured; });
      }
    }
    ASSERT_EQ(ran, 40);
    ASSERT_EQ(captured.use_count(), 1);
  }
}

// Like a session that its last task destroys.
TEST(strand, a_task_may_destroy_the_handle) {
  struct session {
    explicit session(thread_pool& pool) : serial{pool} {}
    int steps = 0;
    strand serial;
  };
  thread_pool pool{of(2)};
  std::atomic<int> all{0};
  for (int round = 0; round < 500; ++round) {
    auto one = std::make_shared<session>(pool);
    strand& serial = one->serial;
    for (int i = 0; i < 3; ++i) serial.post([one, &all] { all += ++one->steps == 3 ? 1 : 0; });
  }
  pool.stop();
  EXPECT_EQ(all, 500);
}

TEST(strand, outlives_its_pool_without_a_call) {
  std::unique_ptr<strand> serial;
  int ran = 0;
  {
    thread_pool pool{of(1)};
    serial = std::make_unique<strand>(pool);
    serial->post([&] { ++ran; });
  }
  EXPECT_EQ(ran, 1);
  serial.reset();
}

TEST(strand, accepted_tasks_run_before_the_pool_ends_and_others_are_refused) {
  for (int round = 0; round < 300; ++round) {
    auto pool = std::make_unique<thread_pool>(of(2));
    auto serial = std::make_unique<strand>(*pool);
    int ran = 0;  // without a lock
    std::atomic<int> accepted{0}, refused{0};
    std::vector<std::thread> posters;
    for (int n = 0; n < 2; ++n) {
      posters.emplace_back([&] {
        for (int i = 0; i < 20; ++i) {
          try {
            serial->post([&ran] { ++ran; });
            ++accepted;
          } catch (const pool_stopped&) {
            ++refused;
          }
        }
      });
    }
    pool->stop();
    for (std::thread& each : posters) each.join();
    ASSERT_EQ(ran, accepted.load());
    ASSERT_EQ(accepted + refused, 40);
    ASSERT_THROW(static_cast<void>(serial->submit([] {})), pool_stopped);
  }
}

// The deque of a worker grows when it is full, which fails here.
TEST(strand, a_turn_is_given_without_memory_for_the_deque) {
  basic_thread_pool<counted_atomics> pool{of(1)};
  std::vector<std::unique_ptr<basic_strand<counted_atomics>>> strands;
  for (int i = 0; i < 2000; ++i) {
    strands.push_back(std::make_unique<basic_strand<counted_atomics>>(pool));
  }
  int ran = 0;
  pool.call([&] {
    for (const auto& each : strands) {
      const allocations_fail_after one{1};  // the allocation of the task
      each->post([&ran] { ++ran; });
    }
  });
  pool.stop();
  EXPECT_EQ(ran, 2000);
  EXPECT_GT(pool.statistics().injected, 1u) << "no push failed";
}

#if defined(__cpp_lib_jthread)
TEST(strand, a_task_that_is_asked_to_stop_before_it_begins_does_not_run) {
  thread_pool pool{of(1)};
  strand serial{pool};
  std::stop_source source;
  door held;
  bool ran = false;
  serial.post([&] { held.pass(); });
  serial.post(source.get_token(), [&] { ran = true; });
  auto dropped = serial.submit(source.get_token(), [] { return 1; });
  auto kept = serial.submit(std::stop_token{},
                            [](const std::stop_token& token) { return token.stop_possible(); });
  source.request_stop();
  held.open();
  EXPECT_THROW(dropped.get(), job_cancelled);
  EXPECT_FALSE(kept.get());
  EXPECT_FALSE(ran);
  EXPECT_THROW(serial.post(source.get_token(), std::function<void()>{}), std::invalid_argument);
}

TEST(strand, a_stop_token_comes_before_the_arguments) {
  thread_pool pool{of(1)};
  strand serial{pool};
  std::stop_source source;
  account own;
  const auto add = [&own](const std::stop_token& token, int n) {
    return own.add(token.stop_possible() ? n : -n);
  };
  serial.post(source.get_token(), add, 3);
  EXPECT_EQ(serial.submit(source.get_token(), add, 4).get(), 7);
  EXPECT_EQ(serial.submit(source.get_token(), &account::add, &own, 5).get(), 12);
  source.request_stop();
  serial.post(source.get_token(), add, 6);
  EXPECT_THROW(serial.submit(source.get_token(), add, 7).get(), job_cancelled);
  EXPECT_EQ(own.sum, 12);
  int (*const none)(int) = nullptr;
  EXPECT_THROW(static_cast<void>(serial.submit(source.get_token(), none, 1)),
               std::invalid_argument);
}
#endif

#if defined(__cpp_lib_coroutine)
test::reported<void> add(strand& serial, thread_pool& elsewhere, int& sum) {
  for (int i = 0; i < 100; ++i) {
    co_await serial.schedule();
    EXPECT_TRUE(serial.on_strand());
    ++sum;  // without a lock
    auto job = elsewhere.submit([] {});
    co_await std::move(job);
  }
}
TEST(strand, coroutines_take_turns_on_it) {
  thread_pool pool{of(3)};
  strand serial{pool};
  int sum = 0;
  std::vector<test::reported<void>> all;
  for (int i = 0; i < 20; ++i) all.push_back(add(serial, pool, sum));
  for (auto& each : all) each.end.get();
  EXPECT_EQ(serial.submit([&] { return sum; }).get(), 2000);
}
#endif

#if !defined(_WIN32)
TEST(strand, a_child_of_fork_is_told_that_it_has_no_workers) {
  SKIP_WHERE_A_CHILD_MAY_NOT_ALLOCATE();
  thread_pool pool{of(1)};
  auto serial = std::make_unique<strand>(pool);
  serial->submit([] {}).get();
  EXPECT_EQ(exit_of_child([&] {
              try {
                serial->post([] {});
              } catch (const std::logic_error&) {
                serial.reset();  // does not wait
                return 3;
              }
              return 4;
            }),
            3);
}
#endif

}  // namespace
}  // namespace fencepost
