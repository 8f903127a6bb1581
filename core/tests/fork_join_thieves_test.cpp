// fork_join gives the same results however its workers search, pause, sleep and share.
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <thread>
#include <vector>

#include "fork_join_testing.hpp"

namespace fencepost {
namespace {

// Waits until `holds` returns true. Returns false after a time that is long on any machine.
template <class Condition>
bool eventually(Condition&& holds) {
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds{60};
  while (!holds()) {
    if (std::chrono::steady_clock::now() > deadline) return false;
    std::this_thread::yield();
  }
  return true;
}

// The other worker asks for work and falls asleep while this worker has a single task left, which
// it then runs itself. What that task spawns answers the request.
TEST(fork_join, a_worker_that_sleeps_gets_work_that_only_the_busy_owner_has) {
  fork_join_options options = with(2);
  options.search.attempts = 0;
  counting pool{options};
  using worker = counting::worker;
  for (int round = 0; round < 10 && !HasFailure(); ++round) {
    pool.run([&pool](worker& me) {
      std::atomic<bool> begun{false}, spawned{false}, ran{false};
      std::atomic<std::uint64_t> sleeps{~std::uint64_t{0}};
      auto first = me.spawn([&] {
        begun = true;
        while (!spawned) std::this_thread::yield();
        sleeps = pool.statistics().sleeps;
      });
      EXPECT_TRUE(eventually([&] { return begun.load(); })) << "the first task wakes the other";
      // The other worker may have asked just before it found the first task; that request is
      // answered here.
      me.sync(me.spawn([] {}));
      auto second = me.spawn([&](worker& mine) {
        EXPECT_EQ(mine.index(), me.index()) << "nobody has asked for it";
        auto inner = mine.spawn([&] { ran = true; });
        // Neither sync() of `inner` nor poll() is called: spawning alone must answer.
        EXPECT_TRUE(eventually([&] {
          mine.sync(mine.spawn([] {}));
          return ran.load();
        })) << "the other worker sleeps on";
        mine.sync(inner);
      });
      spawned = true;
      EXPECT_TRUE(eventually([&] { return pool.statistics().sleeps > sleeps; }));
      me.sync(second);
      me.sync(first);
    });
  }
}

// A random tree: each node spawns a task for each of its children, and syncs it.
struct tree {
  std::vector<tree> children;
  unsigned value = 0;
};

std::uint64_t sum(const tree& t) {
  std::uint64_t total = t.value;
  for (const tree& child : t.children) total += sum(child);
  return total;
}
std::uint64_t sum_of_range(fork_join_worker& me, const std::vector<tree>& trees, std::size_t from);
std::uint64_t sum(fork_join_worker& me, const tree& t) {
  return t.value + sum_of_range(me, t.children, 0);
}
std::uint64_t sum_of_range(fork_join_worker& me, const std::vector<tree>& trees, std::size_t from) {
  if (from == trees.size()) return 0;
  auto first = me.spawn([&](fork_join_worker& mine) { return sum(mine, trees[from]); });
  const std::uint64_t rest = sum_of_range(me, trees, from + 1);
  return me.sync(first) + rest;
}

rc::Gen<tree> any_tree(int depth) {
  const auto children =
      depth == 0 ? rc::gen::just(std::vector<tree>{})
                 : rc::gen::resize(5, rc::gen::container<std::vector<tree>>(
                                          rc::gen::lazy([=] { return any_tree(depth - 1); })));
  return rc::gen::build<tree>(rc::gen::set(&tree::children, children),
                              rc::gen::set(&tree::value, rc::gen::inRange(0U, 1000U)));
}

RC_GTEST_PROP(fork_join_trees, sum_up_as_one_thread_sums_them, ()) {
  static fork_join pools[] = {fork_join{with(2)}, fork_join{with(16, 8)}};
  const tree t = *any_tree(5);
  const std::uint64_t expected = sum(t);
  for (fork_join& pool : pools) {
    RC_ASSERT(pool.run([&](fork_join_worker& me) { return sum(me, t); }) == expected);
  }
}

// With and without each of the two ways to find work while waiting.
TEST(fork_join, gives_the_result_however_workers_search) {
  for (const bool leapfrog : {false, true}) {
    for (const bool random : {false, true}) {
      fork_join_options options = with(4);
      options.search.leapfrog = leapfrog;
      options.search.random_steals = random;
      options.search.attempts = 0;  // workers sleep at once
      fork_join pool{options};
      for (int round = 0; round < 20; ++round) {
        EXPECT_EQ(pool.run([](fork_join_worker& me) { return fib(me, 14); }), 377);
      }
    }
  }
}

TEST(fork_join, gives_the_result_however_long_workers_pause) {
  for (const std::uint32_t pauses : {1U, 3U, 64U}) {
    fork_join_options options = with(4);
    options.search.pauses = pauses;
    fork_join pool{options};
    for (int round = 0; round < 20; ++round) {
      EXPECT_EQ(pool.run([](fork_join_worker& me) { return fib(me, 14); }), 377);
    }
  }
}

#if defined(__linux__) && defined(FENCEPOST_HAS_MIXED_SIZE_WORD)
// Spawns many tasks, shares them and takes them back while others steal, so that the split rises
// and falls.
TEST(fork_join, gives_the_result_on_a_word_of_halves) {
  using pool_of_halves =
      basic_fork_join<fork_join_features{.statistics = true, .word = fork_join_word::halves}>;
  using worker = pool_of_halves::worker;
  for (const std::uint32_t workers : {1U, 2U, 4U}) {
    pool_of_halves pool{with(workers)};
    EXPECT_EQ(pool.run([](worker& me) { return fib(me, 22); }), 17711) << workers;
    std::atomic<unsigned> runs{0};
    pool.run([&runs](worker& me) {
      for (unsigned round = 0; round < 200; ++round) {
        const auto task = [&runs](worker&) noexcept { runs.fetch_add(1); };
        auto first = me.spawn(task);
        auto second = me.spawn(task);
        auto third = me.spawn(task);
        me.share();
        me.sync(third);
        me.sync(second);
        me.sync(first);
      }
    });
    EXPECT_EQ(runs.load(), 600U) << workers;
    pool.stop();
    EXPECT_GT(pool.statistics().splits_lowered, 0U);
  }
}
#endif

}  // namespace
}  // namespace fencepost
