// The outcome of a job of thread_pool: its result, its handle, its exception, its stop token.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <exception>
#include <functional>
#include <future>
#include <memory>
#include <numeric>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

#include "message_of.hpp"
#include "thread_pool_testing.hpp"

namespace fencepost {
namespace {

using testing::HasSubstr;

TEST(thread_pool, a_result_comes_back) {
  thread_pool pool{of(2)};
  auto answer = pool.submit([] { return 6 * 7; });
  EXPECT_TRUE(answer.valid());
  EXPECT_EQ(answer.get(), 42);
  EXPECT_FALSE(answer.valid());
}

TEST(thread_pool, results_may_be_nothing_or_a_reference_or_movable_only) {
  thread_pool pool{of(2)};
  int seen = 0;
  pool.submit([&] { seen = 7; }).get();
  EXPECT_EQ(seen, 7);
  int& same = pool.submit([&]() -> int& { return seen; }).get();
  EXPECT_EQ(&same, &seen);
  EXPECT_EQ(*pool.submit([] { return std::make_unique<int>(8); }).get(), 8);
  EXPECT_EQ(&pool.call([&]() -> int& { return seen; }), &seen);
}

int difference(int a, int b) { return a - b; }
struct counter {
  int by(int n) { return count += n; }
  int count = 0;
};

TEST(thread_pool, arguments_are_kept_as_std_async_keeps_them) {
  thread_pool pool{of(2)};
  EXPECT_EQ(pool.submit(difference, 9, 2).get(), 7);
  EXPECT_EQ(pool.submit(&difference, 9, 2).get(), 7);
  counter object;
  EXPECT_EQ(pool.submit(&counter::by, &object, 5).get(), 5);
  EXPECT_EQ(pool.submit(&counter::by, std::ref(object), 5).get(), 10);
  EXPECT_EQ(pool.submit(&counter::count, object).get(), 10);

  std::string text = "copied";
  const auto length = [](std::string s) { return s.size(); };
  EXPECT_EQ(pool.submit(length, text).get(), 6u);
  EXPECT_EQ(text, "copied");
  EXPECT_EQ(pool.submit(length, std::move(text)).get(), 6u);
  EXPECT_TRUE(text.empty());  // NOLINT(bugprone-use-after-move): it was moved
  EXPECT_EQ(pool.submit(length, "an array").get(), 8u);
  EXPECT_EQ(*pool.submit([](std::unique_ptr<int> n) { return n; }, std::make_unique<int>(3)).get(),
            3);
  int target = 1;
  int& same = pool.submit([](int& t) -> int& { return t; }, std::ref(target)).get();
  EXPECT_EQ(&same, &target);
  using plain = void (*)(int&);
  static_assert(
      !std::is_invocable_v<decltype([](auto& p, plain f, int& n) -> decltype(p.submit(f, n)) {}),
                           thread_pool&, plain, int&>,
      "a copy does not go where a reference is wanted");

  pool.submit([](int& t, int n) { t = n; }, std::ref(target), 5).get();
  EXPECT_EQ(target, 5);
  pool.post([&](int n, int m) { target = n * m; }, 6, 7);
  int (*const none)(int, int) = nullptr;
  EXPECT_THROW(static_cast<void>(pool.submit(none, 1, 2)), std::invalid_argument);
  EXPECT_THROW(pool.post(none, 1, 2), std::invalid_argument);
  pool.stop();
  EXPECT_EQ(target, 42);
}

#if defined(__cpp_lib_jthread)
TEST(thread_pool, a_stop_token_comes_before_the_arguments) {
  thread_pool pool{of(1)};
  std::stop_source source;
  const auto add = [](const std::stop_token& token, int a, int b) {
    return token.stop_possible() ? a + b : -1;
  };
  EXPECT_EQ(pool.submit(source.get_token(), add, 3, 4).get(), 7);
  EXPECT_EQ(pool.submit(source.get_token(), difference, 3, 4).get(), -1);
  EXPECT_EQ(pool.submit(add, source.get_token(), 3, 4).get(), 7) << "an argument like others";
  int seen = 0;
  pool.post(
      source.get_token(), [&](int n) { seen = n; }, 5);
  pool.submit([] {}).get();  // runs after what was posted
  source.request_stop();
  pool.post(
      source.get_token(), [&](int n) { seen = n; }, 6);
  EXPECT_THROW(pool.submit(source.get_token(), difference, 3, 4).get(), job_cancelled);
  pool.stop();
  EXPECT_EQ(seen, 5);
}
#endif

TEST(thread_pool, callables_may_be_movable_only_and_are_gone_when_the_job_is_done) {
  thread_pool pool{of(2)};
  auto kept = std::make_shared<int>(5);
  auto job = [kept, only = std::make_unique<int>(4)] { return *kept + *only; };
  auto sum = pool.submit(std::move(job));
  sum.wait();
  EXPECT_EQ(kept.use_count(), 1);
  EXPECT_EQ(sum.get(), 9);
}

TEST(thread_pool, a_handle_says_when_its_job_is_done) {
  thread_pool pool{of(1)};
  door held;
  auto job = pool.submit([&] { held.pass(); });
  EXPECT_FALSE(job.ready());
  held.open();
  job.wait();
  EXPECT_TRUE(job.ready());
  job.wait();
  job.get();
}

TEST(thread_pool, a_timed_wait_says_whether_the_job_is_done) {
  using namespace std::chrono_literals;
  using clock = std::chrono::steady_clock;
  thread_pool pool{of(1)};
  door held;
  auto job = pool.submit([&] {
    held.pass();
    return 7;
  });
  for (int round = 0; round < 3; ++round) {
    EXPECT_EQ(job.wait_for(1ms), std::future_status::timeout);
    EXPECT_EQ(job.wait_for(0s), std::future_status::timeout);
    EXPECT_EQ(job.wait_for(std::chrono::hours::min()), std::future_status::timeout);
    EXPECT_EQ(job.wait_until(clock::now() + 1ms), std::future_status::timeout);
    EXPECT_EQ(job.wait_until(clock::time_point::min()), std::future_status::timeout);
    EXPECT_EQ(job.wait_until(std::chrono::system_clock::now() + 1ms), std::future_status::timeout);
  }
  held.open();
  EXPECT_EQ(job.wait_for(std::chrono::hours::max()), std::future_status::ready);
  EXPECT_EQ(job.wait_for(std::chrono::duration<double>{-1.0}), std::future_status::ready);
  EXPECT_EQ(job.wait_until(clock::time_point::max()), std::future_status::ready);
  EXPECT_EQ(job.wait_until(clock::time_point::min()), std::future_status::ready);
  EXPECT_EQ(job.get(), 7);
  EXPECT_THAT(message_of([&] { static_cast<void>(job.wait_for(1ms)); }),
              HasSubstr("wait_for() without"));
  EXPECT_THAT(message_of([&] { static_cast<void>(job.wait_until(clock::now())); }),
              HasSubstr("wait_until() without"));
}

// The wait ends with the job, for a waiter outside of the pool and for a worker.
TEST(thread_pool, a_timed_wait_ends_with_the_job) {
  using namespace std::chrono_literals;
  for (const std::uint32_t workers : {1U, 2U, 3U}) {
    thread_pool pool{of(workers)};
    for (int round = 0; round < 200; ++round) {
      auto job = pool.submit([] { return 7; });
      ASSERT_EQ(job.wait_for(1h), std::future_status::ready);
      ASSERT_EQ(pool.call([&] {
        auto below = pool.submit([] { return 8; });
        const auto status = below.wait_for(1h);
        return status == std::future_status::ready ? below.get() : 0;
      }),
                8);
    }
  }
}

TEST(thread_pool, a_timed_wait_of_a_worker_runs_other_jobs_and_times_out) {
  using namespace std::chrono_literals;
  thread_pool pool{of(2)};
  door held;
  std::atomic<int> others{0};
  auto slow = pool.submit([&] { held.pass(); });
  pool.call([&] {
    for (int i = 0; i < 10; ++i) pool.post([&] { ++others; });
    while (others != 10) EXPECT_EQ(slow.wait_for(1ms), std::future_status::timeout);
  });
  held.open();
  EXPECT_EQ(slow.wait_for(1h), std::future_status::ready);
}

// The other worker is busy with the job that is waited for.
TEST(thread_pool, a_worker_that_waits_for_a_time_is_woken_for_jobs) {
  using namespace std::chrono_literals;
  thread_pool pool{of(2)};
  for (int round = 0; round < 50; ++round) {
    door held, begun;
    auto slow = pool.submit([&] {
      begun.open();
      held.pass();
    });
    begun.pass();
    auto waiter = pool.submit([&] { return slow.wait_for(1h); });
    pool.submit([&] { held.open(); }).get();
    ASSERT_EQ(waiter.get(), std::future_status::ready);
  }
}

TEST(thread_pool, a_handle_without_a_job_says_so) {
  pool_future<int> none;
  EXPECT_FALSE(none.valid());
  EXPECT_THROW(none.get(), std::logic_error);
  EXPECT_THROW(none.wait(), std::logic_error);
  EXPECT_THAT(message_of([&] { static_cast<void>(none.ready()); }), HasSubstr("ready() without"));
  thread_pool pool{of(1)};
  auto job = pool.submit([] { return 1; });
  EXPECT_EQ(job.get(), 1);
  EXPECT_THAT(message_of([&] { job.get(); }), HasSubstr("get() already"));
}

TEST(thread_pool, a_handle_moves_and_does_not_copy) {
  static_assert(!std::is_copy_constructible_v<pool_future<int>>);
  thread_pool pool{of(1)};
  auto first = pool.submit([] { return 1; });
  auto second = std::move(first);
  EXPECT_FALSE(first.valid());  // NOLINT: that is what is tested
  second = pool.submit([] { return 2; });
  EXPECT_EQ(second.get(), 2);
}

TEST(thread_pool, two_threads_that_wait_for_one_job_are_told) {
  thread_pool pool{of(1)};
  door held;
  auto job = pool.submit([&] { held.pass(); });
  std::atomic<int> told{0};
  const auto wait = [&] {
    try {
      job.wait();
    } catch (const std::logic_error&) {
      told.fetch_add(1);
      held.open();
    }
  };
  std::thread one{wait}, other{wait};
  one.join();
  other.join();
  EXPECT_EQ(told.load(), 1);
}

TEST(thread_pool, a_handle_outlives_the_pool) {
  pool_future<std::string> result;
  {
    thread_pool pool{of(2)};
    result = pool.submit([] { return std::string(100, 'x'); });
  }
  EXPECT_TRUE(result.ready());
  EXPECT_EQ(result.get().size(), 100u);
}

TEST(thread_pool, a_job_is_run_though_its_handle_is_thrown_away) {
  std::atomic<int> runs{0};
  {
    thread_pool pool{of(2)};
    static_cast<void>(pool.submit([&] { runs.fetch_add(1); }));
  }
  EXPECT_EQ(runs.load(), 1);
}

TEST(thread_pool, exceptions_come_back) {
  thread_pool pool{of(2)};
  auto bad = pool.submit([]() -> int { throw std::out_of_range{"submitted"}; });
  bad.wait();
  EXPECT_EQ(message_of([&] { bad.get(); }), "submitted");
  EXPECT_FALSE(bad.valid());
  EXPECT_EQ(message_of([&] { pool.call([] { throw std::out_of_range{"called"}; }); }), "called");
  EXPECT_EQ(pool.call([] { return 3; }), 3) << "the pool goes on";
}

TEST(thread_pool, of_two_joined_jobs_that_throw_both_run_and_the_left_one_is_heard) {
  thread_pool pool{of(2)};
  std::atomic<int> runs{0};
  const auto throwing = [&](const char* what) {
    return [&runs, what] {
      runs.fetch_add(1);
      throw std::runtime_error{what};
    };
  };
  const auto fine = [&] { runs.fetch_add(1); };
  EXPECT_EQ(message_of([&] { pool.join(throwing("left"), throwing("right")); }), "left");
  EXPECT_EQ(message_of([&] { pool.join(fine, throwing("right")); }), "right");
  EXPECT_EQ(message_of([&] { pool.join(throwing("left"), fine); }), "left");
  EXPECT_EQ(runs.load(), 6);
}

TEST(thread_pool, an_exception_that_leaves_a_posted_job_is_handed_over) {
  std::promise<std::string> heard;
  thread_pool_options options = of(1);
  options.on_exception = [&](const std::exception_ptr& error) {
    heard.set_value(message_of([&] { std::rethrow_exception(error); }));
  };
  thread_pool pool{options};
  pool.post([] { throw std::runtime_error{"posted"}; });
  EXPECT_EQ(heard.get_future().get(), "posted");
}

TEST(thread_pool_death_test, an_exception_that_leaves_a_posted_job_ends_the_program) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const auto post = [] {
    thread_pool pool{of(1)};
    pool.post([] { throw std::runtime_error{"nobody hears this"}; });
  };
  EXPECT_DEATH(post(), "nobody hears this");
}

TEST(thread_pool, empty_callables_are_refused) {
  thread_pool pool{of(1)};
  const std::function<int()> none;
  int (*const null)() = nullptr;
  EXPECT_THROW(static_cast<void>(pool.submit(none)), std::invalid_argument);
  EXPECT_THROW(pool.post(null), std::invalid_argument);
  EXPECT_THAT(message_of([&] { pool.post(none); }), HasSubstr("empty callable"));
}

TEST(thread_pool, a_call_on_a_worker_is_made_there) {
  thread_pool pool{of(2)};
  EXPECT_FALSE(pool.on_worker());
  pool.call([&] {
    EXPECT_TRUE(pool.on_worker());
    const auto here = std::this_thread::get_id();
    EXPECT_EQ(pool.call([] { return std::this_thread::get_id(); }), here);
  });
}

TEST(thread_pool, a_worker_knows_its_index_and_no_other_thread_has_one) {
  thread_pool pool{of(3)}, other{of(1)};
  EXPECT_EQ(pool.worker_index(), std::nullopt);
  std::vector<int> jobs(pool.workers());  // not atomic
  std::vector<pool_future<void>> all;
  for (int i = 0; i < 1000; ++i) {
    all.push_back(pool.submit([&] { ++jobs.at(pool.worker_index().value()); }));
  }
  for (auto& each : all) each.get();
  EXPECT_EQ(std::accumulate(jobs.begin(), jobs.end(), 0), 1000);
  EXPECT_EQ(other.call([&] { return pool.worker_index(); }), std::nullopt);
}

#if defined(__cpp_lib_jthread)
TEST(thread_pool, a_job_that_is_asked_to_stop_before_it_begins_is_not_run) {
  thread_pool pool{of(1)};
  std::stop_source source;
  door held;
  bool ran = false;
  const auto kept = std::make_shared<int>(0);
  pool.post([&] { held.pass(); });
  auto result = pool.submit(source.get_token(), [&ran, kept] {
    ran = true;
    return 1;
  });
  pool.post(source.get_token(), [&ran, kept] { ran = true; });
  EXPECT_TRUE(source.request_stop());
  held.open();
  EXPECT_THAT(message_of([&] { result.get(); }), HasSubstr("asked to stop before it began"));
  pool.stop();
  EXPECT_FALSE(ran);
  EXPECT_EQ(kept.use_count(), 1) << "what they captured is gone";
}

TEST(thread_pool, a_job_with_a_token_runs_and_may_look_at_it) {
  thread_pool pool{of(1)};
  std::stop_source source;
  door begun;
  auto looks = pool.submit(source.get_token(), [&](const std::stop_token& token) {
    begun.open();
    while (!token.stop_requested()) std::this_thread::yield();
    return 7;
  });
  begun.pass();
  source.request_stop();
  EXPECT_EQ(looks.get(), 7) << "it had begun";
  EXPECT_EQ(
      pool.submit(std::stop_token{}, [only = std::make_unique<int>(3)] { return *only; }).get(), 3);
  const std::function<void()> none;
  EXPECT_THROW(pool.post(source.get_token(), none), std::invalid_argument);
}
#endif

}  // namespace
}  // namespace fencepost
