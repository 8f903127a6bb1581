// Loops and reductions against their sequential results: on a fake worker, which divides them as
// the test says, and on the runtime.
#include "fencepost/runtime/parallel.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <deque>
#include <functional>
#include <limits>
#include <numeric>
#include <ranges>
#include <stdexcept>
#include <string>
#include <thread>
#include <type_traits>
#include <vector>

#include "error_of.hpp"
#include "fake_worker.hpp"
#include "fencepost/runtime/fork_join.hpp"

namespace fencepost {
namespace {

using test::fake_worker;

RC_GTEST_PROP(parallel, a_loop_over_integers_has_each_once, (std::uint64_t seed)) {
  const auto first = *rc::gen::arbitrary<std::int16_t>();
  const auto last = *rc::gen::arbitrary<std::int16_t>();
  const auto grain = *rc::gen::inRange<std::size_t>(0, 100);
  fake_worker me{seed};
  std::vector<std::int16_t> seen, expected;
  parallel_for(
      me, first, last, [&](std::int16_t i) { seen.push_back(i); }, grain);
  for (int i = first; i < last; ++i) expected.push_back(static_cast<std::int16_t>(i));
  RC_ASSERT(seen == expected);  // the fake runs the halves in order
  RC_ASSERT(me.open() == 0);
}

RC_GTEST_PROP(parallel, a_loop_over_elements_has_each_once,
              (std::uint64_t seed, std::vector<int> values)) {
  fake_worker me{seed};
  std::vector<int> by_iterator = values, by_range = values;
  parallel_for(me, by_iterator.begin(), by_iterator.end(), [](int& each) { each ^= 1; });
  parallel_for(me, by_range, [](int& each) { each ^= 1; });
  for (int& each : values) each ^= 1;
  RC_ASSERT(by_iterator == values);
  RC_ASSERT(by_range == values);
}

RC_GTEST_PROP(parallel, blocks_have_each_element_once, (std::uint64_t seed)) {
  const auto first = *rc::gen::arbitrary<std::int16_t>();
  const auto last = *rc::gen::arbitrary<std::int16_t>();
  const auto grain = *rc::gen::inRange<std::size_t>(0, 100);
  fake_worker me{seed};
  int next = first;
  parallel_for_blocks(
      me, first, last,
      [&](std::int16_t from, std::int16_t to) {
        RC_ASSERT(from == next && from < to);  // the fake runs the halves in order
        next = to;
      },
      grain);
  RC_ASSERT(next == std::max(first, last));

  std::vector<int> values(*rc::gen::inRange<std::size_t>(0, 1000));
  using iterator = std::vector<int>::iterator;
  parallel_for_blocks(
      me, values,
      [&](fake_worker& here, iterator from, iterator to) {
        RC_ASSERT(&here == &me && from < to);
        std::for_each(from, to, [](int& each) { ++each; });
      },
      grain);
  parallel_for_blocks(me, values.begin(), values.end(), [](auto from, auto to) {
    for (int& each : std::ranges::subrange(from, to)) ++each;
  });
  RC_ASSERT(std::count(values.begin(), values.end(), 2) == std::ssize(values));
  RC_ASSERT(me.open() == 0);
}

// Of any type; a negative one is not taken for an enormous one.
TEST(parallel, a_grain_is_an_integer_and_not_negative) {
  static_assert(loop_grain{0}.elements() == 1);
  static_assert(loop_grain{std::int8_t{7}}.elements() == 7);
  static_assert(loop_grain{std::numeric_limits<std::uint64_t>::max()}.elements() ==
                std::numeric_limits<std::uint64_t>::max());
  enum { few = 12 };
  static_assert(loop_grain{few}.elements() == 12);
  static_assert(!std::is_constructible_v<loop_grain, double>);
  static_assert(!std::is_constructible_v<loop_grain, bool>);
  fake_worker me{1};
  int calls = 0;
  const auto message = error_of<std::invalid_argument>([&] {
    parallel_for(
        me, 0, 10, [&](int) { ++calls; }, -1);
  });
  EXPECT_NE(message.find("the grain is negative"), std::string::npos) << message;
  EXPECT_EQ(calls, 0);
  parallel_for(
      me, 0, 10, [&](int) { ++calls; }, std::numeric_limits<std::int64_t>::max());
  EXPECT_EQ(calls, 10);
}

TEST(parallel, a_block_has_the_grain_unless_a_part_ends) {
  fake_worker me{1};
  std::vector<int> sizes;
  parallel_for_blocks(
      me, 0, 95, [&](int from, int to) { sizes.push_back(to - from); }, 100);
  EXPECT_EQ(sizes, std::vector<int>{95});
  sizes.clear();
  parallel_for_blocks(
      me, 0, 100'000, [&](int from, int to) { sizes.push_back(to - from); }, 10);
  const auto small = [](int size) { return size < 10; };
  EXPECT_LE(std::count_if(sizes.begin(), sizes.end(), small), std::ssize(sizes) / 2);
  EXPECT_LE(static_cast<std::size_t>(std::count_if(sizes.begin(), sizes.end(), small)),
            me.spawned + 1);
  EXPECT_LE(*std::max_element(sizes.begin(), sizes.end()), 4096);
}

// Strings: their concatenation is associative but nothing else.
RC_GTEST_PROP(parallel, a_reduction_is_the_sequential_one,
              (std::uint64_t seed, std::vector<std::string> values)) {
  fake_worker me{seed};
  const auto grain = *rc::gen::inRange<std::size_t>(0, 10);
  std::size_t length = 0;
  for (const std::string& each : values) length += each.size();
  const std::string expected = std::accumulate(values.begin(), values.end(), std::string());
  RC_ASSERT(parallel_reduce(me, values.begin(), values.end(), std::string(), std::plus<>{}) ==
            expected);
  RC_ASSERT(parallel_reduce(me, values, std::string(), std::plus<>{}) == expected);
  const auto add = [](std::size_t sum, const std::string& each) { return sum + each.size(); };
  RC_ASSERT(parallel_reduce(me, values, std::size_t{0}, add, std::plus<>{}, grain) == length);
  RC_ASSERT(parallel_reduce(me, values.begin(), values.end(), std::size_t{0}, add, std::plus<>{},
                            grain) == length);
  RC_ASSERT(me.open() == 0);
}

RC_GTEST_PROP(parallel, an_exception_of_any_element_passes, (std::uint64_t seed)) {
  struct thrown {
    int by;
  };
  const int size = *rc::gen::inRange(1, 200);
  const int bad = *rc::gen::inRange(0, size);
  fake_worker me{seed};
  std::vector<int> seen(static_cast<std::size_t>(size));
  const auto body = [&](int i) {
    if (i == bad) throw thrown{i};
    ++seen[static_cast<std::size_t>(i)];
    return i;
  };
  const auto is_thrown_by = [&](auto loop) {
    try {
      loop();
    } catch (const thrown& error) {
      return error.by == bad && me.open() == 0;
    }
    return false;
  };
  RC_ASSERT(is_thrown_by([&] { parallel_for(me, 0, size, body); }));
  for (int i = 0; i < size; ++i) RC_ASSERT(seen[static_cast<std::size_t>(i)] == (i < bad ? 1 : 0));
  RC_ASSERT(is_thrown_by([&] {
    parallel_reduce(
        me, 0, size, 0, [&](int sum, int i) { return sum + body(i); }, std::plus<>{});
  }));
}

template <class I>
struct parallel_ends : testing::Test {};
using integers = testing::Types<signed char, unsigned char, char, short, unsigned short, int,
                                unsigned, long, unsigned long, long long, char16_t>;
TYPED_TEST_SUITE(parallel_ends, integers);

TYPED_TEST(parallel_ends, a_loop_reaches_both_ends_of_the_type) {
  constexpr TypeParam least = std::numeric_limits<TypeParam>::min();
  constexpr TypeParam most = std::numeric_limits<TypeParam>::max();
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    fake_worker me{seed};
    std::vector<TypeParam> seen;
    const auto note = [&](TypeParam i) { seen.push_back(i); };
    parallel_for(me, static_cast<TypeParam>(most - 3), most, note);
    parallel_for(me, least, static_cast<TypeParam>(least + 2), note);
    parallel_for(me, most, least, note);
    EXPECT_EQ(seen,
              (std::vector<TypeParam>{
                  static_cast<TypeParam>(most - 3), static_cast<TypeParam>(most - 2),
                  static_cast<TypeParam>(most - 1), least, static_cast<TypeParam>(least + 1)}));
  }
}

TEST(parallel, the_whole_of_a_type_can_be_counted) {
  fake_worker me{1};
  std::uint64_t sum = 0;
  parallel_for(me, std::numeric_limits<std::int16_t>::min(),
               std::numeric_limits<std::int16_t>::max(),
               [&](std::int16_t i) { sum += static_cast<std::uint64_t>(i + 32768); });
  EXPECT_EQ(sum, std::uint64_t{65535} * 65534 / 2);
}

// A loop too long to end is divided, and is left by an exception.
TEST(parallel, a_loop_over_all_integers_of_64_bits_is_divided_without_overflow) {
  struct stop {};
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    fake_worker me{seed};
    int count = 0;
    EXPECT_THROW(parallel_for(me, std::numeric_limits<std::int64_t>::min(),
                              std::numeric_limits<std::int64_t>::max(),
                              [&](std::int64_t i) {
                                EXPECT_EQ(i, std::numeric_limits<std::int64_t>::min() + count);
                                if (++count == 1000) throw stop{};
                              }),
                 stop);
    EXPECT_EQ(count, 1000);
    EXPECT_EQ(me.open(), 0);
  }
}

TEST(parallel, bounds_of_two_types_have_their_common_type) {
  fake_worker me{1};
  const std::vector<int> values(10);
  std::size_t sum = 0;
  parallel_for(me, 0, values.size(), [&](auto i) {
    static_assert(std::is_same_v<decltype(i), std::size_t>);
    sum += i;
  });
  EXPECT_EQ(sum, 45u);
  parallel_for(me, 7, -7, [](int) { FAIL(); });
  parallel_for(me, 10u, -1, [](unsigned) { FAIL() << "-1 is less than 10"; });
  EXPECT_THROW(parallel_for(me, -1, 10u, [](unsigned) { FAIL(); }), std::invalid_argument);
}

TEST(parallel, nothing_is_done_with_nothing) {
  fake_worker me{1};
  std::vector<int> none;
  const auto fails = [](int) { FAIL(); };
  parallel_for(me, 5, 5, fails);
  parallel_for(me, 5, 4, fails);
  parallel_for(me, none, fails);
  parallel_for(me, none.begin(), none.end(), fails);
  EXPECT_EQ(parallel_reduce(me, none, 42, std::plus<>{}), 42);
  EXPECT_EQ(me.spawned, 0u);
}

TEST(parallel, takes_what_is_random_access) {
  fake_worker me{3};
  std::array<int, 5> values{1, 2, 3, 4, 5};
  int built_in[] = {1, 2, 3, 4, 5};
  const std::deque<int> deque(values.begin(), values.end());
  EXPECT_EQ(parallel_reduce(me, values, 0, std::plus<>{}), 15);
  EXPECT_EQ(parallel_reduce(me, built_in, 0, std::plus<>{}), 15);
  EXPECT_EQ(parallel_reduce(me, deque, 0, std::plus<>{}), 15);
  EXPECT_EQ(parallel_reduce(me, built_in + 1, built_in + 3, 0, std::plus<>{}), 5);
  EXPECT_EQ(parallel_reduce(me, values.rbegin(), values.rend(), 0, std::plus<>{}), 15);
#if !defined(__clang__)  // clang++ 14 does not understand the views of libstdc++ 12
  EXPECT_EQ(parallel_reduce(me, std::views::iota(1, 6), 0, std::plus<>{}), 15);
  EXPECT_EQ(parallel_reduce(me, std::views::transform(values, [](int i) { return 2 * i; }), 0,
                            std::plus<>{}),
            30);
#endif
  std::vector<bool> bits(100);
  parallel_for(me, bits, [](auto&& bit) { bit = true; });
  EXPECT_EQ(std::count(bits.begin(), bits.end(), true), 100);
}

TEST(parallel, a_body_may_ask_for_the_worker_and_loop_in_the_loop) {
  fake_worker me{5};
  std::vector<std::vector<int>> rows(20, std::vector<int>(30, 1));
  parallel_for(me, rows, [](fake_worker& worker, std::vector<int>& row) {
    parallel_for(worker, row, [](int& each) { ++each; });
  });
  const int sum = parallel_reduce(
      me, rows, 0,
      [](fake_worker& worker, int before, const std::vector<int>& row) {
        return before + parallel_reduce(worker, row, 0, std::plus<>{});
      },
      std::plus<>{});
  EXPECT_EQ(sum, 20 * 30 * 2);
}

TEST(parallel, every_part_of_a_reduction_begins_with_the_identity) {
  struct counted {
    int parts = 0;
  };
  for (std::uint64_t seed = 1; seed < 20; ++seed) {
    fake_worker me{seed};
    const counted result = parallel_reduce(
        me, 0, 1000, counted{1}, [](counted before, int) { return before; },
        [](counted left, counted right) { return counted{left.parts + right.parts}; });
    EXPECT_EQ(result.parts, static_cast<int>(me.spawned) + 1);
  }
}

TEST(parallel, a_loop_is_as_noexcept_as_its_body_so_that_tasks_can_be) {
  using place = detail::integer_place<int>;
  const auto may = [](int) {};
  const auto may_not = [](int) noexcept {};
  EXPECT_FALSE((detail::parallel_loop<fake_worker, place, decltype(may)>::nothrow));
  EXPECT_TRUE((detail::parallel_loop<fake_worker, place, decltype(may_not)>::nothrow));
}

// A worker from which nobody steals: it wants a task when its deque is empty, and then has one.
struct lonely_worker {
  std::size_t spawned = 0, looked = 0;
  bool empty = true;
  template <class F>
  F spawn(F f) {
    ++spawned;
    empty = false;
    return f;
  }
  template <class F>
  void sync(F& f) {
    empty = true;
    f(*this);
  }
  bool wants_tasks() noexcept {
    ++looked;
    return empty;
  }
  void poll() noexcept {}
  void share() noexcept {}
};

// A worker that wants tasks while `wants` is true. Records the sizes of the parts, and when it is
// asked.
struct greedy_worker {
  std::vector<std::uint64_t> parts, looks;
  std::uint64_t done = 0, begun_at = 0;
  bool wants = true;
  template <class F>
  F spawn(F f) {
    return f;
  }
  template <class F>
  void sync(F& f) {
    end_part();
    f(*this);
  }
  void end_part() { parts.push_back(done - std::exchange(begun_at, done)); }
  bool wants_tasks() {
    looks.push_back(done);
    return wants;
  }
  void poll() noexcept {}
  void share() noexcept {}
};

RC_GTEST_PROP(parallel, no_part_is_smaller_than_the_grain_or_can_be_halved, ()) {
  const auto grain = *rc::gen::inRange<std::uint64_t>(1, 50);
  const auto size = *rc::gen::inRange<std::uint64_t>(grain, 2000);
  greedy_worker me;
  parallel_for(
      me, std::uint64_t{0}, size, [&](std::uint64_t) { ++me.done; }, grain);
  me.end_part();
  for (const std::uint64_t part : me.parts) RC_ASSERT(part >= grain && part < 2 * grain);
}

TEST(parallel, a_worker_looks_often_enough_for_those_who_wait) {
  constexpr std::uint64_t most = 4096;
  greedy_worker me;
  me.wants = false;
  parallel_for(me, 0, 20'000, [&](int) { ++me.done; });
  EXPECT_EQ(me.done, 20'000u);
  EXPECT_EQ(std::vector<std::uint64_t>(me.looks.begin(), me.looks.begin() + 5),
            (std::vector<std::uint64_t>{0, 1, 2, 4, 8}));
  for (std::size_t i = 1; i < me.looks.size(); ++i) {
    const std::uint64_t before = me.looks[i - 1];
    const std::uint64_t turn = me.looks[i] - before;
    EXPECT_LE(turn, std::max<std::uint64_t>({1, (20'000 - before) / 8, before / 16}));
    EXPECT_LE(turn, most);
  }
}

TEST(parallel, a_loop_that_nobody_helps_with_has_a_task_for_each_doubling) {
  lonely_worker me;
  std::size_t count = 0;
  parallel_for(me, 0, 1'000'000, [&](int) { ++count; });
  EXPECT_EQ(count, 1'000'000u);
  EXPECT_LE(me.spawned, 20u);
  EXPECT_LE(me.looked, 3000u);
}

// ---- On the runtime ------------------------------------------------------------------------

fork_join_options four_workers() {
  fork_join_options options;
  options.workers = 4;
  return options;
}

RC_GTEST_PROP(parallel_on_workers, a_loop_has_each_element_once, ()) {
  static fork_join pool{four_workers()};
  const auto size = *rc::gen::inRange<std::size_t>(0, 5000);
  const auto grain = *rc::gen::inRange<std::size_t>(0, 20);
  std::vector<int> seen(size);  // not atomic: no two bodies share an element
  pool.run([&](fork_join_worker& me) {
    parallel_for(
        me, std::size_t{0}, size, [&](std::size_t i) { ++seen[i]; }, grain);
    parallel_for(
        me, seen, [](int& each) { ++each; }, grain);
  });
  RC_ASSERT(std::count(seen.begin(), seen.end(), 2) == static_cast<std::ptrdiff_t>(size));
}

RC_GTEST_PROP(parallel_on_workers, a_reduction_is_the_sequential_one,
              (const std::vector<std::string>& values)) {
  static fork_join pool{four_workers()};
  const std::string expected = std::accumulate(values.begin(), values.end(), std::string());
  RC_ASSERT(pool.run([&](fork_join_worker& me) {
    return parallel_reduce(me, values, std::string(), std::plus<>{});
  }) == expected);
}

// A part has at least the grain, whether one operation does both or two.
TEST(parallel_reduce, has_a_grain_with_one_operation_as_with_two) {
  fork_join pool{four_workers()};
  std::vector<int> values(100);
  std::iota(values.begin(), values.end(), 0);
  for (const std::size_t grain : {std::size_t{1}, std::size_t{60}}) {
    EXPECT_EQ(parallel_reduce(pool, 0, 100, 0, std::plus<>{}, grain), 4950);
    EXPECT_EQ(parallel_reduce(pool, values, 0, std::plus<>{}, grain), 4950);
    EXPECT_EQ(parallel_reduce(pool, values.begin(), values.end(), 0, std::plus<>{}, grain), 4950);
    EXPECT_EQ(parallel_reduce(pool, values, 0, std::plus<>{}, std::plus<>{}, grain), 4950);
  }
  fake_worker me{3, test::thieves::some};
  EXPECT_EQ(parallel_reduce(me, 0, 100, 0, std::plus<>{}, 60), 4950);
  EXPECT_EQ(parallel_reduce(me, values, 0, std::plus<>{}, 60), 4950);
  EXPECT_EQ(me.spawned, 0U) << "half of it is less than the grain";
  EXPECT_EQ(parallel_reduce(me, values, 0, std::plus<>{}), 4950);
  EXPECT_GT(me.spawned, 0U);
}

TEST(parallel_on_workers, loops_in_loops) {
  fork_join pool{four_workers()};
  constexpr int rows = 200, columns = 300;
  std::vector<std::vector<int>> all(rows, std::vector<int>(columns));
  for (int round = 1; round <= 20; ++round) {
    const long sum = pool.run([&](fork_join_worker& me) {
      parallel_for(me, all, [](fork_join_worker& worker, std::vector<int>& row) {
        parallel_for(worker, row, [](int& each) { ++each; });
      });
      return parallel_reduce(
          me, all, 0L,
          [](fork_join_worker& worker, long before, const std::vector<int>& row) {
            return before + parallel_reduce(worker, row, 0L, std::plus<>{});
          },
          std::plus<>{});
    });
    ASSERT_EQ(sum, long{rows} * columns * round);
  }
}

// A part that another worker has, and one that nobody has taken.
TEST(parallel_on_workers, exceptions_pass_and_all_that_had_begun_has_ended) {
  fork_join pool{four_workers()};
  for (int bad = 0; bad < 1000; bad += 7) {
    std::atomic<int> inside{0};
    const auto body = [&](int i) {
      inside.fetch_add(1, std::memory_order_relaxed);
      const bool throws = i == bad;
      inside.fetch_sub(1, std::memory_order_relaxed);
      if (throws) throw std::out_of_range(std::to_string(i));
      return 1;
    };
    pool.run([&](fork_join_worker& me) {
      try {
        parallel_for(me, 0, 1000, body);
        ADD_FAILURE() << "of " << bad;
      } catch (const std::out_of_range& error) {
        EXPECT_EQ(error.what(), std::to_string(bad));
      }
      EXPECT_EQ(inside.load(std::memory_order_relaxed), 0);
      const auto add = [&](int sum, int i) { return sum + body(i); };
      EXPECT_THROW(parallel_reduce(me, 0, 1000, 0, add, std::plus<>{}), std::out_of_range);
      EXPECT_EQ(inside.load(std::memory_order_relaxed), 0);
    });
  }
}

// Elements that wait for each other: the loop ends only if two workers run them.
TEST(parallel_on_workers, two_elements_are_two_workers_if_one_takes_long) {
  fork_join_options options;
  options.workers = 2;
  fork_join pool{options};
  std::atomic<int> there{0};
  pool.run([&](fork_join_worker& me) {
    parallel_for(me, 0, 2, [&](int) {
      ++there;
      while (there != 2) std::this_thread::yield();
    });
  });
  EXPECT_EQ(there, 2);
}

// Element 0 runs until 51, in the half that was given away, has begun. Then the first half is
// divided again; otherwise 50 would not begin while 1 runs.
TEST(parallel_on_workers, what_is_left_of_a_part_is_divided_when_the_other_half_is_taken) {
  fork_join_options options;
  options.workers = 3;
  fork_join pool{options};
  std::array<std::atomic<bool>, 102> begun{};
  const auto wait_for = [&begun](std::size_t other) {
    while (!begun[other]) std::this_thread::yield();
  };
  pool.run([&](fork_join_worker& me) {
    parallel_for(me, 0, 102, [&](int i) {
      begun[static_cast<std::size_t>(i)] = true;
      if (i == 0) wait_for(51);
      if (i == 1 || i == 51) wait_for(50);
    });
  });
  EXPECT_TRUE(
      std::all_of(begun.begin(), begun.end(), [](const auto& each) { return each.load(); }));
}

TEST(parallel_on_workers, invoke_calls_all) {
  fork_join pool{four_workers()};
  pool.run([](fork_join_worker& me) {
    int a = 0, b = 0, c = 0;
    parallel_invoke(me);
    parallel_invoke(me, [&] { a = 1; });
    parallel_invoke(
        me, [&] { ++a; }, [&](fork_join_worker& worker) { b = static_cast<int>(worker.workers()); },
        [&] { return c = 5; });
    EXPECT_EQ(a, 2);
    EXPECT_EQ(b, 4);
    EXPECT_EQ(c, 5);
    EXPECT_THROW(parallel_invoke(
                     me, [] {}, [] { throw std::out_of_range("one"); }, [] {}),
                 std::out_of_range);
  });
}

}  // namespace
}  // namespace fencepost
