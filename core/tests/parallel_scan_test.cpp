// Scans against those of std, with an operation that is associative but nothing else.
#include "fencepost/runtime/parallel_scan.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <numeric>
#include <stdexcept>
#include <string>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

#include "fake_worker.hpp"
#include "fencepost/runtime/fork_join.hpp"
#include "fencepost/runtime/parallel.hpp"

namespace fencepost {
namespace {

using test::fake_worker;
using test::thieves;

// Functions x -> a x + b, modulo 2^32: composing them is not commutative, and has no inverse.
struct affine {
  std::uint32_t a = 1, b = 0;
  friend bool operator==(const affine&, const affine&) = default;
};
constexpr auto then = [](const affine& first, const affine& second) {
  return affine{second.a * first.a, second.a * first.b + second.b};
};
std::vector<affine> functions(std::size_t size) {
  std::vector<affine> all;
  for (std::uint32_t i = 0; i < size; ++i) all.push_back({2 * i + 3, i * i});
  return all;
}

template <class Worker>
bool scans_as_std(Worker& me, const std::vector<affine>& in) {
  const affine init{7, 11};
  const std::size_t grain = in.size() % 50;
  std::vector<affine> expected(in.size()), out(in.size());
  const auto is_expected = [&](auto end) {
    return end == out.end() && std::exchange(out, std::vector<affine>(in.size())) == expected;
  };
  std::inclusive_scan(in.begin(), in.end(), expected.begin(), then);
  if (!is_expected(parallel_inclusive_scan(me, in.begin(), in.end(), out.begin(), then)) ||
      !is_expected(parallel_inclusive_scan(me, in, out.begin(), then))) {
    return false;
  }
  std::inclusive_scan(in.begin(), in.end(), expected.begin(), then, init);
  if (!is_expected(parallel_inclusive_scan(me, in.begin(), in.end(), out.begin(), then, init)) ||
      !is_expected(parallel_inclusive_scan(me, in, out.begin(), then, init, grain))) {
    return false;
  }
  std::exclusive_scan(in.begin(), in.end(), expected.begin(), init, then);
  return is_expected(parallel_exclusive_scan(me, in.begin(), in.end(), out.begin(), init, then)) &&
         is_expected(parallel_exclusive_scan(me, in, out.begin(), init, then, grain));
}

RC_GTEST_PROP(parallel_scan, is_that_of_std, (std::uint64_t seed)) {
  fake_worker me{seed, thieves::some};
  RC_ASSERT(scans_as_std(me, functions(*rc::gen::inRange<std::size_t>(0, 3000))));
  RC_ASSERT(me.open() == 0);
}
RC_GTEST_PROP(parallel_scan, by_one_worker_is_that_of_std, (std::uint64_t seed)) {
  fake_worker me{seed};
  RC_ASSERT(scans_as_std(me, functions(*rc::gen::inRange<std::size_t>(0, 3000))));
}

// Values that own memory, which must be neither leaked nor destroyed twice. The scans are in place.
RC_GTEST_PROP(parallel_scan, of_strings_is_that_of_std,
              (std::uint64_t seed, const std::vector<std::string>& in)) {
  fake_worker me{seed, thieves::some};
  std::vector<std::string> expected(in.size()), out = in;
  std::inclusive_scan(in.begin(), in.end(), expected.begin());
  parallel_inclusive_scan(me, out, out.begin());
  RC_ASSERT(out == expected);
  out = in;
  std::exclusive_scan(in.begin(), in.end(), expected.begin(), std::string("so:"));
  parallel_exclusive_scan(me, out, out.begin(), std::string("so:"));
  RC_ASSERT(out == expected);
}

TEST(parallel_scan, takes_integers_and_values_of_another_type) {
  fake_worker me{3, thieves::some};
  std::deque<long> out(1000), expected(1000);
  parallel_inclusive_scan(me, 1, 1001, out.begin());
  for (long i = 1; i <= 1000; ++i) expected[static_cast<std::size_t>(i - 1)] = i * (i + 1) / 2;
  EXPECT_EQ(out, expected);
  const std::vector<std::uint8_t> bytes(1000, 255);
  parallel_exclusive_scan(me, bytes, out.begin(), 0L);
  for (long i = 0; i < 1000; ++i) expected[static_cast<std::size_t>(i)] = i * 255;
  EXPECT_EQ(out, expected);
}

TEST(parallel_scan, writes_nothing_where_there_is_nothing) {
  fake_worker me{1};
  std::vector<int> none;
  EXPECT_EQ(parallel_inclusive_scan(me, none, none.begin()), none.begin());
  EXPECT_EQ(parallel_exclusive_scan(me, 5, 4, none.begin(), 0), none.begin());
  EXPECT_EQ(me.spawned, 0U);
}

TEST(parallel_scan, the_operation_is_called_at_most_twice_for_each_element) {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    fake_worker me{seed, thieves::some};
    const std::vector<int> in(5000, 1);
    std::vector<int> out(in.size());
    std::size_t calls = 0;
    parallel_inclusive_scan(me, in, out.begin(), [&calls](int a, int b) {
      ++calls;
      return a + b;
    });
    EXPECT_EQ(out.back(), 5000);
    EXPECT_LE(calls, 2 * in.size());
  }
  fake_worker alone{1};
  std::vector<int> out(5000);
  std::size_t calls = 0;
  parallel_exclusive_scan(alone, 0, 5000, out.begin(), 0, [&calls](int a, int b) {
    ++calls;
    return a + b;
  });
  EXPECT_EQ(calls, 5000U);
}

// A value that counts its instances: none is left when a pass is abandoned, and none is destroyed
// twice.
struct counted {
  static inline int alive = 0;
  int value;
  explicit counted(int of) : value(of) { ++alive; }
  counted(const counted& other) : value(other.value) { ++alive; }
  counted(counted&& other) noexcept : value(std::exchange(other.value, -1)) { ++alive; }
  counted& operator=(const counted&) = default;
  counted& operator=(counted&&) = default;
  ~counted() { --alive; }
};

RC_GTEST_PROP(parallel_scan, an_exception_passes_and_leaves_no_value, (std::uint64_t seed)) {
  const int size = *rc::gen::inRange(1, 1000);
  int calls_left = *rc::gen::inRange(0, size);
  counted::alive = 0;
  fake_worker me{seed, thieves::some};
  std::vector<counted> results(static_cast<std::size_t>(size), counted{0});
  const int before = counted::alive;
  bool thrown = false;
  try {
    parallel_inclusive_scan(
        me, 0, size, results.begin(),
        [&](const counted& a, const auto& b) -> counted {
          if (calls_left-- == 0) throw std::out_of_range("now");
          if constexpr (std::is_same_v<decltype(b), const int&>) {
            return counted{a.value + b};
          } else {
            return counted{a.value + b.value};
          }
        },
        counted{0});
  } catch (const std::out_of_range&) {
    thrown = true;
  }
  RC_ASSERT(thrown);
  RC_ASSERT(counted::alive == before);
  RC_ASSERT(me.open() == 0);
}

RC_GTEST_PROP(parallel_scan_on_workers, is_that_of_std, ()) {
  static fork_join pool{{.workers = 4}};
  const std::vector<affine> in = functions(*rc::gen::inRange<std::size_t>(0, 20'000));
  RC_ASSERT(pool.run([&](fork_join_worker& me) { return scans_as_std(me, in); }));
}

TEST(parallel_scan_on_workers, the_operation_may_ask_for_the_worker) {
  fork_join pool{{.workers = 4}};
  constexpr int rows = 300;
  using row = std::vector<int>;
  const std::vector<row> in(rows, row(200, 1));
  std::vector<row> out(rows);
  pool.run([&](fork_join_worker& me) {
    parallel_inclusive_scan(
        me, in, out.begin(), [](fork_join_worker& worker, const row& a, const row& b) {
          row sum = a;
          parallel_for(worker, std::size_t{0}, sum.size(), [&](std::size_t i) { sum[i] += b[i]; });
          return sum;
        });
  });
  for (int i = 0; i < rows; ++i) EXPECT_EQ(out[static_cast<std::size_t>(i)], row(200, i + 1));
}

// The second half is stolen, since the first element waits until that half has begun.
TEST(parallel_scan_on_workers, what_was_taken_is_right) {
  fork_join pool{{.workers = 2}};
  std::atomic<bool> begun{false};
  std::vector<int> out(4000);
  pool.run([&](fork_join_worker& me) {
    parallel_inclusive_scan(
        me, 0, 4000, out.begin(),
        [&](int a, int b) {
          if (b > 2000) begun = true;
          while (b == 0 && !begun) std::this_thread::yield();
          return a + b;
        },
        1000);
  });
  for (int i = 0; i < 4000; ++i)
    ASSERT_EQ(out[static_cast<std::size_t>(i)], 1000 + i * (i + 1) / 2);
}

}  // namespace
}  // namespace fencepost
