// What the scratch arena asks of the system, and what it does when the system refuses: the same
// source on a fake system that the test defines.
#include <gtest/gtest.h>

#include <array>
#include <string>

#include "../src/virtual_memory.hpp"
#include "fencepost/memory/scratch_arena.hpp"

namespace fencepost {
namespace {

constexpr std::size_t page = 4096;
constexpr std::size_t pages = 64;

// Sixty-four pages of memory, and a record of the calls for them.
struct system {
  alignas(page) std::array<std::byte, pages * page> memory{};
  std::array<bool, pages> committed{};
  std::size_t commits = 0, decommits = 0, released = 0;
  std::size_t room = pages;  // how many pages can be committed
  bool decommits_fail = false;

  std::size_t in_use() const {
    return static_cast<std::size_t>(std::count(committed.begin(), committed.end(), true));
  }
  // Commits or decommits pages; each must be in the other state before.
  bool change(const void* at, std::size_t size, bool to) {
    const auto first = static_cast<std::size_t>(static_cast<const std::byte*>(at) - memory.data());
    EXPECT_EQ(first % page + size % page, 0u) << "not whole pages";
    EXPECT_LE(first + size, memory.size());
    for (std::size_t i = first / page; i < (first + size) / page; ++i) {
      EXPECT_NE(committed[i], to) << "page " << i << " is so already";
      committed[i] = to;
    }
    return true;
  }
};

system* now = nullptr;

}  // namespace

namespace detail::virtual_memory {

std::size_t page_size() noexcept { return page; }
void* reserve(std::size_t size) noexcept {
  return size == now->memory.size() ? now->memory.data() : nullptr;
}
void release(void*, std::size_t size) noexcept { now->released = size; }
bool commit(void* at, std::size_t size) noexcept {
  ++now->commits;
  return now->in_use() + size / page <= now->room && now->change(at, size, true);
}
bool decommit(void* at, std::size_t size) noexcept {
  ++now->decommits;
  return now->change(at, size, false) && !now->decommits_fail;
}
int system_error() noexcept { return 12; }
std::string describe(int error) { return "error " + std::to_string(error); }

}  // namespace detail::virtual_memory

namespace {

struct scratch_arena_calls : testing::Test {
  system machine;
  scratch_options options;
  scratch_arena_calls() {
    now = &machine;
    options.reserve = pages * page - 100;  // is rounded up
    options.band = 8 * page;
    options.on_leak = [](const scratch_leak&) {};
  }
};

TEST_F(scratch_arena_calls, one_system_call_a_band) {
  scratch_arena arena{options};
  EXPECT_EQ(arena.reserved(), pages * page);
  for (std::size_t i = 0; i < 32 * page / 64; ++i) static_cast<void>(arena.allocate(64));
  EXPECT_LE(machine.commits, 4u);
  EXPECT_EQ(machine.in_use() * page, arena.committed());
}

TEST_F(scratch_arena_calls, allocating_and_resetting_around_an_edge_is_one_system_call) {
  scratch_arena arena{options};
  static_cast<void>(arena.allocate(9 * page));
  const std::size_t before = machine.commits;
  for (int i = 0; i < 100; ++i) {
    const scratch_scope scope{arena};
    static_cast<void>(arena.allocate(9 * page));
  }
  EXPECT_EQ(machine.commits, before + 1);
}

TEST_F(scratch_arena_calls, idling_again_and_again_is_one_system_call) {
  scratch_arena arena{options};
  static_cast<void>(arena.allocate(30 * page));
  for (int i = 0; i < 100; ++i) arena.idle();
  EXPECT_EQ(machine.decommits, 1u);
  EXPECT_EQ(machine.in_use(), 8u) << "the band";
}

TEST_F(scratch_arena_calls, an_idle_worker_that_has_used_little_makes_no_system_call) {
  scratch_arena arena{options};
  for (int i = 0; i < 100; ++i) {
    {
      const scratch_scope scope{arena};
      static_cast<void>(arena.allocate(page));
    }
    arena.idle();
  }
  EXPECT_EQ(machine.commits, 1u);
  EXPECT_LE(machine.decommits, 1u) << "the page that was committed beside the band";
}

TEST_F(scratch_arena_calls, where_there_is_no_memory_for_the_band_there_may_be_for_the_block) {
  machine.room = 10;
  scratch_arena arena{options};
  static_cast<void>(arena.allocate(5 * page));  // with the band it would be thirteen pages
  EXPECT_EQ(arena.committed(), 5 * page);
  static_cast<void>(arena.allocate(5 * page));
  EXPECT_EQ(arena.try_allocate(1), nullptr);
  EXPECT_EQ(arena.used(), 10 * page);
  machine.room = 11;
  EXPECT_NE(arena.try_allocate(1), nullptr);
}

TEST_F(scratch_arena_calls, an_error_says_what_the_system_says) {
  machine.room = 0;
  scratch_arena arena{options};
  try {
    static_cast<void>(arena.allocate(1));
    FAIL() << "it was not refused";
  } catch (const scratch_error& error) {
    EXPECT_EQ(error.why(), scratch_failure::not_committed);
    EXPECT_NE(std::string(error.what()).find("error 12"), std::string::npos) << error.what();
  }
}

TEST_F(scratch_arena_calls, pages_that_the_system_loses_are_not_touched_again) {
  machine.decommits_fail = true;
  {
    scratch_arena arena{options};
    static_cast<void>(arena.allocate(30 * page));
    arena.idle();
    EXPECT_EQ(arena.committed(), 8 * page);
    EXPECT_EQ(arena.reserved(), 8 * page);
    EXPECT_NE(arena.try_allocate(8 * page), nullptr);
    EXPECT_EQ(arena.try_allocate(1), nullptr);
  }
  EXPECT_EQ(machine.released, 8 * page);
}

}  // namespace
}  // namespace fencepost
