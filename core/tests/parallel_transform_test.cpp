// parallel_transform against std::transform.
#include "fencepost/runtime/parallel_transform.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

#include "fake_worker.hpp"
#include "fencepost/runtime/fork_join.hpp"

namespace fencepost {
namespace {

using test::fake_worker;
using test::thieves;

RC_GTEST_PROP(parallel_transform, of_one_sequence_is_that_of_std,
              (std::uint64_t seed, const std::vector<int>& in)) {
  const auto grain = *rc::gen::inRange<std::size_t>(0, 20);
  const auto text = [](int i) { return std::to_string(i); };
  std::vector<std::string> expected(in.size()), by_iterator = expected, by_range = expected;
  std::transform(in.begin(), in.end(), expected.begin(), text);
  fake_worker me{seed, thieves::some};
  RC_ASSERT(parallel_transform(me, in.begin(), in.end(), by_iterator.begin(), text, grain) ==
            by_iterator.end());
  RC_ASSERT(parallel_transform(me, in, by_range.begin(), text, grain) == by_range.end());
  RC_ASSERT(by_iterator == expected);
  RC_ASSERT(by_range == expected);
  RC_ASSERT(me.open() == 0);
}

RC_GTEST_PROP(parallel_transform, of_two_sequences_is_that_of_std,
              (std::uint64_t seed, const std::vector<std::int8_t>& in)) {
  const auto grain = *rc::gen::inRange<std::size_t>(0, 20);
  std::deque<int> others(in.size());
  std::iota(others.begin(), others.end(), 100);
  const auto both = [](int a, int b) { return a * 1000 + b; };
  std::vector<int> expected(in.size()), by_iterator = expected, by_range = expected;
  std::transform(in.begin(), in.end(), others.begin(), expected.begin(), both);
  fake_worker me{seed, thieves::some};
  RC_ASSERT(parallel_transform(me, in.begin(), in.end(), others.begin(), by_iterator.begin(), both,
                               grain) == by_iterator.end());
  RC_ASSERT(parallel_transform(me, in, others.begin(), by_range.begin(), both, grain) ==
            by_range.end());
  RC_ASSERT(by_iterator == expected);
  RC_ASSERT(by_range == expected);
}

TEST(parallel_transform, takes_integers_and_works_in_place) {
  fake_worker me{7, thieves::some};
  std::vector<int> values(1000), expected(1000);
  const auto square = [](int i) { return i * i; };
  EXPECT_EQ(parallel_transform(me, 0, 1000, values.begin(), square), values.end());
  for (int i = 0; i < 1000; ++i) expected[static_cast<std::size_t>(i)] = i * i;
  EXPECT_EQ(values, expected);
  parallel_transform(me, values, values.begin(), std::negate<>{});
  parallel_transform(me, values, values.begin(), values.begin(), std::plus<>{});
  for (int& each : expected) each *= -2;
  EXPECT_EQ(values, expected);
}

TEST(parallel_transform, writes_nothing_where_there_is_nothing) {
  fake_worker me{1};
  std::vector<int> none;
  const auto fails = [](auto...) -> int { throw std::logic_error("called"); };
  EXPECT_EQ(parallel_transform(me, none, none.begin(), fails), none.begin());
  EXPECT_EQ(parallel_transform(me, 5, 4, none.begin(), fails), none.begin());
  EXPECT_EQ(parallel_transform(me, none, none.begin(), none.begin(), fails), none.begin());
  EXPECT_EQ(me.spawned, 0U);
}

TEST(parallel_transform, a_callable_may_ask_for_the_worker) {
  fake_worker me{3, thieves::some};
  const std::vector<std::vector<int>> rows(50, std::vector<int>{1, 2, 3});
  std::vector<std::vector<int>> out(50, std::vector<int>(3));
  std::vector<int> ends(50);
  parallel_transform(
      me, rows, out.begin(), ends.begin(),
      [](fake_worker& worker, const std::vector<int>& row, std::vector<int>& to) {
        return static_cast<int>(parallel_transform(worker, row, to.begin(), std::negate<>{}) -
                                to.begin());
      });
  EXPECT_EQ(out, std::vector<std::vector<int>>(50, std::vector<int>{-1, -2, -3}));
  EXPECT_EQ(ends, std::vector<int>(50, 3));
}

TEST(parallel_transform, an_exception_passes) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    fake_worker me{seed, thieves::some};
    std::vector<int> out(200);
    EXPECT_THROW(parallel_transform(me, 0, 200, out.begin(),
                                    [](int i) {
                                      if (i == 150) throw std::out_of_range("150");
                                      return i;
                                    }),
                 std::out_of_range);
    EXPECT_EQ(me.open(), 0);
  }
}

RC_GTEST_PROP(parallel_transform_on_workers, is_that_of_std, ()) {
  static fork_join pool{{.workers = 4}};
  const auto size = *rc::gen::inRange<std::size_t>(0, 20'000);
  std::vector<std::size_t> out(size), again(size);  // not atomic: each is written by one worker
  pool.run([&](fork_join_worker& me) {
    parallel_transform(me, std::size_t{0}, size, out.begin(), [](std::size_t i) { return i * 3; });
    parallel_transform(me, out, out.begin(), again.begin(), std::plus<>{});
  });
  for (std::size_t i = 0; i < size; ++i) RC_ASSERT(out[i] == i * 3 && again[i] == i * 6);
}

}  // namespace
}  // namespace fencepost
