// The end of thread_pool, with whatever jobs remain, and what happens after it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <memory>
#include <stdexcept>
#include <thread>
#include <utility>
#include <vector>

#include "message_of.hpp"
#include "thread_pool_testing.hpp"

namespace fencepost {
namespace {

using testing::HasSubstr;

TEST(thread_pool, stop_runs_what_is_left_and_what_that_submits) {
  std::atomic<int> runs{0};
  thread_pool pool{of(2)};
  door held;
  for (int i = 0; i < 2; ++i) pool.post([&] { held.pass(); });
  for (int i = 0; i < 50; ++i) {
    pool.post([&] {
      runs.fetch_add(1);
      pool.post([&] { runs.fetch_add(1); });
    });
  }
  std::thread stopper{[&] { pool.stop(); }};
  held.open();
  stopper.join();
  EXPECT_EQ(runs.load(), 100);
}

TEST(thread_pool, a_worker_that_waits_while_the_pool_stops_gets_its_result) {
  thread_pool pool{of(2)};
  door held;
  auto outer = pool.submit([&] {
    auto inner = pool.submit([&] {
      held.pass();
      return 5;
    });
    return inner.get();
  });
  std::thread stopper{[&] { pool.stop(); }};
  held.open();
  stopper.join();
  EXPECT_EQ(outer.get(), 5);
}

TEST(thread_pool, a_stopped_pool_refuses_jobs_and_drops_what_they_captured) {
  thread_pool pool{of(2)};
  pool.stop();
  pool.stop();
  const auto kept = std::make_shared<int>(0);
  EXPECT_THROW(static_cast<void>(pool.submit([kept] {})), pool_stopped);
  EXPECT_THROW(pool.post([kept] {}), pool_stopped);
  EXPECT_THROW(pool.call([kept] {}), pool_stopped);
  EXPECT_THROW(pool.join([] {}, [] {}), pool_stopped);
  EXPECT_EQ(kept.use_count(), 1);
  EXPECT_THAT(message_of([&] { pool.post([] {}); }), HasSubstr("was stopped"));
}

TEST(thread_pool, a_job_cannot_stop_its_pool) {
  thread_pool pool{of(1)};
  EXPECT_THROW(pool.call([&] { pool.stop(); }), std::logic_error);
  EXPECT_EQ(pool.call([] { return 1; }), 1);
}

TEST(thread_pool_death_test, a_pool_that_its_own_job_destroys_says_so) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_DEATH(
      {
        static thread_pool pool{of(1)};
        pool.call([] { std::exit(0); });
      },
      "fencepost::thread_pool: destroyed by one of its own workers");
}

TEST(thread_pool, a_job_of_another_pool_is_outside) {
  thread_pool one{of(1)}, other{of(1)};
  EXPECT_EQ(one.call([&] { return other.submit([] { return 4; }).get(); }), 4);
  one.call([&] { other.stop(); });
  EXPECT_THROW(one.call([&] { other.post([] {}); }), pool_stopped);
}

TEST(thread_pool, stopped_under_load_it_runs_all_that_it_accepted) {
  for (int round = 0; round < 20; ++round) {
    thread_pool pool{of(3)};
    std::atomic<int> accepted{0}, runs{0}, ready{0};
    std::vector<std::thread> submitters;
    for (int i = 0; i < 3; ++i) {
      submitters.emplace_back([&] {
        try {
          for (;;) {
            pool.post([&] { runs.fetch_add(1); });
            if (accepted.fetch_add(1) == 10) ready.store(1);
          }
        } catch (const pool_stopped&) {
        }
      });
    }
    while (ready.load() == 0) std::this_thread::yield();
    pool.stop();
    EXPECT_GE(runs.load(), 10);
    for (auto& submitter : submitters) submitter.join();
    EXPECT_EQ(runs.load(), accepted.load());
  }
}

}  // namespace
}  // namespace fencepost
