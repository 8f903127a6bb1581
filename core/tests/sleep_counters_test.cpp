#include "fencepost/sync/sleep_counters.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>

namespace fencepost {
namespace {

constexpr std::uint32_t edges16[] = {0, 1, 2, 3, 0x7fff, 0x8000, 0xfffe, 0xffff};
constexpr std::uint32_t edges32[] = {0, 1, 2, 0x7fff'ffff, 0x8000'0000, 0xffff'fffe, 0xffff'ffff};

constexpr sleep_counters make(std::uint32_t sleeping, std::uint32_t inactive, std::uint32_t jobs) {
  return {std::uint64_t{jobs} << 32 | std::uint64_t{inactive} << 16 | sleeping};
}

// Checks every value of one field with the edge values of the others. The macros of gtest are too
// slow to be called for each.
template <class Check>
void for_all(Check&& check) {
  std::uint64_t wrong = 0;
  for (std::uint32_t all = 0; all <= 0xffff; ++all) {
    for (const std::uint32_t edge : edges16) {
      for (const std::uint32_t jobs : edges32) {
        wrong += check(all, edge, jobs) ? 0u : 1u;
        wrong += check(edge, all, jobs) ? 0u : 1u;
      }
      for (const std::uint32_t other : edges16) {
        wrong += check(edge, other, all) ? 0u : 1u;
        wrong += check(edge, other, 0xffff'0000 + all) ? 0u : 1u;
      }
    }
  }
  EXPECT_EQ(wrong, 0u);
}

bool is(sleep_counters c, std::uint32_t sleeping, std::uint32_t inactive, std::uint32_t jobs) {
  return c.sleeping() == sleeping && c.inactive() == inactive && c.jobs() == jobs;
}

TEST(sleep_counters, each_field_reads_what_was_packed) {
  for_all(
      [](std::uint32_t s, std::uint32_t i, std::uint32_t j) { return is(make(s, i, j), s, i, j); });
}

TEST(sleep_counters, adding_and_taking_off_one_changes_one_field) {
  for_all([](std::uint32_t s, std::uint32_t i, std::uint32_t j) {
    const sleep_counters c = make(s, i, j);
    bool right = true;
    if (s != 0xffff) right &= is(c.one_more_asleep(), s + 1, i, j);
    if (s != 0) right &= is({c.word - sleep_counters::one_sleeping}, s - 1, i, j);
    if (i != 0xffff) right &= is({c.word + sleep_counters::one_inactive}, s, i + 1, j);
    if (i != 0) right &= is({c.word - sleep_counters::one_inactive}, s, i - 1, j);
    return right;
  });
}

TEST(sleep_counters, a_post_makes_the_counter_odd_and_an_announcement_makes_it_even) {
  for_all([](std::uint32_t s, std::uint32_t i, std::uint32_t j) {
    const sleep_counters c = make(s, i, j);
    return c.sleepy() == (j % 2 == 0) && is(c.posted(), s, i, j % 2 == 0 ? j + 1 : j) &&
           is(c.announced(), s, i, j % 2 == 0 ? j : j + 1) && !c.posted().sleepy() &&
           c.announced().sleepy() && c.posted().posted() == c.posted() &&
           c.announced().announced() == c.announced();
  });
}

TEST(sleep_counters, the_counter_wraps_around_and_leaves_the_rest_alone) {
  EXPECT_TRUE(is(make(3, 5, 0xffff'ffff).announced(), 3, 5, 0));
  EXPECT_EQ(make(3, 5, 0xffff'fffe).posted().announced(), make(3, 5, 0));
}

TEST(sleep_counters, idle_workers_that_do_not_sleep_are_awake) {
  for_all([](std::uint32_t s, std::uint32_t i, std::uint32_t j) {
    return make(s, i, j).awake_but_idle() == (i > s ? i - s : 0);
  });
}

TEST(sleep_counters, a_post_wakes_for_what_idle_workers_leave) {
  for (const std::uint32_t jobs : {0u, 1u, 2u, 3u, 0xffffu, 0xffff'ffffu}) {
    for_all([jobs](std::uint32_t s, std::uint32_t i, std::uint32_t j) {
      const sleep_counters c = make(s, i, j);
      const std::uint32_t idle = i > s ? i - s : 0;
      return c.to_wake(jobs, false) == std::min(jobs, s) &&
             c.to_wake(jobs, true) == std::min(jobs > idle ? jobs - idle : 0, s);
    });
  }
}

TEST(sleep_counters, who_leaves_wakes_at_most_as_many_as_sleep) {
  for (const std::uint32_t most : {1u, 2u, 0xffff'ffffu}) {
    for_all([most](std::uint32_t s, std::uint32_t i, std::uint32_t j) {
      return make(s, i, j).to_wake_in_its_place(most) == std::min(most, s);
    });
  }
}

// Transitions are constant expressions.
static_assert(make(1, 2, 4).posted() == make(1, 2, 5));
static_assert(make(1, 2, 5).announced() == make(1, 2, 6));
static_assert(make(1, 2, 5).one_more_asleep() == make(2, 2, 5));

}  // namespace
}  // namespace fencepost
