// The Chase-Lev deque, one step at a time; the scenarios cover what happens concurrently.
#include "fencepost/deque/chase_lev.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <optional>
#include <stdexcept>
#include <string>
#include <type_traits>

#include "failing_allocator.hpp"

namespace fencepost::chase_lev_tests {
namespace {

using deque = chase_lev<int>;

void expect_stolen(deque& items, int item) {
  const auto theft = items.steal();
  EXPECT_EQ(theft.outcome, steal_outcome::stolen);
  EXPECT_EQ(theft.item, item);
}

TEST(chase_lev, the_owner_pops_the_last_item_first) {
  deque items;
  for (const int item : {1, 2, 3}) items.push(item);
  for (const int item : {3, 2, 1}) EXPECT_EQ(items.pop(), item);
  EXPECT_EQ(items.pop(), std::nullopt);
}

TEST(chase_lev, a_thief_steals_the_oldest_item_first) {
  deque items;
  for (const int item : {1, 2, 3}) items.push(item);
  expect_stolen(items, 1);
  expect_stolen(items, 2);
  EXPECT_EQ(items.pop(), 3);
}

TEST(chase_lev, a_steal_from_an_empty_deque_says_so) {
  deque items;
  EXPECT_EQ(items.steal().outcome, steal_outcome::no_work);
  items.push(1);
  expect_stolen(items, 1);
  EXPECT_EQ(items.steal().outcome, steal_outcome::no_work);
}

TEST(chase_lev, a_deque_goes_on_after_it_was_empty) {
  deque items{1, 1};
  for (int round = 0; round < 5; ++round) {
    items.push(round);
    EXPECT_EQ(items.pop(), round);
    EXPECT_EQ(items.pop(), std::nullopt);
    items.push(round);
    expect_stolen(items, round);
    EXPECT_EQ(items.pop(), std::nullopt);
    EXPECT_EQ(items.pop(), std::nullopt);
    EXPECT_EQ(items.size(), 0u);
  }
}

TEST(chase_lev, size_is_what_nobody_has_taken) {
  deque items;
  EXPECT_EQ(items.size(), 0u);
  for (const int item : {1, 2, 3}) items.push(item);
  EXPECT_EQ(items.size(), 3u);
  expect_stolen(items, 1);
  EXPECT_EQ(items.size(), 2u);
  EXPECT_EQ(items.pop(), 3);
  EXPECT_EQ(items.size(), 1u);
}

TEST(chase_lev, slots_are_used_round_after_round) {
  deque items{4, 4};
  int next = 0, oldest = 0;
  for (; next < 3; ++next) items.push(next);
  for (; next < 100; ++next) {
    items.push(next);
    expect_stolen(items, oldest++);
  }
  EXPECT_EQ(items.capacity(), 4u);
  for (int item = 99; item >= oldest; --item) EXPECT_EQ(items.pop(), item);
}

TEST(chase_lev, a_full_deque_grows_and_keeps_the_order) {
  deque items{2};
  items.push(-1);
  expect_stolen(items, -1);  // so that the items do not begin at slot 0
  for (int item = 0; item < 100; ++item) items.push(item);
  EXPECT_EQ(items.capacity(), 128u);
  for (int item = 0; item < 50; ++item) expect_stolen(items, item);
  for (int item = 99; item >= 50; --item) EXPECT_EQ(items.pop(), item);
  EXPECT_EQ(items.pop(), std::nullopt);
}

TEST(chase_lev, try_push_does_not_grow) {
  deque items{2};
  EXPECT_TRUE(items.try_push(1));
  EXPECT_TRUE(items.try_push(2));
  EXPECT_FALSE(items.try_push(3));
  EXPECT_EQ(items.capacity(), 2u);
  expect_stolen(items, 1);
  EXPECT_TRUE(items.try_push(3)) << "a stolen item leaves room";
  EXPECT_EQ(items.pop(), 3);
  EXPECT_EQ(items.pop(), 2);
}

TEST(chase_lev, make_room_makes_room_for_one) {
  deque items{1};
  items.make_room();
  EXPECT_EQ(items.capacity(), 1u) << "there was room";
  items.push(1);
  items.make_room();
  EXPECT_EQ(items.capacity(), 2u);
  EXPECT_TRUE(items.try_push(2));
}

TEST(chase_lev, a_deque_at_its_limit_refuses_and_keeps_what_it_has) {
  deque items{1, 4};
  for (const int item : {1, 2, 3, 4}) items.push(item);
  try {
    items.push(5);
    FAIL() << "there was no room";
  } catch (const std::length_error& error) {
    EXPECT_NE(std::string(error.what()).find("all 4 slots are in use"), std::string::npos);
    EXPECT_NE(std::string(error.what()).find("higher limit"), std::string::npos);
  }
  EXPECT_THROW(items.make_room(), std::length_error);
  EXPECT_FALSE(items.try_push(5));
  expect_stolen(items, 1);
  items.push(5);
  for (const int item : {5, 4, 3, 2}) EXPECT_EQ(items.pop(), item);
}

TEST(chase_lev, a_growth_without_memory_loses_nothing) {
  deque items{2};
  items.push(1);
  items.push(2);
  // Creating a buffer makes two allocations.
  for (unsigned allowed = 0; allowed < 2; ++allowed) {
    {
      const allocations_fail_after limit{allowed};
      EXPECT_THROW(items.push(3), std::bad_alloc);
    }
    EXPECT_EQ(items.size(), 2u);
    EXPECT_EQ(items.capacity(), 2u);
    EXPECT_FALSE(items.try_push(3));
  }
  items.push(3);
  expect_stolen(items, 1);
  EXPECT_EQ(items.pop(), 3);
  EXPECT_EQ(items.pop(), 2);
}

TEST(chase_lev, construction_without_memory_leaves_nothing_behind) {
  for (unsigned allowed = 0; allowed < 2; ++allowed) {
    const allocations_fail_after limit{allowed};
    EXPECT_THROW(deque{2}, std::bad_alloc);
    EXPECT_EQ(limit.outstanding(), 0);
  }
}

TEST(chase_lev, old_buffers_are_freed_with_the_deque) {
  const allocations_fail_after never;
  {
    deque items{1};
    for (int item = 0; item < 1000; ++item) items.push(item);
    EXPECT_EQ(items.capacity(), 1024u);
    EXPECT_EQ(never.outstanding(), 2 * 11) << "one buffer for each power of two";
  }
  EXPECT_EQ(never.outstanding(), 0);
}

TEST(chase_lev, a_capacity_that_is_no_power_of_two_is_refused) {
  for (const std::size_t capacity : {std::size_t{0}, std::size_t{3}, std::size_t{33}}) {
    EXPECT_THROW(deque{capacity}, std::invalid_argument) << capacity;
    EXPECT_THROW((deque{1, capacity}), std::invalid_argument) << capacity;
  }
  try {
    deque items{12};
    FAIL() << "12 is no power of two";
  } catch (const std::invalid_argument& error) {
    EXPECT_NE(std::string(error.what()).find("a capacity of 12"), std::string::npos);
  }
}

TEST(chase_lev, a_limit_below_the_capacity_or_beyond_the_greatest_is_refused) {
  EXPECT_THROW((deque{8, 4}), std::length_error);
  EXPECT_THROW((deque{8, 2 * deque::greatest_capacity}), std::length_error);
  EXPECT_THROW((deque{2 * deque::greatest_capacity, 2 * deque::greatest_capacity}),
               std::length_error);
}

TEST(chase_lev, what_is_no_item_for_a_slot_is_known_when_compiling) {
  struct alignas(8) handle {
    int index = 0;
    float weight = 0;
  };
  chase_lev<handle> handles;
  handles.push({.index = 3, .weight = 1.5F});
  EXPECT_EQ(handles.steal().item.index, 3);
  chase_lev<int*> pointers;
  int number = 7;
  pointers.push(&number);
  EXPECT_EQ(*pointers.pop().value(), 7);
  EXPECT_EQ(pointers.steal().item, nullptr);
  static_assert(!std::is_copy_constructible_v<deque> && !std::is_move_constructible_v<deque>);
}

}  // namespace
}  // namespace fencepost::chase_lev_tests
