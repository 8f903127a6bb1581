// parallel_copy_if against std::copy_if.
#include "fencepost/runtime/parallel_copy_if.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <iterator>
#include <limits>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "fake_worker.hpp"
#include "fencepost/runtime/fork_join.hpp"
#include "fencepost/runtime/parallel.hpp"

namespace fencepost {
namespace {

using test::fake_worker;
using test::thieves;

// Numbers of which a predicate selects none, some or all, and room for exactly those selected:
// nothing may be written beyond it.
struct selection {
  explicit selection(std::size_t size) {
    const auto most = *rc::gen::inRange<std::uint32_t>(0, 101);
    selects = [most](std::uint32_t n) { return n % 100 < most; };
    std::uint32_t next = *rc::gen::arbitrary<std::uint32_t>();
    for (std::size_t i = 0; i < size; ++i) in.push_back(next = next * 1664525 + 1013904223);
    std::copy_if(in.begin(), in.end(), std::back_inserter(expected), selects);
  }
  template <class Worker>
  bool is_found(Worker& me) const {
    const std::size_t grain = in.size() % 70;
    std::vector<std::uint32_t> by_iterator(expected.size()), by_range = by_iterator;
    return parallel_copy_if(me, in.begin(), in.end(), by_iterator.begin(), selects) ==
               by_iterator.end() &&
           parallel_copy_if(me, in, by_range.begin(), selects, grain) == by_range.end() &&
           by_iterator == expected && by_range == expected;
  }

  std::vector<std::uint32_t> in, expected;
  std::function<bool(std::uint32_t)> selects;
};

RC_GTEST_PROP(parallel_copy_if, is_that_of_std, (std::uint64_t seed)) {
  fake_worker me{seed, thieves::some};
  RC_ASSERT(selection{*rc::gen::inRange<std::size_t>(0, 5000)}.is_found(me));
  RC_ASSERT(me.open() == 0);
}
// Large enough for blocks that span more than one word of bits, and part of another.
RC_GTEST_PROP(parallel_copy_if, of_many_is_that_of_std, (std::uint64_t seed)) {
  fake_worker me{seed, thieves::some};
  RC_ASSERT(selection{*rc::gen::inRange<std::size_t>(60'000, 200'000)}.is_found(me));
}
RC_GTEST_PROP(parallel_copy_if, by_one_worker_is_that_of_std, (std::uint64_t seed)) {
  fake_worker me{seed};
  RC_ASSERT(selection{*rc::gen::inRange<std::size_t>(0, 5000)}.is_found(me));
}

TEST(parallel_copy_if, the_predicate_is_called_once_for_each_element) {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    fake_worker me{seed, thieves::some};
    std::vector<int> calls(5000), out(2500);
    EXPECT_EQ(parallel_copy_if(me, 0, 5000, out.begin(),
                               [&calls](int i) {
                                 ++calls[static_cast<std::size_t>(i)];
                                 return i % 2 == 1;
                               }),
              out.end());
    for (int i = 0; i < 2500; ++i) ASSERT_EQ(out[static_cast<std::size_t>(i)], 2 * i + 1);
    ASSERT_EQ(calls, std::vector<int>(5000, 1));
  }
}

TEST(parallel_copy_if, takes_what_loops_take) {
  fake_worker me{5, thieves::some};
  std::deque<std::string> words;
  for (int i = 0; i < 1000; ++i) words.push_back(std::string(static_cast<std::size_t>(i % 7), 'x'));
  std::deque<std::string> out(1000);
  const auto is_long = [](const std::string& s) { return s.size() > 4; };
  const auto end = parallel_copy_if(me, words, out.begin(), is_long);
  EXPECT_EQ(end - out.begin(), std::count_if(words.begin(), words.end(), is_long));
  EXPECT_TRUE(std::all_of(out.begin(), end, is_long));

  std::vector<bool> flags(1000);  // its elements are not objects
  for (std::size_t i = 0; i < flags.size(); i += 3) flags[i] = true;
  std::vector<char> set(334);
  EXPECT_EQ(parallel_copy_if(me, flags, set.begin(), [](bool flag) { return flag; }), set.end());
  EXPECT_EQ(set, std::vector<char>(334, 1));
}

// The memory for the bits is that of the elements, however large the grain.
TEST(parallel_copy_if, a_grain_may_exceed_the_number_of_elements) {
  fork_join pool{2};
  const std::vector<int> in{3, 1, 4, 1, 5};
  for (const std::size_t grain : {std::size_t{6}, std::numeric_limits<std::size_t>::max() / 2,
                                  std::numeric_limits<std::size_t>::max()}) {
    std::vector<int> out(in.size());
    out.erase(parallel_copy_if(
                  pool, in, out.begin(), [](int n) { return n > 2; }, grain),
              out.end());
    EXPECT_EQ(out, (std::vector<int>{3, 4, 5})) << grain;
  }
}

TEST(parallel_copy_if, writes_nothing_where_there_is_nothing) {
  fake_worker me{1};
  std::vector<int> none;
  const auto fails = [](int) -> bool { throw std::logic_error("called"); };
  EXPECT_EQ(parallel_copy_if(me, none, none.begin(), fails), none.begin());
  EXPECT_EQ(parallel_copy_if(me, 5, 4, none.begin(), fails), none.begin());
  EXPECT_EQ(me.spawned, 0U);
}

TEST(parallel_copy_if, an_exception_passes) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    fake_worker me{seed, thieves::some};
    std::vector<int> out(200);
    EXPECT_THROW(parallel_copy_if(me, 0, 200, out.begin(),
                                  [](int i) {
                                    if (i == 150) throw std::out_of_range("150");
                                    return true;
                                  }),
                 std::out_of_range);
    EXPECT_EQ(me.open(), 0);
  }
}

RC_GTEST_PROP(parallel_copy_if_on_workers, is_that_of_std, ()) {
  static fork_join pool{{.workers = 4}};
  const selection some{*rc::gen::inRange<std::size_t>(0, 100'000)};
  RC_ASSERT(some.is_found(pool));
  RC_ASSERT(pool.run([&](fork_join_worker& me) { return some.is_found(me); }));
}

TEST(parallel_copy_if_on_workers, the_predicate_may_ask_for_the_worker) {
  fork_join pool{{.workers = 4}};
  std::vector<int> primes(1000);
  const auto end =
      parallel_copy_if(pool, 2, 1000, primes.begin(), [](fork_join_worker& worker, int n) {
        return parallel_reduce(
            worker, 2, n, true, [n](bool so_far, int by) { return so_far && n % by != 0; },
            [](bool left, bool right) { return left && right; });
      });
  EXPECT_EQ(end - primes.begin(), 168);
  EXPECT_EQ(*(end - 1), 997);
}

// The second half is stolen, since the first element waits until that half has begun.
TEST(parallel_copy_if_on_workers, what_was_taken_is_right) {
  fork_join pool{{.workers = 2}};
  std::atomic<bool> begun{false};
  std::vector<int> out(2000);
  EXPECT_EQ(parallel_copy_if(pool, 0, 4000, out.begin(),
                             [&](int i) {
                               if (i > 2000) begun = true;
                               while (i == 0 && !begun) std::this_thread::yield();
                               return i % 2 == 0;
                             }),
            out.end());
  for (int i = 0; i < 2000; ++i) ASSERT_EQ(out[static_cast<std::size_t>(i)], 2 * i);
}

}  // namespace
}  // namespace fencepost
