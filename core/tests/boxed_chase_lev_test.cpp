// The Chase-Lev deque of boxes, one step at a time.
#include "fencepost/deque/boxed_chase_lev.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <new>
#include <stdexcept>
#include <string>
#include <utility>

#include "failing_allocator.hpp"

namespace fencepost {
namespace {

// Longer than the small-string buffer, so that the string owns heap memory.
std::string text(char c) { return std::string(100, c); }

TEST(boxed_chase_lev, items_of_any_type_come_back_whole) {
  boxed_chase_lev<std::string> items{1};
  const std::string first = text('a');
  items.push(first);
  items.push(text('b'));
  items.emplace(100u, 'c');
  items.push(std::make_unique<std::string>(text('d')));
  EXPECT_EQ(items.size(), 4u);
  EXPECT_EQ(items.capacity(), 4u);
  const auto theft = items.steal();
  EXPECT_EQ(theft.outcome, steal_outcome::stolen);
  EXPECT_EQ(*theft.item, text('a'));
  for (const char c : {'d', 'c', 'b'}) EXPECT_EQ(*items.pop(), text(c));
  EXPECT_EQ(items.pop(), nullptr);
  EXPECT_EQ(items.steal().outcome, steal_outcome::no_work);
  EXPECT_EQ(items.steal().item, nullptr);
}

TEST(boxed_chase_lev, an_item_that_only_moves_is_an_item) {
  boxed_chase_lev<std::unique_ptr<int>> items;
  items.emplace(std::make_unique<int>(7));
  EXPECT_EQ(**items.pop(), 7);
}

TEST(boxed_chase_lev, nothing_leaks_when_the_deque_dies_with_items_in_it) {
  const allocations_fail_after never;
  {
    boxed_chase_lev<std::string> items{1};
    for (const char c : {'a', 'b', 'c', 'd', 'e'}) items.push(text(c));
    const auto stolen = items.steal();
    const auto popped = items.pop();
  }
  EXPECT_EQ(never.outstanding(), 0);
}

TEST(boxed_chase_lev, a_push_without_memory_changes_nothing_and_keeps_the_argument) {
  const allocations_fail_after never;
  {
    boxed_chase_lev<std::string> items{1};
    items.push(text('a'));
    std::string second = text('b');
    // Growing makes two allocations, the box is a third.
    for (unsigned allowed = 0; allowed < 3; ++allowed) {
      {
        const allocations_fail_after limit{allowed};
        EXPECT_THROW(items.push(std::move(second)), std::bad_alloc);
      }
      EXPECT_EQ(second, text('b'));  // NOLINT(bugprone-use-after-move): it was not moved from
      EXPECT_EQ(items.size(), 1u);
    }
    items.push(std::move(second));
    EXPECT_EQ(*items.pop(), text('b'));
    EXPECT_EQ(*items.pop(), text('a'));
  }
  EXPECT_EQ(never.outstanding(), 0);
}

TEST(boxed_chase_lev, a_box_that_finds_no_room_stays_with_its_owner) {
  boxed_chase_lev<std::string> items{1, 1};
  items.push(text('a'));
  auto box = std::make_unique<std::string>(text('b'));
  // NOLINTBEGIN(bugprone-use-after-move): it is not moved from
  EXPECT_THROW(items.push(std::move(box)), std::length_error);
  ASSERT_NE(box, nullptr);
  EXPECT_EQ(*box, text('b'));
  EXPECT_EQ(*items.pop(), text('a'));
  items.push(std::move(box));
  // NOLINTEND(bugprone-use-after-move)
  EXPECT_EQ(*items.pop(), text('b'));
}

TEST(boxed_chase_lev, an_item_whose_constructor_throws_is_not_there) {
  struct thrower {
    explicit thrower(bool fails) {
      if (fails) throw std::runtime_error("no");
    }
  };
  const allocations_fail_after never;
  {
    boxed_chase_lev<thrower> items{1};
    items.emplace(false);
    EXPECT_THROW(items.emplace(true), std::runtime_error);
    EXPECT_EQ(items.size(), 1u);
  }
  EXPECT_EQ(never.outstanding(), 0);
}

}  // namespace
}  // namespace fencepost
