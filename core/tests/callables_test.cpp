// What may be handed to a runtime: any callable; and which callables are empty.
#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <functional>
#include <memory>
#include <stdexcept>
#include <stop_token>
#include <utility>

#include "fencepost/runtime/empty_callable.hpp"
#include "fencepost/runtime/fork_join.hpp"
#include "fencepost/runtime/parallel.hpp"
#include "fencepost/runtime/parallel_scan.hpp"
#include "fencepost/runtime/parallel_sort.hpp"
#include "fencepost/runtime/parallel_transform.hpp"
#include "fencepost/runtime/task_group.hpp"
#include "fencepost/runtime/task_runner.hpp"
#include "fencepost/runtime/thread_pool.hpp"

namespace {

using namespace fencepost;

// An aggregate that is constructible from nullptr, but not comparable with it.
struct counts_up {
  int* to;
  void operator()() const noexcept { ++*to; }
};
#if defined(__cpp_aggregate_paren_init)
static_assert(std::is_constructible_v<counts_up, std::nullptr_t>);
#endif

// A callable that can be empty.
struct kept {
  kept(std::shared_ptr<int> n) : to(std::move(n)) {}
  explicit operator bool() const noexcept { return to != nullptr; }
  void operator()() const noexcept { ++*to; }

  std::shared_ptr<int> to;
};

void nothing() {}
void twice(int& n) { n *= 2; }
int square(int n) { return n * n; }
int sum(int a, int b) { return a + b; }
bool greater(int a, int b) { return a > b; }

TEST(is_empty_callable, knows_those_that_can_be_empty) {
  int n = 0;
  EXPECT_FALSE(is_empty_callable([] {}));
  EXPECT_FALSE(is_empty_callable(nothing));
  EXPECT_FALSE(is_empty_callable(&nothing));
  EXPECT_FALSE(is_empty_callable(counts_up{&n}));
  EXPECT_FALSE(is_empty_callable(counts_up{nullptr}));
  EXPECT_FALSE(is_empty_callable(std::function{nothing}));
  EXPECT_FALSE(is_empty_callable(&std::array<int, 1>::size));
  EXPECT_FALSE(is_empty_callable(kept{std::make_shared<int>(0)}));
  EXPECT_TRUE(is_empty_callable(static_cast<void (*)()>(nullptr)));
  EXPECT_TRUE(is_empty_callable(std::function<void()>{}));
  EXPECT_TRUE(is_empty_callable(static_cast<int (std::array<int, 1>::*)()>(nullptr)));
  EXPECT_TRUE(is_empty_callable(kept{nullptr}));
}

TEST(thread_pool, takes_a_callable_that_is_an_aggregate) {
  int n = 0;
  thread_pool pool{{.workers = 1}};
  pool.submit(counts_up{&n}).get();
  pool.submit(std::stop_token{}, counts_up{&n}).get();
  pool.call(counts_up{&n});
  pool.join(counts_up{&n}, counts_up{&n});
  pool.submit(nothing).then(pool, counts_up{&n}).get();
  basic_task_group tasks{pool};
  tasks.run(counts_up{&n});
  tasks.wait();
  EXPECT_EQ(n, 7);
  EXPECT_THROW(static_cast<void>(pool.submit(kept{nullptr})), std::invalid_argument);
  EXPECT_THROW(static_cast<void>(pool.submit(std::function<void()>{})), std::invalid_argument);
}

TEST(task_runner, takes_a_callable_that_is_an_aggregate) {
  using namespace std::chrono_literals;
  int n = 0;
  task_runner runner;
  std::stop_source stop;
  runner.post(counts_up{&n});
  runner.post(stop.get_token(), counts_up{&n});
  runner.post_delayed(stop.get_token(), counts_up{&n}, 0ms);
  runner.post(nothing);
  runner.post_delayed([&] { runner.quit(); }, 1ms);
  runner.run();
  EXPECT_EQ(n, 3);
  EXPECT_THROW(runner.post(stop.get_token(), kept{nullptr}), std::invalid_argument);
  EXPECT_THROW(runner.post(std::function<void()>{}), std::invalid_argument);
}

TEST(fork_join, takes_functions_in_loops) {
  fork_join workers{{.workers = 2}};
  std::array<int, 3> in{1, 2, 3}, out{};
  workers.run([&](fork_join::worker& me) {
    parallel_for(me, in, twice);
    EXPECT_EQ(parallel_reduce(me, in, 0, sum), 12);
    parallel_transform(me, in, out.begin(), square);
    EXPECT_EQ(out, (std::array{4, 16, 36}));
    parallel_inclusive_scan(me, in, out.begin(), sum);
    EXPECT_EQ(out, (std::array{2, 6, 12}));
    parallel_sort(me, out, greater);
    EXPECT_EQ(out, (std::array{12, 6, 2}));
    parallel_invoke(me, nothing, nothing);
  });
}

}  // namespace
