// Which elements a loop has done that was asked to stop.
#include "fencepost/runtime/parallel_unless_stopped.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#if defined(__cpp_lib_jthread)
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <vector>

#include "fencepost/runtime/fork_join.hpp"
#include "stand_in_worker.hpp"

namespace fencepost {
namespace {

using test::stand_in_worker;
using test::thieves;

RC_GTEST_PROP(parallel_unless_stopped, a_loop_that_is_not_stopped_does_all,
              (std::uint64_t seed, std::vector<std::string> values)) {
  const auto grain = *rc::gen::inRange<std::size_t>(0, 20);
  stand_in_worker me{seed, thieves::some};
  std::vector<int> seen(values.size());
  std::string expected;
  for (const std::string& each : values) expected += each;
  const std::stop_source source;
  const std::stop_token token = source.get_token();
  RC_ASSERT(parallel_for(
      me, token, std::size_t{0}, seen.size(), [&](std::size_t i) { ++seen[i]; }, grain));
  RC_ASSERT(parallel_for(
      me, token, seen, [](int& each) { ++each; }, grain));
  RC_ASSERT(std::count(seen.begin(), seen.end(), 2) == static_cast<std::ptrdiff_t>(seen.size()));
  RC_ASSERT(parallel_reduce(me, token, values, std::string(), std::plus<>{}) == expected);
  RC_ASSERT(parallel_reduce(me, token, values.begin(), values.end(), std::string(),
                            std::plus<>{}) == expected);
  RC_ASSERT(parallel_reduce(me, token, values, std::string(), std::plus<>{}, std::plus<>{},
                            grain) == expected);
  RC_ASSERT(parallel_reduce(me, token, values.begin(), values.end(), std::string(), std::plus<>{},
                            std::plus<>{}, grain) == expected);
}

// One worker goes from the first to the last: those that were done are the first ones, and at most
// grain - 1 come after the one that asked.
RC_GTEST_PROP(parallel_unless_stopped, one_worker_ends_where_it_looks, (std::uint64_t seed)) {
  const auto size = *rc::gen::inRange<std::size_t>(1, 2000);
  const auto last = *rc::gen::inRange<std::size_t>(0, size);
  const auto grain = *rc::gen::inRange<std::size_t>(1, 20);
  for (const bool reduces : {false, true}) {
    stand_in_worker me{seed};
    std::stop_source source;
    std::vector<std::size_t> seen;
    const auto body = [&](std::size_t i) {
      seen.push_back(i);
      if (i == last) source.request_stop();
    };
    bool all;
    if (reduces) {
      const auto note = [&](int sum, std::size_t i) {
        body(i);
        return sum + 1;
      };
      const auto sum = parallel_reduce(me, source.get_token(), std::size_t{0}, size, 0, note,
                                       std::plus<>{}, grain);
      all = sum.has_value();
      RC_ASSERT(!all || *sum == static_cast<int>(size));
    } else {
      all = parallel_for(me, source.get_token(), std::size_t{0}, size, body, grain);
    }
    for (std::size_t i = 0; i < seen.size(); ++i) RC_ASSERT(seen[i] == i);
    RC_ASSERT(seen.size() > last && seen.size() <= last + grain);
    RC_ASSERT(all == (seen.size() == size));
    RC_ASSERT(me.open() == 0);
  }
}

RC_GTEST_PROP(parallel_unless_stopped, what_is_true_of_the_result, (std::uint64_t seed)) {
  const auto size = *rc::gen::inRange<std::size_t>(1, 2000);
  const auto last = *rc::gen::inRange<std::size_t>(0, size);
  stand_in_worker me{seed, thieves::some};
  std::stop_source source;
  std::vector<int> seen(size);
  const bool all = parallel_for(me, source.get_token(), std::size_t{0}, size, [&](std::size_t i) {
    ++seen[i];
    if (i == last) source.request_stop();
  });
  RC_ASSERT(std::all_of(seen.begin(), seen.end(), [](int times) { return times <= 1; }));
  RC_ASSERT(all == (std::count(seen.begin(), seen.end(), 1) == static_cast<std::ptrdiff_t>(size)));
  RC_ASSERT(me.open() == 0);
}

TEST(parallel_unless_stopped, one_that_is_asked_before_does_nothing) {
  stand_in_worker me{3, thieves::some};
  std::stop_source source;
  source.request_stop();
  const auto fails = [](auto...) -> int { throw std::logic_error("called"); };
  EXPECT_FALSE(parallel_for(me, source.get_token(), 0, 1000, fails));
  EXPECT_EQ(me.spawned, 0U);
  EXPECT_EQ(parallel_reduce(me, source.get_token(), 0, 1000, 0, fails), std::nullopt);
  EXPECT_TRUE(parallel_for(me, source.get_token(), 5, 5, fails)) << "none was left out";
  EXPECT_EQ(parallel_reduce(me, source.get_token(), 5, 5, 42, fails), 42);
}

TEST(parallel_unless_stopped, a_token_without_a_source_never_stops) {
  stand_in_worker me{3, thieves::some};
  int count = 0;
  EXPECT_TRUE(parallel_for(me, std::stop_token{}, 0, 100, [&](int) { ++count; }));
  EXPECT_EQ(count, 100);
}

TEST(parallel_unless_stopped, an_exception_passes) {
  stand_in_worker me{3, thieves::some};
  EXPECT_THROW(parallel_for(me, std::stop_token{}, 0, 100,
                            [](int i) {
                              if (i == 50) throw std::out_of_range("50");
                            }),
               std::out_of_range);
  EXPECT_EQ(me.open(), 0);
}

// A worker that has seen the request calls no further body.
TEST(parallel_unless_stopped_on_workers, each_worker_calls_at_most_one_body_after_the_request) {
  constexpr unsigned workers = 4;
  fork_join pool{{.workers = workers}};
  for (int last = 0; last < 2000; last += 97) {
    struct alignas(64) count {
      int after = 0;
    };
    std::array<count, workers> seen{};  // each its worker's own
    std::vector<int> done(2000);
    std::stop_source source;
    const std::stop_token token = source.get_token();
    const bool all = pool.run([&](fork_join_worker& me) {
      return parallel_for(me, token, 0, 2000, [&](fork_join_worker& worker, int i) {
        if (token.stop_requested()) ++seen[worker.index()].after;
        ++done[static_cast<std::size_t>(i)];
        if (i == last) source.request_stop();
      });
    });
    for (const count& each : seen) EXPECT_LE(each.after, 1);
    EXPECT_EQ(all, std::count(done.begin(), done.end(), 1) == 2000);
    EXPECT_EQ(done[static_cast<std::size_t>(last)], 1);
  }
}

}  // namespace
}  // namespace fencepost
#endif
