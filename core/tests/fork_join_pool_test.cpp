// The pool of fork_join and its threads: tasks from outside, options, the end of the pool, and
// fork().
#include <gtest/gtest.h>

#if defined(__linux__)
#include <pthread.h>
#endif

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <limits>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "child_process.hpp"
#include "fork_join_testing.hpp"
#include "sanitized.hpp"

namespace fencepost {
namespace {

TEST(fork_join, a_number_of_workers_is_enough_to_make_one) {
  EXPECT_EQ(fork_join(3).workers(), 3u);
  EXPECT_EQ(fork_join{{.workers = 2}}.workers(), 2u);
  EXPECT_THROW(fork_join(0), std::invalid_argument);
  EXPECT_THROW(fork_join(-1), std::invalid_argument);
}

TEST(fork_join, has_as_many_workers_as_the_machine_has_processors) {
  const fork_join pool;
  EXPECT_EQ(pool.workers(), std::max(1U, std::thread::hardware_concurrency()));
}

// LACE-86: the arena's first two words are its hot ones. The deque's last five words are the
// owner's, and begin a cache line.
TEST(fork_join, the_arena_begins_on_the_line_of_the_head_of_the_deque) {
  fork_join pool{with(1)};
  pool.run([](fork_join_worker& me) {
    const auto* const worker = reinterpret_cast<const std::byte*>(&me);
    const auto* const arena = reinterpret_cast<const std::byte*>(&me.scratch());
    EXPECT_EQ(static_cast<std::size_t>(arena - worker) % 64, 5 * sizeof(void*));
    using deque =
        tail_split<fork_join_worker::task, default_atomics, iso_split_word, reserved_slots>;
    EXPECT_LT(static_cast<std::size_t>(arena - worker), sizeof(deque));
  });
}

TEST(fork_join, calls_at_once_what_a_task_of_it_runs) {
  fork_join pool{with(1)};
  EXPECT_FALSE(pool.on_worker());
  EXPECT_EQ(pool.run([&] {
    EXPECT_TRUE(pool.on_worker());
    return pool.run([](fork_join_worker& me) { return fib(me, 10); });
  }),
            55);
}

TEST(fork_join, runs_tasks_of_another_pool) {
  fork_join one{with(1)}, other{with(2)};
  EXPECT_EQ(one.run([&] { return other.run([](fork_join_worker& me) { return fib(me, 10); }); }),
            55);
}

TEST(fork_join, takes_tasks_from_many_threads) {
  fork_join pool{with(2)};
  std::atomic<int> right{0};
  std::vector<std::thread> submitters;
  for (int i = 0; i < 100; ++i) {  // more than there are slots
    submitters.emplace_back([&] {
      for (int n = 5; n < 15; ++n) {
        right += pool.run([n](fork_join_worker& me) { return fib(me, n); }) ==
                 pool.run([n](fork_join_worker& me) { return fib(me, n); });
      }
    });
  }
  for (auto& submitter : submitters) submitter.join();
  EXPECT_EQ(right.load(), 1000);
}

TEST(fork_join, refuses_what_comes_after_its_end_and_runs_what_came_before) {
  for (int round = 0; round < 50; ++round) {
    fork_join pool{with(2)};
    std::atomic<int> ran{0}, accepted{0};
    std::vector<std::thread> submitters;
    for (int i = 0; i < 4; ++i) {
      submitters.emplace_back([&] {
        try {
          for (;;) {
            pool.run([&](fork_join_worker& me) {
              EXPECT_EQ(fib(me, 8), 21);
              ++ran;
            });
            ++accepted;
          }
        } catch (const fork_join_stopped&) {  // expected
        }
      });
    }
    while (ran.load() < 3) std::this_thread::yield();
    pool.stop();
    for (auto& submitter : submitters) submitter.join();
    EXPECT_EQ(ran.load(), accepted.load());
    EXPECT_THROW(pool.run([] {}), fork_join_stopped);
    pool.stop();  // again
  }
}

TEST(fork_join, can_be_stopped_by_two_threads) {
  fork_join pool{with(2)};
  std::thread other{[&] { pool.stop(); }};
  pool.stop();
  other.join();
}

TEST(fork_join, cannot_be_stopped_by_its_worker) {
  fork_join pool{with(1)};
  EXPECT_THROW(pool.run([&] { pool.stop(); }), std::logic_error);
}

TEST(fork_join, refuses_options_that_make_no_sense) {
  EXPECT_THROW(fork_join{with(0)}, std::invalid_argument);
  EXPECT_THROW(fork_join{with(fork_join::most_workers + 1)}, std::length_error);
  EXPECT_THROW(fork_join{with(1, 0x8000'0000U)}, std::length_error);
  fork_join_options narrow = with(2);
  narrow.stack = 1;
  EXPECT_THROW(fork_join{narrow}, std::invalid_argument);
  fork_join_options greedy = with(2);
  greedy.scratch.reserve = std::numeric_limits<std::size_t>::max() / 2;
  EXPECT_THROW(fork_join{greedy}, scratch_error);
}

#if defined(__linux__)
TEST(fork_join, threads_have_names) {
  fork_join_options options = with(1);
  const auto name = [&options] {
    return fork_join{options}.run([] {
      std::array<char, 16> shown{};
      pthread_getname_np(pthread_self(), shown.data(), shown.size());
      return std::string{shown.data()};
    });
  };
  EXPECT_EQ(name(), "fencepost-0");
  options.name = "renderer";
  EXPECT_EQ(name(), "renderer-0");
}
#endif

#if !defined(_WIN32)
TEST(fork_join, a_child_of_fork_is_told_that_it_has_no_workers) {
  SKIP_WHERE_A_CHILD_MAY_NOT_ALLOCATE();
  auto pool = std::make_unique<fork_join>(with(2));
  ASSERT_EQ(pool->run([](fork_join_worker& me) { return fib(me, 10); }), 55);
  const int told = exit_of_child([&] {
    int right = 0;
    try {
      pool->run([](fork_join_worker& me) { return fib(me, 10); });
    } catch (const std::logic_error&) {
      ++right;
    }
    try {
      pool->stop();
    } catch (const std::logic_error&) {
      ++right;
    }
    pool.reset();  // does not wait
    return right;
  });
  EXPECT_EQ(told, 2);
  EXPECT_EQ(pool->run([](fork_join_worker& me) { return fib(me, 10); }), 55);
}

#if !defined(SANITIZED)  // ThreadSanitizer ends a child that starts threads
TEST(fork_join, a_child_of_fork_may_have_a_pool_of_its_own) {
  fork_join pool{with(2)};
  EXPECT_EQ(exit_of_child([] {
              fork_join own{with(2)};
              return static_cast<int>(own.run([](fork_join_worker& me) { return fib(me, 10); }));
            }),
            55);
}
#endif
#endif

}  // namespace
}  // namespace fencepost
