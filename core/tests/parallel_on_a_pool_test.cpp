// The parallel algorithms, called with the pool instead of one of its workers.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <functional>
#include <numeric>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "fencepost/runtime/fork_join.hpp"
#include "fencepost/runtime/parallel.hpp"
#include "fencepost/runtime/parallel_scan.hpp"
#include "fencepost/runtime/parallel_sort.hpp"
#include "fencepost/runtime/parallel_transform.hpp"
#include "fencepost/runtime/parallel_unless_stopped.hpp"

namespace fencepost {
namespace {

constexpr int n = 20'000;

std::vector<int> numbers() {
  std::vector<int> all(n);
  std::iota(all.begin(), all.end(), 0);
  return all;
}

TEST(parallel_on_a_pool, a_body_runs_on_a_worker_and_may_ask_for_it) {
  fork_join pool{{.workers = 3}};
  std::vector<int> calls(n);
  parallel_for(pool, 0, n, [&](fork_join_worker& me, int i) {
    EXPECT_TRUE(pool.on_worker());
    EXPECT_LT(me.index(), 3u);
    ++calls[static_cast<std::size_t>(i)];
  });
  parallel_for(pool, calls, [](int& each) { ++each; });
  EXPECT_EQ(calls, std::vector<int>(n, 2));
}

TEST(parallel_on_a_pool, each_algorithm_takes_it) {
  fork_join pool{{.workers = 3}};
  const std::vector<int> in = numbers();
  EXPECT_EQ(parallel_reduce(pool, in, 0, std::plus<>{}), n / 2 * (n - 1));
  EXPECT_EQ(parallel_reduce(pool, 0, n, 0, std::plus<>{}), n / 2 * (n - 1));

  std::vector<int> out(n), expected(n);
  parallel_transform(pool, in, out.begin(), std::negate<>{});
  std::transform(in.begin(), in.end(), expected.begin(), std::negate<>{});
  EXPECT_EQ(out, expected);
  parallel_transform(pool, in, in.begin(), out.begin(), std::plus<>{});
  EXPECT_EQ(out[n - 1], 2 * (n - 1));

  EXPECT_EQ(parallel_inclusive_scan(pool, in, out.begin()), out.end());
  std::inclusive_scan(in.begin(), in.end(), expected.begin());
  EXPECT_EQ(out, expected);
  EXPECT_EQ(parallel_exclusive_scan(pool, in, out.begin(), 7), out.end());
  std::exclusive_scan(in.begin(), in.end(), expected.begin(), 7);
  EXPECT_EQ(out, expected);

  out = in;
  parallel_sort(pool, out, std::greater<>{});
  EXPECT_TRUE(std::is_sorted(out.rbegin(), out.rend()));

  int left = 0, right = 0;
  parallel_invoke(
      pool, [&] { left = 1; }, [&](fork_join_worker&) { right = 2; });
  EXPECT_EQ(left + right, 3);
}

TEST(parallel_on_a_pool, threads_may_share_it_and_a_task_of_it_may_use_it) {
  fork_join pool{{.workers = 2}};
  const auto sum = [&] { return parallel_reduce(pool, 0, n, 0, std::plus<>{}); };
  int other = 0;
  std::thread beside{[&] { other = sum(); }};
  const int nested = pool.run([&] { return sum(); });
  beside.join();
  EXPECT_EQ(nested, n / 2 * (n - 1));
  EXPECT_EQ(other, nested);
}

TEST(parallel_on_a_pool, exceptions_and_large_results_come_back) {
  fork_join pool{{.workers = 2}};
  const auto fails = [](int i) {
    if (i == n / 2) throw std::out_of_range{"half"};
  };
  EXPECT_THROW(parallel_for(pool, 0, n, fails), std::out_of_range);
  const auto all = parallel_reduce(
      pool, 0, n, std::string{}, [](std::string s, int) { return s += 'x'; }, std::plus<>{});
  EXPECT_EQ(all, std::string(n, 'x'));
  pool.stop();
  EXPECT_THROW(parallel_for(pool, 0, n, [](int) {}), fork_join_stopped);
}

#if defined(__cpp_lib_jthread)
TEST(parallel_on_a_pool, a_token_stops_it) {
  fork_join pool{{.workers = 2}};
  std::stop_source source;
  const std::stop_token token = source.get_token();
  std::vector<int> all = numbers();
  EXPECT_TRUE(parallel_for(pool, token, all, [](int& each) { ++each; }));
  EXPECT_EQ(parallel_reduce(pool, token, all, 0, std::plus<>{}), n / 2 * (n + 1));
  EXPECT_TRUE(parallel_sort(pool, token, all, std::greater<>{}));
  EXPECT_EQ(all[0], n);
  source.request_stop();
  EXPECT_FALSE(parallel_for(pool, token, all, [](int&) { FAIL(); }));
  EXPECT_FALSE(parallel_reduce(pool, token, all, 0, std::plus<>{}));
  EXPECT_FALSE(parallel_sort(pool, token, all));
}
#endif

}  // namespace
}  // namespace fencepost
