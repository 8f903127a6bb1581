#include "fencepost/queue/ticket.hpp"

#include <gtest/gtest.h>

#include <cstdint>

namespace fencepost {
namespace {

struct block {};

// Goes through every slot of a slab, at multiples of the alignment from the lowest address to the
// highest that a pointer may hold.
template <std::uint32_t Slots>
void every_slot_is_reached_in_turn() {
  using tested = ticket<block, Slots>;
  constexpr std::uintptr_t top = ~std::uintptr_t{0} - tested::alignment + 1;
  for (const std::uintptr_t address : {tested::alignment, 16 * tested::alignment, top}) {
    auto* const slab = reinterpret_cast<block*>(address);
    tested at = tested::first_of(slab);
    for (std::uint32_t slot = 0; slot < Slots; ++slot) {
      ASSERT_EQ(at.slab(), slab) << slot;
      ASSERT_EQ(at.slot(), slot);
      ASSERT_FALSE(at.used_up());
      ASSERT_EQ(tested{at.word()}, at);
      ASSERT_NE(at.next(), at);
      at = at.next();
    }
    EXPECT_EQ(at.slab(), slab);
    EXPECT_EQ(at.slot(), Slots);
    EXPECT_TRUE(at.used_up());
  }
}

TEST(ticket, goes_through_the_slots_of_its_slab_and_is_used_up_then) {
  every_slot_is_reached_in_turn<1>();
  every_slot_is_reached_in_turn<2>();
  every_slot_is_reached_in_turn<3>();
  every_slot_is_reached_in_turn<7>();
  every_slot_is_reached_in_turn<8>();
  every_slot_is_reached_in_turn<508>();
  every_slot_is_reached_in_turn<65536>();
}

TEST(ticket, needs_an_alignment_above_the_number_of_slots) {
  static_assert(ticket<block, 1>::alignment == 2);
  static_assert(ticket<block, 2>::alignment == 4);
  static_assert(ticket<block, 3>::alignment == 4);
  static_assert(ticket<block, 4>::alignment == 8);
  static_assert(ticket<block, 508>::alignment == 512);
  static_assert(ticket<block, 512>::alignment == 1024);
}

TEST(ticket, of_no_slab_is_not_used_up) {
  EXPECT_EQ((ticket<block, 4>{}.slab()), nullptr);
  EXPECT_FALSE((ticket<block, 4>{}.used_up()));
}

}  // namespace
}  // namespace fencepost
