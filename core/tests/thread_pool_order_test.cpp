// When jobs of thread_pool run, and on which worker.
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <future>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "thread_pool_testing.hpp"

namespace fencepost {
namespace {

TEST(thread_pool, the_only_worker_runs_what_it_waits_for) {
  thread_pool pool{of(1)};
  const int sum = pool.call([&] {
    auto one = pool.submit([] { return 1; });
    auto two = pool.submit([&] { return pool.submit([] { return 2; }).get(); });
    return one.get() + two.get();  // not in their order in the deque
  });
  EXPECT_EQ(sum, 3);
}

TEST(thread_pool, a_job_posted_before_a_join_is_done_is_run_as_well) {
  thread_pool pool{of(1)};
  std::string order;
  pool.join([&] { pool.post([&] { order += "posted "; }); }, [&] { order += "right"; });
  EXPECT_EQ(order, "posted right");
}

TEST(thread_pool, jobs_of_one_outside_thread_begin_in_their_order) {
  std::vector<int> seen;
  {
    thread_pool pool{of(1)};
    for (int i = 0; i < 100; ++i) pool.post([&seen, i] { seen.push_back(i); });
  }
  ASSERT_EQ(seen.size(), 100u);
  EXPECT_TRUE(std::is_sorted(seen.begin(), seen.end()));
}

// The job's poster blocks: only the other worker can run it, and must be awake for that.
TEST(thread_pool, a_posted_job_is_taken_from_a_worker_that_never_returns_to_it) {
  thread_pool_options options = of(2);
  options.sleep = {.rounds_until_sleepy = 0, .rounds_until_sleeping = 1};
  thread_pool pool{options};
  for (int round = 0; round < 1000; ++round) {
    pool.call([&] {
      const auto other_has_run = std::make_shared<door>();
      pool.post([other_has_run] { other_has_run->open(); });
      other_has_run->pass();
    });
  }
}

TEST(thread_pool, workers_that_slept_are_woken) {
  thread_pool_options options = of(3);
  options.sleep = {.rounds_until_sleepy = 0, .rounds_until_sleeping = 1};
  thread_pool pool{options};
  for (int i = 0; i < 2000; ++i) ASSERT_EQ(pool.call([i] { return i; }), i);
}

// A job that posts itself again until it is told to end.
struct post_again {
  thread_pool& pool;
  std::atomic<bool>& ended;
  void operator()() const {
    if (!ended.load()) pool.post(*this);
  }
};

TEST(thread_pool, jobs_that_post_themselves_do_not_starve_those_from_outside) {
  std::atomic<bool> ended{false};
  thread_pool pool{of(2)};
  for (int i = 0; i < 100; ++i) pool.post(post_again{pool, ended});
  for (int i = 0; i < 100; ++i) ASSERT_EQ(pool.call([i] { return i; }), i);
  ended.store(true);
}

TEST(thread_pool, jobs_that_post_themselves_do_not_starve_older_ones) {
  std::atomic<bool> ended{false};
  thread_pool pool{of(1)};
  std::promise<void> older;
  pool.call([&] {
    pool.post([&] { older.set_value(); });
    pool.post(post_again{pool, ended});
  });
  older.get_future().get();
  ended.store(true);
}

TEST(thread_pool, jobs_that_post_themselves_do_not_starve_one_that_is_waited_for) {
  std::atomic<bool> ended{false};
  thread_pool pool{of(1)};
  const int result = pool.call([&] {
    auto older = pool.submit([] { return 8; });
    pool.post(post_again{pool, ended});
    return older.get();
  });
  EXPECT_EQ(result, 8);
  ended.store(true);
}

TEST(thread_pool, a_worker_that_waits_takes_one_job_at_most_out_of_turn) {
  constexpr int many = 10'000;
  thread_pool_options options = of(1);
  options.out_of_turn = 1;
  thread_pool pool{options};
  int depth = 0, deepest = 0, ended = 0;
  door held;
  pool.post([&] { held.pass(); });
  for (int i = 0; i < many; ++i) {
    pool.post([&] {
      deepest = std::max(deepest, ++depth);
      for (int n = 0; n < 4; ++n) pool.submit([] {}).wait();
      --depth;
      ++ended;
    });
  }
  held.open();
  pool.stop();
  EXPECT_EQ(ended, many);
  EXPECT_EQ(deepest, 2);
}

std::uint64_t fib(thread_pool& pool, unsigned n) {
  if (n < 2) return n;
  std::uint64_t a = 0, b = 0;
  pool.join([&] { a = fib(pool, n - 1); }, [&] { b = fib(pool, n - 2); });
  return a + b;
}

TEST(thread_pool, many_more_workers_than_processors) {
  thread_pool pool{of(16)};
  EXPECT_EQ(pool.call([&] { return fib(pool, 22); }), 17'711u);
  std::array<std::thread, 4> outside;
  std::atomic<std::uint64_t> sum{0};
  for (auto& thread : outside) {
    thread = std::thread{[&] {
      for (int i = 0; i < 500; ++i) sum.fetch_add(pool.submit([] { return 1u; }).get());
    }};
  }
  for (auto& thread : outside) thread.join();
  EXPECT_EQ(sum.load(), 2000u);
}

// A tree of jobs: the value of a node is its worth plus its children's, each obtained in its own
// way.
struct node {
  int worth = 0;
  int how = 0;
  std::vector<node> children;
};

int in_sequence(const node& n) {
  int sum = n.worth;
  for (const node& child : n.children) sum += in_sequence(child);
  return sum;
}

int on_pool(thread_pool& pool, const node& n) {
  std::atomic<int> sum{n.worth};
  std::vector<pool_future<int>> later;
  for (const node& child : n.children) {
    switch (child.how) {
      case 0: later.push_back(pool.submit([&] { return on_pool(pool, child); })); break;
      case 1: sum += pool.call([&] { return on_pool(pool, child); }); break;
      default: pool.join([&] { sum += on_pool(pool, child); }, [] {}); break;
    }
  }
  for (auto& future : later) sum += future.get();
  return sum;
}

node some_tree(int depth) {
  node n;
  n.worth = *rc::gen::inRange(-100, 100);
  n.how = *rc::gen::inRange(0, 3);
  const int children = depth == 0 ? 0 : *rc::gen::inRange(0, 5);
  for (int i = 0; i < children; ++i) n.children.push_back(some_tree(depth - 1));
  return n;
}

RC_GTEST_PROP(thread_pool, a_tree_of_jobs_gives_what_it_gives_in_sequence, ()) {
  const node root = some_tree(4);
  thread_pool pool{of(*rc::gen::inRange(1u, 6u))};
  RC_ASSERT(on_pool(pool, root) == in_sequence(root));
}

}  // namespace
}  // namespace fencepost
