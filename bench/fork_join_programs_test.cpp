// The programs of the fork-join benchmark compute the right results and spawn the known numbers of
// tasks: on a fake worker, which runs a task when it is synced, and on the runtime.
#include "fork_join_programs.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <utility>

#include "fencepost/runtime/fork_join.hpp"

namespace fencepost::bench {
namespace {

struct counting_worker {
  template <class F>
  struct handle {
    F body;
    std::uint64_t number;

    handle(F f, std::uint64_t n) : body(std::move(f)), number(n) {}
    handle(handle&&) noexcept = default;
    handle& operator=(handle&&) = delete;
    ~handle() = default;
  };
  std::uint64_t spawned = 0;
  std::uint64_t open = 0;  // spawned and not synced
  bool in_order = true;    // tasks were synced in the reverse order of their spawns
  std::size_t largest = 0;

  template <class F>
  handle<F> spawn(F f) {
    ++spawned;
    largest = std::max(largest, sizeof f);
    return {std::move(f), ++open};
  }
  template <class Handle>
  auto sync(Handle&& task) {
    in_order = in_order && task.number == open;
    --open;
    return task.body(*this);
  }
  template <class F, class G>
  auto join(F f, G g) {
    auto left = spawn(std::move(f));
    auto right = g(*this);
    return std::pair(sync(left), right);
  }
};

// The bytes of captures that fit into a task's slot in the deque.
constexpr std::size_t room = 48;

void expect_tasks(const counting_worker& worker, std::uint64_t tasks) {
  EXPECT_EQ(worker.spawned, tasks);
  EXPECT_EQ(worker.open, 0u);
  EXPECT_TRUE(worker.in_order);
  EXPECT_LE(worker.largest, room);
}

TEST(fork_join_programs, fib) {
  for (const unsigned n : {0U, 1U, 2U, 10U, 25U}) {
    counting_worker worker, joining;
    EXPECT_EQ(fib(worker, n), fib_sequential(n));
    EXPECT_EQ(fib_joined(joining, n), fib_sequential(n));
    expect_tasks(worker, tasks::fib(n));
    expect_tasks(joining, tasks::fib(n));
  }
  EXPECT_EQ(fib_sequential(25), 75025u);
  EXPECT_EQ(tasks::fib(45), 1'836'311'902u);
}

TEST(fork_join_programs, queens) {
  constexpr std::uint64_t solutions[] = {1, 1, 0, 0, 2, 10, 4, 40, 92, 352};
  for (int n = 0; n < 10; ++n) {
    counting_worker worker;
    EXPECT_EQ(queens(worker, n), solutions[n]);
    EXPECT_EQ(queens_sequential(n), solutions[n]);
  }
  counting_worker worker;
  EXPECT_EQ(queens(worker, 12), 14200u);
  EXPECT_EQ(queens_sequential(12), 14200u);
  expect_tasks(worker, tasks::queens_12);
}

TEST(fork_join_programs, matmul) {
  for (const int n : {1, 21, 22, 63, 100, 128}) {
    matrices by_tasks{n}, in_order{n};
    counting_worker worker;
    matmul(worker, by_tasks.all());
    matmul_sequential(in_order.all());
    EXPECT_EQ(by_tasks.c, in_order.c) << "the same additions in the same order";
    const auto at = [row = static_cast<std::size_t>(n)](int i, int j) {
      return static_cast<std::size_t>(i) * row + static_cast<std::size_t>(j);
    };
    for (int i = 0; i < n; ++i) {
      for (int k = 0; k < n; ++k) {
        double sum = 0;
        for (int j = 0; j < n; ++j) {
          sum +=
              static_cast<double>(in_order.a[at(i, j)]) * static_cast<double>(in_order.b[at(j, k)]);
        }
        ASSERT_NEAR(static_cast<double>(in_order.c[at(i, k)]), sum, 1e-5 * n) << i << ' ' << k;
      }
    }
    EXPECT_EQ(worker.open, 0u);
    EXPECT_TRUE(worker.in_order);
  }
}

// Counts the tasks without multiplying.
TEST(fork_join_programs, matmul_of_1024_rows_has_the_tasks_that_it_is_known_to_have) {
  const std::function<std::uint64_t(const product&)> count = [&](const product& all) {
    if (all.small()) return std::uint64_t{0};
    const auto [first, second] = all.halves();
    return count(first) + count(second) + (all.one_after_the_other() ? 0 : 1);
  };
  EXPECT_EQ(count(matrices{1024}.all()), tasks::matmul_1024);
  EXPECT_EQ(count(matrices{2048}.all()), 449'389u);
}

TEST(fork_join_programs, sha1_is_sha1) {
  // The output of sha1sum for "abcd", for twenty zero bytes, and for "abcd" six times.
  using uts::digest;
  constexpr std::uint32_t abcd = 0x61626364;
  EXPECT_EQ(uts::sha1<1>({abcd}),
            (digest{0x81fe8bfe, 0x87576c3e, 0xcb22426f, 0x8e578473, 0x82917acf}));
  EXPECT_EQ(uts::sha1<5>({}), (digest{0x6768033e, 0x21646824, 0x7bd031a0, 0xa2d9876d, 0x79818f8f}));
  EXPECT_EQ(uts::sha1<6>({abcd, abcd, abcd, abcd, abcd, abcd}),
            (digest{0xe8678945, 0xb41f8da4, 0xc3b0fd3d, 0xe9cf74ae, 0x884e4a1c}));
}

template <class Tree>
void expect_tree(std::uint64_t tasks) {
  const uts::counts known{Tree::nodes, Tree::leaves, Tree::depth};
  counting_worker worker;
  EXPECT_EQ(uts::search<Tree>(worker, uts::root(Tree::seed)), known);
  expect_tasks(worker, tasks);
  EXPECT_EQ(uts::sequential<Tree>(uts::root(Tree::seed)), known);
}

TEST(fork_join_programs, uts_t1) { expect_tree<uts::t1>(uts::t1::nodes - 1); }
TEST(fork_join_programs, uts_t2) { expect_tree<uts::t2>(tasks::uts_t2); }
TEST(fork_join_programs, uts_t3) { expect_tree<uts::t3>(tasks::uts_t3); }

// On the runtime, with several numbers of workers.
struct on_workers : testing::TestWithParam<std::uint32_t> {
  static constexpr fork_join_features counting{.statistics = true};
  using worker = basic_fork_join<counting>::worker;

  // Returns the result of a program, and expects that it spawns `tasks` tasks.
  template <class F>
  auto run(std::uint64_t tasks, F program) {
    fork_join_options options;
    options.workers = GetParam();
    basic_fork_join<counting> pool{options};
    auto result = pool.run(program);
    EXPECT_EQ(pool.statistics().tasks, tasks);
    return result;
  }
};

TEST_P(on_workers, fib) {
  EXPECT_EQ(run(tasks::fib(35), [](worker& me) { return fib(me, 35); }), 9'227'465u);
  EXPECT_EQ(run(tasks::fib(25), [](worker& me) { return fib_joined(me, 25); }), 75'025u);
}
TEST_P(on_workers, queens) {
  EXPECT_EQ(run(tasks::queens_12, [](worker& me) { return queens(me, 12); }), 14'200u);
}
TEST_P(on_workers, matmul) {
  matrices by_tasks{1024}, in_order{1024};
  run(tasks::matmul_1024, [&](worker& me) {
    matmul(me, by_tasks.all());
    return 0;
  });
  matmul_sequential(in_order.all());
  EXPECT_EQ(by_tasks.c, in_order.c);
}
TEST_P(on_workers, uts) {
  const auto t2 = [](worker& me) { return uts::search<uts::t2>(me, uts::root(uts::t2::seed)); };
  const auto t3 = [](worker& me) { return uts::search<uts::t3>(me, uts::root(uts::t3::seed)); };
  EXPECT_EQ(run(tasks::uts_t2, t2).leaves, uts::t2::leaves);
  EXPECT_EQ(run(tasks::uts_t3, t3).leaves, uts::t3::leaves);
}

INSTANTIATE_TEST_SUITE_P(workers, on_workers, testing::Values(1, 2, 8));

}  // namespace
}  // namespace fencepost::bench
