// The victims of thieves, on a machine that hwloc simulates: two nodes with four cores each.
#include "fencepost/runtime/victim_choice.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "fencepost/runtime/fork_join.hpp"
#include "fencepost/runtime/placement.hpp"

namespace fencepost {
namespace {

// The machine is examined once, when a place is first requested.
[[maybe_unused]] const int two_nodes =
    setenv("HWLOC_SYNTHETIC", "NUMANode:2 Core:4 PU:1", 1);  // NOLINT(concurrency-mt-unsafe)

using numbers = std::vector<std::uint32_t>;

std::set<std::uint32_t> victims_of(const victim_choice& choice, std::uint32_t thief) {
  victim_attempts own{thief};
  std::set<std::uint32_t> all;
  for (int i = 0; i < 1000; ++i) all.insert(choice.next(thief, own));
  return all;
}

TEST(victim_choice, is_any_of_the_others) {
  for (const numbers& nodes : {numbers{}, numbers{7, 7, 7}}) {
    for (const std::uint32_t near : {0U, 5U}) {
      const victim_choice choice{3, near, nodes};
      EXPECT_EQ(victims_of(choice, 0), (std::set<std::uint32_t>{1, 2}));
      EXPECT_EQ(victims_of(choice, 1), (std::set<std::uint32_t>{0, 2}));
      EXPECT_EQ(victims_of(choice, 2), (std::set<std::uint32_t>{0, 1}));
    }
  }
  EXPECT_EQ(victims_of({3, 0, {0, 1, 2}}, 1), (std::set<std::uint32_t>{0, 2}));
}

TEST(victim_choice, is_as_often_near_as_was_asked_and_then_far) {
  const numbers nodes{4, 0, 4, 0, 4, 0, 9};
  const victim_choice choice{7, 3, nodes};
  for (std::uint32_t thief = 0; thief < 6; ++thief) {
    victim_attempts own{thief};
    std::set<std::uint32_t> near, far;
    for (int i = 0; i < 4000; ++i) {
      const std::uint32_t victim = choice.next(thief, own);
      ASSERT_NE(victim, thief);
      ASSERT_EQ(nodes[victim] == nodes[thief], i % 4 != 3) << "attempt " << i << " of " << thief;
      (nodes[victim] == nodes[thief] ? near : far).insert(victim);
    }
    EXPECT_EQ(near.size(), 2U) << thief;
    EXPECT_EQ(far.size(), 4U) << thief;
  }
  EXPECT_EQ(victims_of(choice, 6), (std::set<std::uint32_t>{0, 1, 2, 3, 4, 5})) << "alone there";
}

TEST(victim_choice, needs_workers_that_are_pinned) {
  fork_join_options options;
  options.workers = 2;
  options.search.near_steals = 1;
  try {
    fork_join pool{options};
    FAIL() << "not refused";
  } catch (const std::invalid_argument& refused) {
    EXPECT_NE(std::string{refused.what()}.find("options.pin"), std::string::npos) << refused.what();
  }
}

#if FENCEPOST_WITH_HWLOC
TEST(placement, knows_the_node_of_each_place) {
  ASSERT_EQ(placement::places(), 8U);
  for (std::uint32_t place = 0; place < 16; ++place) EXPECT_EQ(placement::node(place), place % 2);
}
#else
TEST(placement, has_one_node_where_there_are_no_places) { EXPECT_EQ(placement::node(3), 0U); }
#endif

template <class Worker>
std::uint64_t fib(Worker& me, unsigned n) {
  if (n < 2) return n;
  auto left = me.spawn([n](Worker& mine) { return fib(mine, n - 1); });
  const std::uint64_t right = fib(me, n - 2);
  return me.sync(left) + right;
}

TEST(victim_choice, leaves_no_task_behind_on_two_nodes) {
  using counting = basic_fork_join<fork_join_features{.statistics = true}>;
  for (const std::uint32_t near : {1U, 1000U}) {
    fork_join_options options;
    options.workers = 8;
    options.pin = true;
    options.search.near_steals = near;
    counting pool{options};
    for (int round = 0; round < 20; ++round) {
      EXPECT_EQ(pool.run([](counting::worker& me) { return fib(me, 16); }), 987U);
    }
    pool.stop();
    EXPECT_EQ(pool.statistics().tasks, 20U * 1596U);
  }
}

}  // namespace
}  // namespace fencepost
