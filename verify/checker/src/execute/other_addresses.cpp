#include "execute/other_addresses.hpp"

#include <sys/mman.h>

#include <cstdlib>

#include "execute/memory.hpp"

namespace fencepost::verify {

namespace {

constexpr std::size_t largest_block = 1040;
constexpr std::size_t block_step = 16;
constexpr std::size_t held_pages = 4096;

}  // namespace

other_addresses::other_addresses(unsigned each) {
  blocks_.reserve(each * largest_block / block_step);
  for (std::size_t size = block_step; size <= largest_block; size += block_step)
    for (unsigned i = 0; i < each; ++i) blocks_.push_back(std::malloc(size));
  pages_ = map(0, held_pages, 0);
}

other_addresses::~other_addresses() {
  for (void* b : blocks_) std::free(b);
  if (pages_ != nullptr) munmap(pages_, held_pages);
}

}  // namespace fencepost::verify
