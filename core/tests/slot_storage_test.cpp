// The storages of a deque's slots: on the heap, and in reserved address space.
#include "fencepost/deque/slot_storage.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <limits>

#include "fencepost/deque/tail_split.hpp"

namespace fencepost {
namespace {

struct alignas(64) slot {
  std::uint64_t value = 7;
  std::array<std::uint64_t, 7> rest;
};

TEST(heap_slots, are_all_made_at_once) {
  heap_slots<slot> slots{3};
  EXPECT_EQ(slots.last_made() - slots.first(), 3);
  for (const slot* s = slots.first(); s != slots.last_made(); ++s) EXPECT_EQ(s->value, 7U);
  EXPECT_FALSE(slots.extend());
}

TEST(reserved_slots, are_made_as_they_are_needed_and_stay_where_they_are) {
  reserved_slots<slot> slots{40'000};
  slot* const first = slots.first();
  ASSERT_EQ(slots.last_made(), first);
  std::uint32_t made = 0;
  for (unsigned step = 0; slots.extend(); ++step) {
    ASSERT_LT(step, 40'000U);
    ASSERT_GT(slots.last_made() - first, made);
    for (; first + made != slots.last_made(); ++made) {
      ASSERT_EQ(first[made].value, 7U);
      first[made].value = made;
    }
  }
  EXPECT_EQ(made, 40'000U);
  EXPECT_EQ(slots.first(), first);
  for (std::uint32_t i = 0; i < made; ++i) ASSERT_EQ(first[i].value, i);
  EXPECT_FALSE(slots.extend());
}

TEST(reserved_slots, of_no_capacity_are_none) {
  reserved_slots<slot> slots{0};
  EXPECT_FALSE(slots.extend());
  EXPECT_EQ(slots.first(), slots.last_made());
}

TEST(reserved_slots, that_the_system_has_no_address_space_for_are_refused) {
  struct alignas(64) large {
    std::array<std::byte, std::size_t{1} << 20> bytes;
  };
  EXPECT_THROW(reserved_slots<large>{std::numeric_limits<std::uint32_t>::max()}, scratch_error);
}

// Pushes until the deque is full, then pops everything; on either storage.
template <template <class> class Slots>
void fill_and_empty(std::uint32_t capacity) {
  tail_split<std::uint32_t, default_atomics, iso_split_word, Slots> deque{capacity};
  for (std::uint32_t task = 0; task < capacity; ++task) ASSERT_TRUE(deque.try_push(task));
  EXPECT_FALSE(deque.try_push(capacity));
  EXPECT_EQ(deque.size(), capacity);
  for (std::uint32_t task = capacity; task-- > 0;) {
    auto* const s = deque.pop();
    ASSERT_NE(s, nullptr);
    ASSERT_EQ(s->task.get(), task);
  }
  EXPECT_TRUE(deque.empty());
}

TEST(slot_storage, holds_a_deque_to_its_capacity) {
  fill_and_empty<heap_slots>(1000);
  fill_and_empty<reserved_slots>(100'000);
}

}  // namespace
}  // namespace fencepost
