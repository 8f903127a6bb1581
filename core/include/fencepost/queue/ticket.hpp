// A slot of a ticket_queue in one word: the slab that it is in, and its number there.
//
//   bit 63                       n  n-1         0
//      +---------------------------+-------------+     2^n: a power of two above `Slots`, of which
//      |  the slab's address / 2^n |    slot     |     every slab's address is a multiple
//      +---------------------------+-------------+
//
// Slot number `Slots` means none: the slab is used up, and the next ticket is the first of another
// slab. The word has the bits of a pointer on every machine, 32-bit ones included: nothing is
// assumed about how many bits of an address are in use.
//
// Threads: a ticket is a value, which threads do not share.
#pragma once

#include <bit>
#include <cstdint>

namespace fencepost {

template <class Slab, std::uint32_t Slots>
class ticket {
  static_assert(Slots >= 1 && Slots < std::uint32_t{1} << 31,
                "a slab has a slot, and an alignment");

 public:
  // The least alignment of a slab.
  static constexpr std::uintptr_t alignment = std::bit_ceil(std::uintptr_t{Slots} + 1);

  constexpr ticket() noexcept = default;  // a ticket of no slab
  constexpr explicit ticket(std::uintptr_t word) noexcept : word_(word) {}
  // The ticket of the slab's slot 0.
  static ticket first_of(Slab* slab) noexcept {
    return ticket{reinterpret_cast<std::uintptr_t>(slab)};
  }

  constexpr std::uintptr_t word() const noexcept { return word_; }
  Slab* slab() const noexcept { return reinterpret_cast<Slab*>(word_ & ~slot_bits); }
  constexpr std::uint32_t slot() const noexcept {
    return static_cast<std::uint32_t>(word_ & slot_bits);
  }
  // True if no slot of this slab is left.
  constexpr bool used_up() const noexcept { return slot() == Slots; }
  // The ticket of the slot after this one; the slab must not be used up.
  constexpr ticket next() const noexcept { return ticket{word_ + 1}; }

  friend constexpr bool operator==(ticket, ticket) = default;

 private:
  static constexpr std::uintptr_t slot_bits = alignment - 1;

  std::uintptr_t word_ = 0;
};

}  // namespace fencepost
