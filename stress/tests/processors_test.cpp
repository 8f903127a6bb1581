#include "fencepost/stress/processors.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <set>

#include "fencepost/stress/host.hpp"

namespace fencepost::stress {
namespace {

using seats = std::vector<unsigned>;

// Two cores of two hardware threads, as Linux often numbers them.
using cores = std::vector<std::vector<unsigned>>;
const processors four(cores{{0, 2}, {1, 3}});
const processors two(cores{{0}, {1}});
const processors one(cores{{5}});
const processors unknown(cores{});

std::set<unsigned> those_of(const processors& p, const seats& s) {
  std::set<unsigned> among;
  for (const unsigned n : s) {
    for (unsigned c = 0; c < p.cores().size(); ++c) {
      for (const unsigned has : p.cores()[c]) {
        if (has == n) among.insert(c);
      }
    }
  }
  return among;
}

TEST(processors, are_counted) {
  EXPECT_EQ(four.count(), 4U);
  EXPECT_EQ(one.count(), 1U);
  EXPECT_GE(unknown.count(), 1U);
  EXPECT_GE(processors::of_this_machine().count(), 1U);
}

TEST(processors, a_placement_is_there_where_the_machine_has_it) {
  EXPECT_TRUE(four.has(placement::smt));
  EXPECT_FALSE(two.has(placement::smt));
  EXPECT_TRUE(two.has(placement::other_core));
  EXPECT_FALSE(one.has(placement::other_core));
  EXPECT_TRUE(one.has(placement::same_core));
  EXPECT_FALSE(unknown.has(placement::same_core));
  EXPECT_TRUE(unknown.has(placement::none));
}

TEST(processors, seats_are_what_the_placement_says) {
  for (std::size_t turn = 0; turn < 20; ++turn) {
    for (unsigned team = 0; team < 3; ++team) {
      const seats same = four.seats(placement::same_core, 3, team, turn);
      EXPECT_EQ(same.size(), 3U);
      EXPECT_EQ(std::set<unsigned>(same.begin(), same.end()).size(), 1U);

      const seats siblings = four.seats(placement::smt, 2, team, turn);
      EXPECT_EQ(std::set<unsigned>(siblings.begin(), siblings.end()).size(), 2U);
      EXPECT_EQ(those_of(four, siblings).size(), 1U);

      const seats others = four.seats(placement::other_core, 2, team, turn);
      EXPECT_EQ(those_of(four, others).size(), 2U);
      EXPECT_TRUE(four.seats(placement::none, 2, team, turn).empty());
    }
  }
}

TEST(processors, every_processor_has_its_turn) {
  for (const placement p : {placement::same_core, placement::smt, placement::other_core}) {
    std::set<unsigned> first;
    for (std::size_t turn = 0; turn < 20; ++turn) first.insert(four.seats(p, 2, 0, turn)[0]);
    EXPECT_EQ(first.size(), 4U) << to_string(p);
  }
}

TEST(processors, teams_keep_out_of_each_other_s_way) {
  const processors eight(cores{{0}, {1}, {2}, {3}, {4}, {5}, {6}, {7}});
  std::set<unsigned> taken;
  for (unsigned team = 0; team < 4; ++team) {
    for (const unsigned n : eight.seats(placement::other_core, 2, team, 7)) taken.insert(n);
  }
  EXPECT_EQ(taken.size(), 8U);
}

TEST(processors, a_thread_stays_where_it_is_told_to) {
  const processors here = processors::of_this_machine();
  if (here.cores().empty()) GTEST_SKIP() << "nothing is known of this system";
  const unsigned last = here.cores().back().back();
  ASSERT_TRUE(stay_on(last));
  EXPECT_EQ(processors::of_this_machine().count(), 1U);
  EXPECT_EQ(processors::of_this_machine().cores()[0][0], last);
  ASSERT_TRUE(stay_anywhere(here));
  EXPECT_EQ(processors::of_this_machine().count(), here.count());
}

TEST(host, an_emulator_that_is_stated_is_named) {
  ::setenv("FENCEPOST_EMULATED", "tcg", 1);
  const host stated = this_host();
  ::unsetenv("FENCEPOST_EMULATED");
  const std::string found = find_emulator();
  EXPECT_EQ(stated.emulator, found.empty() ? "tcg" : found);
  EXPECT_EQ(this_host().emulator, found);
}

}  // namespace
}  // namespace fencepost::stress
