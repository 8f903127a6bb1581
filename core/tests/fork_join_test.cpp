// The tasks of fork_join on real threads: results, exceptions, and dropped tasks.
#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <numeric>
#include <span>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "fork_join_testing.hpp"

namespace fencepost {
namespace {

TEST(fork_join, gives_the_result_of_a_recursion) {
  for (const std::uint32_t workers : {1U, 2U, 3U, 16U}) {
    fork_join pool{with(workers)};
    EXPECT_EQ(pool.workers(), workers);
    EXPECT_EQ(pool.run([](fork_join_worker& me) { return fib(me, 20); }), 6765) << workers;
  }
}

TEST(fork_join, has_room_for_deep_recursion_and_may_be_pinned) {
  fork_join_options options = with(2);
  options.stack = std::size_t{1} << 30;
  options.pin = true;
  fork_join pool{options};
  struct deep {
    static std::uint64_t sum(fork_join_worker& me, std::uint64_t n) {
      if (n == 0) return 0;
      auto rest = me.spawn([n](fork_join_worker& mine) { return sum(mine, n - 1); });
      return n + me.sync(rest);
    }
  };
#ifdef FENCEPOST_THREAD_SANITIZER  // ThreadSanitizer has room for 65536 calls
  constexpr std::uint64_t n = 5'000;
#else
  constexpr std::uint64_t n = 300'000;
#endif
  EXPECT_EQ(pool.run([&](fork_join_worker& me) { return deep::sum(me, n); }), n * (n + 1) / 2);
}

TEST(fork_join, runs_callables_that_take_nothing) {
  fork_join pool{with(2)};
  EXPECT_EQ(pool.run([] { return 7; }), 7);
  EXPECT_EQ(pool.run([](fork_join_worker& me) { return me.sync(me.spawn([] { return 8; })); }), 8);
  EXPECT_EQ(pool.run([](fork_join_worker& me) { return me.call([] { return 9; }); }), 9);
}

TEST(fork_join, gives_references_and_nothing_back) {
  fork_join pool{with(2)};
  int there = 1;
  pool.run([&](fork_join_worker& me) {
    auto handle = me.spawn([&]() -> int& { return there; });
    int& same = me.sync(handle);
    same = 2;
    auto nothing = me.spawn([&] { ++there; });
    me.sync(nothing);
  });
  EXPECT_EQ(there, 3);
  int& same = pool.run([&]() -> int& { return there; });
  EXPECT_EQ(&same, &there);
}

// Returns a result from a task that must be stolen: the worker that spawned it waits until it has
// run.
template <class Result>
Result from_a_thief(fork_join_worker& me, const Result& value) {
  std::atomic<bool> ran{false};
  auto handle = me.spawn([&ran, &value]() -> Result {
    ran.store(true, std::memory_order_release);
    return value;
  });
  while (!ran.load(std::memory_order_acquire)) me.poll();
  return me.sync(handle);
}

TEST(fork_join, gives_the_result_of_a_stolen_task_of_any_size) {
  fork_join pool{with(2)};
  const std::array<std::uint64_t, 40> large{1, 2, 3};
  const std::string text(1000, 'x');
  pool.run([&](fork_join_worker& me) {
    EXPECT_EQ(from_a_thief(me, 42), 42);
    EXPECT_EQ(from_a_thief(me, large), large);
    EXPECT_EQ(from_a_thief(me, text), text);
  });
}

TEST(fork_join, runs_callables_of_any_size_and_destroys_each_once) {
  fork_join pool{with(2)};
  pool.run([&](fork_join_worker& me) {
    const auto token = std::make_shared<int>(1);
    const std::array<std::uint64_t, 40> large{1, 2, 3};
    for (int stolen = 0; stolen < 2; ++stolen) {
      std::atomic<bool> ran{stolen == 0};
      auto small = me.spawn([token, &ran] {
        ran.store(true, std::memory_order_release);
        return *token;
      });
      if (stolen != 0) {
        while (!ran.load(std::memory_order_acquire)) me.poll();
      }
      auto big = me.spawn([token, large] { return large[2] + static_cast<unsigned>(*token); });
      EXPECT_EQ(me.sync(big), 4U);
      EXPECT_EQ(me.sync(small), 1);
      EXPECT_EQ(token.use_count(), 1);
      me.drop(me.spawn([token, large] { return large[0]; }));
      me.drop(me.spawn([token] {}));
      EXPECT_EQ(token.use_count(), 1);
    }
    EXPECT_EQ(me.scratch().used(), 0U);
  });
}

TEST(fork_join, throws_what_a_task_throws_to_the_one_that_syncs) {
  fork_join pool{with(2)};
  EXPECT_THROW(pool.run([] { throw failure{}; }), failure);
  pool.run([&](fork_join_worker& me) {
    auto own = me.spawn([]() -> int { throw failure{}; });
    EXPECT_THROW(me.sync(own), failure);

    std::atomic<bool> ran{false};
    auto stolen = me.spawn([&ran]() -> std::string {
      ran.store(true, std::memory_order_release);
      throw failure{};
    });
    while (!ran.load(std::memory_order_acquire)) me.poll();
    EXPECT_THROW(me.sync(stolen), failure);
  });
  EXPECT_EQ(pool.run([](fork_join_worker& me) { return fib(me, 15); }), 610);
}

TEST(fork_join, drops_a_task_when_an_exception_passes_its_handle) {
  fork_join pool{with(2)};
  for (int round = 0; round < 100; ++round) {
    const auto token = std::make_shared<int>(1);
    EXPECT_THROW(pool.run([&](fork_join_worker& me) {
      auto handle = me.spawn([token] { return *token; });
      throw failure{};
      return me.sync(handle);
    }),
                 failure);
    EXPECT_EQ(token.use_count(), 1);
  }
}

TEST(fork_join, drops_a_task_without_running_it_or_waits_for_its_thief) {
  fork_join pool{with(2)};
  pool.run([&](fork_join_worker& me) {
    std::atomic<bool> ran{false};
    auto stolen = me.spawn([&ran] { ran.store(true, std::memory_order_release); });
    while (!ran.load(std::memory_order_acquire)) me.poll();
    me.drop(stolen);
    auto throwing = me.spawn([&ran]() -> int {
      ran.store(false, std::memory_order_release);
      throw failure{};
    });
    while (ran.load(std::memory_order_acquire)) me.poll();
    me.drop(throwing);
  });
  fork_join alone{with(1)};
  alone.run([](fork_join_worker& me) {
    me.drop(me.spawn([]() -> int { throw failure{}; }));
    me.drop(me.spawn([] { ADD_FAILURE() << "nobody could have stolen it"; }));
  });
}

TEST(fork_join, joins_two_and_many) {
  fork_join pool{with(2)};
  pool.run([&](fork_join_worker& me) {
    const auto [a, b, c] =
        me.join([] { return 1; }, [](fork_join_worker&) { return std::string("two"); }, [] {});
    EXPECT_EQ(a, 1);
    EXPECT_EQ(b, "two");
    EXPECT_EQ(c, std::monostate{});
    int left = 0, right = 0;
    static_assert(std::is_void_v<decltype(me.join([&] { left = 1; }, [&] { right = 2; }))>);
    me.join([&] { left = 1; }, [&] { right = 2; });
    EXPECT_EQ(left + right, 3);
    auto [only] = me.join([] { return std::make_unique<int>(5); });
    EXPECT_EQ(*only, 5);
    auto [here, there] = me.join([&]() -> int& { return left; }, [&]() -> int& { return right; });
    EXPECT_EQ(&here, &left);
    EXPECT_EQ(&there, &right);
  });
}

TEST(fork_join, throws_what_the_first_of_a_join_throws_or_the_last_of_the_others) {
  fork_join pool{with(2)};
  const auto thrown = [&](auto... callables) {
    try {
      pool.run([&](fork_join_worker& me) { me.join(callables...); });
    } catch (int which) {
      return which;
    }
    return 0;
  };
  EXPECT_EQ(thrown([] { throw 1; }, [] { throw 2; }, [] { throw 3; }), 1);
  EXPECT_EQ(thrown([] {}, [] { throw 2; }, [] { throw 3; }), 3);
  EXPECT_EQ(thrown([] {}, [] { throw 2; }, [] {}), 2);
}

TEST(fork_join, keeps_what_the_deque_has_no_room_for) {
  for (const std::uint32_t tasks : {0U, 1U, 5U}) {
    fork_join pool{with(2, tasks)};
    EXPECT_EQ(pool.run([](fork_join_worker& me) { return fib(me, 16); }), 987) << tasks;
    pool.run([](fork_join_worker& me) {
      const auto token = std::make_shared<int>(1);
      const auto task = [token] { return *token; };
      std::vector<decltype(me.spawn(task))> handles;
      for (int i = 0; i < 10; ++i) handles.push_back(me.spawn(task));
      for (int i = 0; i < 5; ++i, handles.pop_back()) EXPECT_EQ(me.sync(handles.back()), 1);
      for (int i = 0; i < 5; ++i, handles.pop_back()) me.drop(handles.back());
      EXPECT_EQ(token.use_count(), 2);
      EXPECT_EQ(me.scratch().used(), 0U);
    });
  }
}

TEST(fork_join, lets_tasks_have_scratch_memory) {
  fork_join pool{with(2)};
  pool.run([](fork_join_worker& me) {
    const std::span<int> mine = me.scratch().allocate<int>(100);
    std::iota(mine.begin(), mine.end(), 0);
    const int sum = from_a_thief(me, 7) + std::accumulate(mine.begin(), mine.end(), 0);
    EXPECT_EQ(sum, 4957);
    // Memory that is not reset is released with the task of run().
  });
  pool.run([](fork_join_worker& me) { EXPECT_EQ(me.scratch().used(), 0U); });
}

}  // namespace
}  // namespace fencepost
