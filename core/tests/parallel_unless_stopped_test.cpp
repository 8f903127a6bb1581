// Which elements a loop has processed after it was asked to stop.
#include "fencepost/runtime/parallel_unless_stopped.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#if defined(__cpp_lib_jthread)
#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <random>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <vector>

#include "fake_worker.hpp"
#include "fencepost/runtime/fork_join.hpp"
#include "fencepost/runtime/parallel_scan.hpp"
#include "fencepost/runtime/parallel_sort.hpp"

namespace fencepost {
namespace {

using test::fake_worker;
using test::thieves;

RC_GTEST_PROP(parallel_unless_stopped, a_loop_that_is_not_stopped_does_all,
              (std::uint64_t seed, std::vector<std::string> values)) {
  const auto grain = *rc::gen::inRange<std::size_t>(0, 20);
  fake_worker me{seed, thieves::some};
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

// One worker goes from the first element to the last: it has processed a prefix, which ends at most
// grain - 1 elements after the one that asked to stop.
RC_GTEST_PROP(parallel_unless_stopped, one_worker_ends_where_it_looks, (std::uint64_t seed)) {
  const auto size = *rc::gen::inRange<std::size_t>(1, 2000);
  const auto last = *rc::gen::inRange<std::size_t>(0, size);
  const auto grain = *rc::gen::inRange<std::size_t>(1, 20);
  for (const bool reduces : {false, true}) {
    fake_worker me{seed};
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

RC_GTEST_PROP(parallel_unless_stopped, blocks_end_where_it_looks, (std::uint64_t seed)) {
  const auto size = *rc::gen::inRange<std::size_t>(1, 2000);
  const auto last = *rc::gen::inRange<std::size_t>(0, size + 1);  // or a stop is never requested
  const auto grain = *rc::gen::inRange<std::size_t>(1, 20);
  fake_worker me{seed};
  std::stop_source source;
  std::vector<int> seen(size);
  std::size_t next = 0;
  const bool all = parallel_for_blocks(
      me, source.get_token(), std::size_t{0}, size,
      [&](std::size_t from, std::size_t to) {
        RC_ASSERT(from == next && from < to && to - from <= grain && next <= last);
        next = to;
        if (to > last) source.request_stop();
      },
      grain);
  RC_ASSERT(all == (next == size));
  RC_ASSERT(next == size || (next > last && next <= last + grain));
  using iterator = std::vector<int>::iterator;
  RC_ASSERT(parallel_for_blocks(me, std::stop_token{}, seen, [](iterator from, iterator to) {
    std::for_each(from, to, [](int& each) { ++each; });
  }));
  RC_ASSERT(std::count(seen.begin(), seen.end(), 1) == std::ssize(seen));
}

RC_GTEST_PROP(parallel_unless_stopped, what_is_true_of_the_result, (std::uint64_t seed)) {
  const auto size = *rc::gen::inRange<std::size_t>(1, 2000);
  const auto last = *rc::gen::inRange<std::size_t>(0, size);
  fake_worker me{seed, thieves::some};
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
  fake_worker me{3, thieves::some};
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
  fake_worker me{3, thieves::some};
  int count = 0;
  EXPECT_TRUE(parallel_for(me, std::stop_token{}, 0, 100, [&](int) { ++count; }));
  EXPECT_EQ(count, 100);
}

TEST(parallel_unless_stopped, a_reduction_has_a_grain_with_one_operation_as_with_two) {
  fake_worker me{3, thieves::some};
  std::vector<int> values(100, 2);
  EXPECT_EQ(parallel_reduce(me, std::stop_token{}, 0, 100, 0, std::plus<>{}, 60), 4950);
  EXPECT_EQ(parallel_reduce(me, std::stop_token{}, values, 0, std::plus<>{}, 60), 200);
  EXPECT_EQ(parallel_reduce(me, std::stop_token{}, values, 0, std::plus<>{}, std::plus<>{}, 60),
            200);
  EXPECT_EQ(me.spawned, 0U) << "half of it is less than the grain";
}

TEST(parallel_unless_stopped, an_exception_passes) {
  fake_worker me{3, thieves::some};
  EXPECT_THROW(parallel_for(me, std::stop_token{}, 0, 100,
                            [](int i) {
                              if (i == 50) throw std::out_of_range("50");
                            }),
               std::out_of_range);
  EXPECT_EQ(me.open(), 0);
}

// Requests a stop at the call with the given number.
class stops_at {
 public:
  explicit stops_at(std::size_t call) : left_(call) {}
  std::stop_token token() const { return source_.get_token(); }
  void called() {
    if (left_-- == 0) source_.request_stop();
  }

 private:
  std::size_t left_;
  std::stop_source source_;
};

template <class T, class Make>
void sort_until(std::uint64_t seed, std::size_t size, std::size_t call, Make make) {
  std::mt19937_64 random{seed};
  std::vector<T> all;
  for (std::size_t i = 0; i < size; ++i) all.push_back(make(random() % (size + 1)));
  std::vector<T> sorted = all;
  std::sort(sorted.begin(), sorted.end());
  fake_worker me{seed, thieves::some};
  stops_at end{call};
  const bool whole = parallel_sort(me, end.token(), all, [&](const T& a, const T& b) {
    end.called();
    return a < b;
  });
  RC_ASSERT(whole == !end.token().stop_requested());
  if (!whole) std::sort(all.begin(), all.end());
  RC_ASSERT(all == sorted);
  RC_ASSERT(me.open() == 0);
}

RC_GTEST_PROP(parallel_unless_stopped, a_sort_that_is_stopped_has_all_its_elements,
              (std::uint64_t seed)) {
  const auto size = *rc::gen::inRange<std::size_t>(0, 30'000);
  const auto call = *rc::gen::inRange<std::size_t>(0, size * 15 + 1);
  sort_until<std::uint64_t>(seed, size, call, [](std::uint64_t n) { return n; });
  sort_until<std::string>(seed, size / 2, call / 2, [](std::uint64_t n) {
    return "a string that is too long to lie within " + std::to_string(n);
  });
}

TEST(parallel_unless_stopped, a_sort_that_is_stopped_before_compares_nothing) {
  fake_worker me{3, thieves::some};
  std::stop_source source;
  source.request_stop();
  std::vector<int> all{3, 1, 2};
  const auto fails = [](int, int) -> bool { throw std::logic_error("called"); };
  EXPECT_FALSE(parallel_sort(me, source.get_token(), all, fails));
  EXPECT_FALSE(parallel_sort(me, source.get_token(), all.begin(), all.end(), fails));
  EXPECT_EQ(all, (std::vector<int>{3, 1, 2}));
}

// Strings, so that a sum that is omitted or destroyed twice is noticed.
RC_GTEST_PROP(parallel_unless_stopped, a_scan_that_is_not_stopped_is_whole, (std::uint64_t seed)) {
  const auto size = *rc::gen::inRange<std::size_t>(0, 3000);
  const auto call = *rc::gen::inRange<std::size_t>(0, size * 3 + 1);
  const auto grain = *rc::gen::inRange<std::size_t>(0, 20);
  const std::vector<std::string> in(size, "x");
  for (const bool inclusive : {true, false}) {
    std::vector<std::size_t> lengths(size, 0);
    std::vector<std::string> out(size);
    fake_worker me{seed, thieves::some};
    stops_at end{call};
    const auto joined = [&](const std::string& a, const std::string& b) {
      end.called();
      return a + b;
    };
    const auto written =
        inclusive
            ? parallel_inclusive_scan(me, end.token(), in, out.begin(), joined,
                                      std::string("long enough for the heap "), grain)
            : parallel_exclusive_scan(me, end.token(), in.begin(), in.end(), out.begin(),
                                      std::string("long enough for the heap "), joined, grain);
    RC_ASSERT(written.has_value() == !end.token().stop_requested());
    if (written) {
      RC_ASSERT(*written == out.end());
      for (std::size_t i = 0; i < size; ++i)
        RC_ASSERT(out[i].size() == 25 + i + (inclusive ? 1 : 0));
    }
    RC_ASSERT(me.open() == 0);
  }
}

TEST(parallel_unless_stopped, a_scan_that_is_stopped_before_calls_nothing) {
  fake_worker me{3, thieves::some};
  std::stop_source source;
  source.request_stop();
  const std::vector<int> in{1, 2, 3};
  std::vector<int> out(3, 7);
  const auto fails = [](int, int) -> int { throw std::logic_error("called"); };
  EXPECT_EQ(parallel_inclusive_scan(me, source.get_token(), in, out.begin(), fails, 0),
            std::nullopt);
  EXPECT_EQ(parallel_exclusive_scan(me, source.get_token(), in, out.begin(), 0, fails),
            std::nullopt);
  EXPECT_EQ(out, (std::vector<int>{7, 7, 7}));
}

// A worker that has observed the request calls no further body.
TEST(parallel_unless_stopped_on_workers, each_worker_calls_at_most_one_body_after_the_request) {
  constexpr unsigned workers = 4;
  fork_join pool{{.workers = workers}};
  for (int last = 0; last < 2000; last += 97) {
    struct alignas(64) count {
      int after = 0;
    };
    std::array<count, workers> seen{};  // each accessed by its worker only
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

TEST(parallel_unless_stopped_on_workers, a_sort_and_a_scan_end_early) {
  fork_join pool{{.workers = 4}};
  const std::size_t size = 200'000;
  std::vector<std::size_t> all(size);
  for (std::size_t i = 0; i < size; ++i) all[i] = (i * 7919) % size;
  const std::vector<std::size_t> in(size, 1);
  std::vector<std::size_t> out(size);
  std::stop_source source;
  const std::stop_token token = source.get_token();
  std::atomic<std::size_t> compared{0}, added{0};
  const bool sorted = pool.run([&](fork_join_worker& me) {
    return parallel_sort(me, token, all, [&](std::size_t a, std::size_t b) {
      if (compared.fetch_add(1) == 100'000) source.request_stop();
      return a < b;
    });
  });
  EXPECT_FALSE(sorted);
  EXPECT_LT(compared, 1'000'000U) << "a whole sort compares about three million times";
  std::sort(all.begin(), all.end());
  for (std::size_t i = 0; i < size; ++i) ASSERT_EQ(all[i], i);

  std::stop_source again;
  const auto written = pool.run([&](fork_join_worker& me) {
    return parallel_inclusive_scan(
        me, again.get_token(), in, out.begin(),
        [&](std::size_t a, std::size_t b) {
          if (added.fetch_add(1) == 50'000) again.request_stop();
          return a + b;
        },
        std::size_t{0});
  });
  EXPECT_FALSE(written.has_value());
  EXPECT_LT(added, size);
}

}  // namespace
}  // namespace fencepost
#endif
