// The workers of thread_pool: their number, their threads, and fork().
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#if defined(__linux__)
#include <pthread.h>
#endif

#include <array>
#include <atomic>
#include <csignal>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <system_error>
#include <thread>

#include "child_process.hpp"
#include "message_of.hpp"
#include "sanitized.hpp"
#include "thread_pool_testing.hpp"

namespace fencepost {
namespace {

using testing::HasSubstr;

TEST(thread_pool, a_number_of_workers_is_enough_to_make_one) {
  EXPECT_EQ(thread_pool(3).workers(), 3u);
  EXPECT_EQ(thread_pool{std::size_t{2}}.workers(), 2u);
  EXPECT_EQ(thread_pool{{.workers = 2}}.workers(), 2u);
  EXPECT_GE(thread_pool{{}}.workers(), 1u) << "the options";
  EXPECT_THROW(thread_pool(0), std::invalid_argument);
  EXPECT_THROW(thread_pool(-1), std::invalid_argument);
  EXPECT_THROW(thread_pool(std::int64_t{1} << 40), std::length_error);
  static_assert(!std::is_convertible_v<int, thread_pool>);
}

TEST(thread_pool, has_as_many_workers_as_the_machine_has_processors) {
  const thread_pool pool;
  const std::uint32_t processors = std::thread::hardware_concurrency();
  EXPECT_EQ(pool.workers(), processors == 0 ? 1 : processors);
}

// The type of a data member cannot omit template arguments; thread_pool is not a template.
struct service {
  thread_pool pool;
  thread_pool narrow{of(1)};
};

TEST(thread_pool, is_a_member_of_a_class) {
  service s;
  EXPECT_EQ(s.pool.call([&] { return s.narrow.call([] { return 6 * 7; }); }), 42);
  EXPECT_EQ(s.narrow.workers(), 1);
}

TEST(thread_pool, no_workers_are_refused) {
  EXPECT_THROW(thread_pool{of(0)}, std::invalid_argument);
  EXPECT_THAT(message_of([] { thread_pool{of(0)}; }), HasSubstr("leave it unset"));
}

TEST(thread_pool, more_workers_than_can_be_counted_are_refused) {
  EXPECT_THROW(thread_pool{of(65'536)}, std::length_error);
  EXPECT_THAT(message_of([] { thread_pool{of(65'536)}; }), HasSubstr("at most 65535"));
}

TEST(thread_pool, sleep_options_that_make_no_sense_are_refused) {
  thread_pool_options options;
  options.sleep = {.rounds_until_sleepy = 5, .rounds_until_sleeping = 5};
  EXPECT_THROW(thread_pool{options}, std::invalid_argument);
}

// A thread that cannot be started once three have been.
struct three_threads : default_atomics {
  static inline std::atomic<int> started{0}, ended{0};
  class thread {
   public:
    thread() = default;
    template <class F>
    explicit thread(F f) {
      if (started.load() == 3) {
        throw std::system_error{std::make_error_code(std::errc::resource_unavailable_try_again)};
      }
      started.fetch_add(1);
      thread_ = std::thread{[f] {
        f();
        ended.fetch_add(1);
      }};
    }
    void join() { thread_.join(); }
    bool joinable() const noexcept { return thread_.joinable(); }

   private:
    std::thread thread_;
  };
};

TEST(thread_pool, a_thread_that_cannot_be_started_leaves_none_behind) {
  EXPECT_THROW(basic_thread_pool<three_threads>{of(5)}, std::system_error);
  EXPECT_EQ(three_threads::started.load(), 3);
  EXPECT_EQ(three_threads::ended.load(), 3);
}

#if !defined(SANITIZED) && !defined(_WIN32)  // sanitized frames differ; Windows lacks the signal
int nested(thread_pool& pool, int n) {
  return n == 0 ? 0 : pool.submit([&pool, n] { return nested(pool, n - 1); }).get() + 1;
}

TEST(thread_pool_death_test, a_stack_that_overflows_says_which_worker_and_how_large) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const auto overflow = [] {
    thread_pool_options options = of(1);
    options.stack = 256 << 10;
    options.name = "deep";
    thread_pool pool{options};
    pool.call([&] { return nested(pool, 1'000'000); });
  };
  EXPECT_EXIT(overflow(), testing::KilledBySignal(SIGSEGV),
              "the thread deep-0 has overflowed its stack of 262144 bytes");
}
#endif

#if defined(__linux__)
std::string name_of_this_thread() {
  std::array<char, 16> name{};
  pthread_getname_np(pthread_self(), name.data(), name.size());
  return name.data();
}

TEST(thread_pool, threads_have_names) {
  thread_pool pool{of(1)};
  EXPECT_EQ(pool.call(&name_of_this_thread), "fencepost-0");
  thread_pool_options options = of(1);
  options.name = "a name that is longer";
  thread_pool other{options};
  EXPECT_EQ(other.call(&name_of_this_thread), "a name that i-0") << "the number is kept";
  options.name.clear();
  thread_pool unnamed{options};
  EXPECT_EQ(unnamed.call(&name_of_this_thread), name_of_this_thread());
}
#endif

TEST(thread_pool, pools_come_and_go) {
  for (int round = 0; round < 200; ++round) {
    std::atomic<int> runs{0};
    {
      thread_pool pool{of(2)};
      for (int i = 0; i < round % 5; ++i) pool.post([&] { runs.fetch_add(1); });
    }
    ASSERT_EQ(runs.load(), round % 5);
  }
}

#if !defined(_WIN32)
TEST(thread_pool, a_child_of_fork_is_told_that_it_has_no_workers) {
  SKIP_WHERE_A_CHILD_MAY_NOT_ALLOCATE();
  auto pool = std::make_unique<thread_pool>(of(2));
  ASSERT_EQ(pool->call([] { return 1; }), 1);
  door held;
  auto done = pool->submit([] { return 2; });
  done.wait();
  auto waiting = pool->submit([&] { held.pass(); });
  const int seen = exit_of_child([&] {
    const auto told = [](auto&& call) {
      return message_of(call).find("was forked from") != std::string::npos;
    };
    int right = 0;
    right += told([&] { pool->call([] {}); });
    right += told([&] { static_cast<void>(pool->submit([] {})); });
    right += told([&] { pool->post([] {}); });
    right += told([&] { pool->join([] {}, [] {}); });
    right += told([&] { pool->stop(); });
    right += told([&] { waiting.wait(); });
    right += static_cast<int>(done.get() == 2);
    pool.reset();  // does not wait
    return right;
  });
  EXPECT_EQ(seen, 7);
  held.open();
  waiting.get();
  EXPECT_EQ(pool->call([] { return 3; }), 3) << "the parent's goes on";
}

#if !defined(SANITIZED)  // ThreadSanitizer ends a child that starts threads
TEST(thread_pool, a_child_of_fork_may_have_a_pool_of_its_own) {
  thread_pool pool{of(2)};
  ASSERT_EQ(pool.call([] { return 1; }), 1);
  EXPECT_EQ(exit_of_child([] {
              thread_pool own{of(2)};
              return own.call([] { return 7; });
            }),
            7);
}
#endif
#endif

}  // namespace
}  // namespace fencepost
