// Jobs that follow others: then() and when_all().
#include <gtest/gtest.h>

#include <atomic>
#include <functional>
#include <memory>
#include <numeric>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

#include "child_process.hpp"
#include "fencepost/runtime/thread_pool.hpp"
#include "fencepost/runtime/when_all.hpp"
#include "of_workers.hpp"

namespace fencepost {
namespace {

// Holds a job back until the test opens it.
class gate {
 public:
  void open() {
    open_.store(true);
    open_.notify_all();
  }
  void wait() const { open_.wait(false); }

 private:
  std::atomic<bool> open_{false};
};

TEST(then, gets_the_result_of_a_job_that_is_done_and_of_one_that_is_not) {
  thread_pool pool{of_workers(2)};
  auto done = pool.submit([] { return 6; });
  done.wait();
  EXPECT_EQ(std::move(done).then(pool, [](int n) { return n * 7; }).get(), 42);

  gate g;
  auto later = pool.submit([&] {
    g.wait();
    return 6;
  });
  auto next = std::move(later).then(pool, [](int n) { return std::to_string(n); });
  EXPECT_FALSE(later.valid());  // NOLINT(bugprone-use-after-move)
  EXPECT_FALSE(next.ready());
  g.open();
  EXPECT_EQ(next.get(), "6");
}

TEST(then, takes_jobs_and_callables_without_a_result_and_those_that_can_only_be_moved) {
  thread_pool pool{of_workers(1)};
  int order = 0;
  pool.submit([&] { order = 1; }).then(pool, [&] { order = order == 1 ? 2 : -1; }).get();
  EXPECT_EQ(order, 2);
  auto moved = pool.submit([] { return std::make_unique<int>(5); })
                   .then(pool, [own = std::make_unique<int>(4)](std::unique_ptr<int> n) {
                     return std::make_unique<int>(*own + *n);
                   });
  EXPECT_EQ(*moved.get(), 9);
  int target = 1;
  auto& same = pool.submit([&]() -> int& { return target; })
                   .then(pool, [](int& t) -> int& { return t; })
                   .get();
  EXPECT_EQ(&same, &target);
}

TEST(then, passes_an_exception_on_without_a_call) {
  thread_pool pool{of_workers(2)};
  bool called = false;
  auto last = pool.submit([]() -> int { throw std::runtime_error{"first"}; })
                  .then(pool, [&](int) { called = true; })
                  .then(pool, [&] { called = true; });
  EXPECT_THROW(last.get(), std::runtime_error);
  EXPECT_FALSE(called);
  auto own = pool.submit([] { return 1; }).then(pool, [](int) { throw std::range_error{"own"}; });
  EXPECT_THROW(own.get(), std::range_error);
}

TEST(then, runs_and_ends_without_its_handle) {
  auto captured = std::make_shared<int>(0);
  {
    thread_pool pool{of_workers(2)};
    for (int i = 0; i < 100; ++i) {
      static_cast<void>(pool.submit([captured] { return 1; }).then(pool, [captured](int n) {
        return *captured + n;
      }));
    }
  }
  EXPECT_EQ(captured.use_count(), 1);
}

TEST(then, makes_chains_of_any_length) {
  thread_pool pool{of_workers(2)};
  gate g;
  auto chain = pool.submit([&] {
    g.wait();
    return 0;
  });
  for (int i = 0; i < 20'000; ++i) {
    chain = std::move(chain).then(pool, [](int n) { return n + 1; });
  }
  g.open();
  EXPECT_EQ(chain.get(), 20'000);
}

TEST(then, goes_on_in_another_pool) {
  thread_pool first{of_workers(1)}, second{of_workers(1)};
  auto there = first.submit([&] { return first.on_worker(); }).then(second, [&](bool in_first) {
    return in_first && second.on_worker() && !first.on_worker();
  });
  EXPECT_TRUE(there.get());
}

TEST(then, is_refused_by_a_pool_that_is_stopped) {
  thread_pool pool{of_workers(1)}, stopped{of_workers(1)};
  gate g;
  auto later = pool.submit([&] {
    g.wait();
    return 3;
  });
  auto refused = std::move(later).then(stopped, [](int n) { return n; });
  stopped.stop();
  g.open();
  EXPECT_THROW(refused.get(), pool_stopped);

  auto done = pool.submit([] { return 3; });
  done.wait();
  EXPECT_THROW(static_cast<void>(std::move(done).then(stopped, [](int n) { return n; })),
               pool_stopped);
  ASSERT_TRUE(done.valid());  // NOLINT(bugprone-use-after-move): it is as it was
  EXPECT_EQ(done.get(), 3);
}

// Too many for a small stack, if the end of one is within that of the one before.
constexpr int many_for_a_stack = 20'000;
thread_pool_options with_a_small_stack() {
  thread_pool_options options = of_workers(1);
  options.stack = std::size_t{1} << 20;  // ThreadSanitizer takes nearly all of it
  return options;
}

TEST(then, a_refusal_is_passed_on_along_a_chain_of_any_length) {
  thread_pool pool{with_a_small_stack()}, stopped{of_workers(1)};
  gate g;
  auto chain = pool.submit([&] {
    g.wait();
    return 0;
  });
  for (int i = 0; i < many_for_a_stack; ++i) {
    chain = std::move(chain).then(stopped, [](int n) { return n + 1; });
  }
  stopped.stop();
  g.open();
  EXPECT_THROW(static_cast<void>(chain.get()), pool_stopped);
}

TEST(then, is_refused_without_a_job_and_without_a_callable) {
  thread_pool pool{of_workers(1)};
  pool_future<int> none;
  EXPECT_THROW(static_cast<void>(std::move(none).then(pool, [](int) {})), std::logic_error);
  auto some = pool.submit([] { return 3; });
  EXPECT_THROW(static_cast<void>(std::move(some).then(pool, std::function<void(int)>{})),
               std::invalid_argument);
  EXPECT_EQ(some.get(), 3);  // NOLINT(bugprone-use-after-move): it is as it was
}

#if !defined(_WIN32)
TEST(then, says_in_a_child_of_fork_that_no_worker_is_there) {
  SKIP_WHERE_A_CHILD_MAY_NOT_ALLOCATE();
  thread_pool pool{of_workers(1)};
  gate g;
  auto later = pool.submit([&] { g.wait(); });
  EXPECT_EQ(exit_of_child([&] {
              try {
                static_cast<void>(std::move(later).then(pool, [] {}));
              } catch (const std::logic_error&) {
                return later.valid() ? 3 : 4;
              }
              return 5;
            }),
            3);
  g.open();
  later.get();
}
#endif

TEST(when_all, has_the_results_in_the_order_of_the_handles) {
  thread_pool pool{of_workers(2)};
  gate g;
  auto slow = pool.submit([&] {
    g.wait();
    return std::string{"slow"};
  });
  auto all = when_all(std::move(slow), pool.submit([] {}), pool.submit([] { return 7; }));
  EXPECT_FALSE(all.ready());
  g.open();
  const std::tuple<std::string, std::monostate, int> results = all.get();
  EXPECT_EQ(std::get<0>(results), "slow");
  EXPECT_EQ(std::get<2>(results), 7);
}

TEST(when_all, takes_any_number_of_handles) {
  thread_pool pool{of_workers(3)};
  for (const int count : {0, 1, 2, 1000}) {
    std::vector<pool_future<int>> some;
    for (int i = 0; i < count; ++i) some.push_back(pool.submit([i] { return i; }));
    const std::vector<int> results = when_all(std::move(some)).get();
    ASSERT_EQ(results.size(), static_cast<std::size_t>(count));
    for (int i = 0; i < count; ++i) EXPECT_EQ(results[static_cast<std::size_t>(i)], i);
  }
  std::atomic<int> ran{0};
  std::vector<pool_future<void>> without_result;
  for (int i = 0; i < 100; ++i) without_result.push_back(pool.submit([&] { ++ran; }));
  when_all(std::move(without_result)).get();
  EXPECT_EQ(ran, 100);
}

TEST(when_all, throws_the_first_exception_in_the_order_of_the_handles_when_all_have_ended) {
  thread_pool pool{of_workers(2)};
  std::atomic<bool> ended{false};
  gate g;
  auto slow = pool.submit([&]() -> int {
    g.wait();
    ended = true;
    throw std::range_error{"slow"};
  });
  auto fast = pool.submit([]() -> int { throw std::runtime_error{"fast"}; });
  auto all = when_all(std::move(slow), std::move(fast));
  EXPECT_FALSE(all.ready());
  g.open();
  EXPECT_THROW(static_cast<void>(all.get()), std::range_error);
  EXPECT_TRUE(ended);
}

TEST(when_all, is_followed_and_waited_for_by_a_worker) {
  thread_pool pool{of_workers(1)};
  const int sum = pool.call([&] {
    return when_all(pool.submit([] { return 1; }), pool.submit([] { return 2; }))
        .then(pool, [](std::tuple<int, int> both) { return std::get<0>(both) + std::get<1>(both); })
        .get();
  });
  EXPECT_EQ(sum, 3);
}

// One handle for all so far and the next job, again and again, as a program does that does not keep
// the handles.
pool_future<void> both(pool_future<void> one, pool_future<void> other) {
  std::vector<pool_future<void>> two;
  two.push_back(std::move(one));
  two.push_back(std::move(other));
  return when_all(std::move(two));
}

TEST(when_all, is_followed_by_another_any_number_of_times) {
  thread_pool pool{with_a_small_stack()}, others{of_workers(1)};
  gate g;
  auto all = pool.submit([&] { g.wait(); });
  for (int i = 0; i < many_for_a_stack; ++i) all = both(std::move(all), others.submit([] {}));
  others.stop();
  g.open();  // the first job is the last that each of them waits for
  EXPECT_NO_THROW(all.get());
}

TEST(when_all, is_followed_by_another_any_number_of_times_with_exceptions) {
  thread_pool pool{with_a_small_stack()}, others{of_workers(1)};
  gate g;
  auto all = pool.submit([&] { g.wait(); });
  for (int i = 0; i < many_for_a_stack; ++i) {
    all = both(others.submit([] { throw std::runtime_error{"one of many"}; }), std::move(all));
  }
  others.stop();
  g.open();
  pool.submit([](pool_future<void> last) { EXPECT_THROW(last.get(), std::runtime_error); },
              std::move(all))
      .get();  // where they are destroyed
}

TEST(when_all, is_refused_for_a_handle_without_a_job) {
  thread_pool pool{of_workers(1)};
  EXPECT_THROW(static_cast<void>(when_all(pool.submit([] {}), pool_future<int>{})),
               std::logic_error);
  std::vector<pool_future<int>> some(1);
  EXPECT_THROW(static_cast<void>(when_all(std::move(some))), std::logic_error);
}

// Trees of jobs in two pools; only the root is waited for.
pool_future<long> sum_of(thread_pool& here, thread_pool& there, long from, long to) {
  if (to - from == 1) return here.submit([from] { return from; });
  const long middle = from + (to - from) / 2;
  return when_all(sum_of(there, here, from, middle), sum_of(here, there, middle, to))
      .then(there,
            [](std::tuple<long, long> both) { return std::get<0>(both) + std::get<1>(both); });
}

TEST(when_all, and_then_add_up_trees_of_jobs_of_two_pools) {
  thread_pool one{of_workers(2)}, two{of_workers(3)};
  constexpr long count = 500;
  std::vector<std::thread> outside;
  std::atomic<int> right{0};
  for (int i = 0; i < 3; ++i) {
    outside.emplace_back([&] {
      for (int round = 0; round < 5; ++round)
        right += sum_of(one, two, 0, count).get() == count * (count - 1) / 2 ? 1 : 0;
    });
  }
  for (std::thread& each : outside) each.join();
  EXPECT_EQ(right, 15);
}

}  // namespace
}  // namespace fencepost
