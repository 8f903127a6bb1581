// The scratch arena on the real system.
#include "fencepost/memory/scratch_arena.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <csignal>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "fencepost/atomics/default_atomics.hpp"

#if defined(__linux__)
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>
#include <fstream>
#include <sstream>
#endif

namespace fencepost {
namespace {

using testing::AllOf;
using testing::HasSubstr;

constexpr std::size_t kib = 1024;
constexpr std::size_t mib = 1024 * kib;

scratch_options with(std::size_t reserve, std::size_t band) {
  scratch_options options;
  options.reserve = reserve;
  options.band = band;
  options.name = "worker 3";
  return options;
}

template <class Refused>
scratch_error error_of(Refused refused) {
  try {
    refused();
  } catch (const scratch_error& error) {
    return error;
  }
  ADD_FAILURE() << "nothing was refused";
  return scratch_error{scratch_failure::disabled, {}, 0, 0, 0};
}

std::byte* bytes_at(void* at) { return static_cast<std::byte*>(at); }

// Fills a block; checks whether it still has the same contents.
void fill(void* at, std::size_t size, int with) { std::memset(at, with, size); }
bool holds(const void* at, std::size_t size, int what) {
  const auto* bytes = static_cast<const unsigned char*>(at);
  return std::all_of(bytes, bytes + size, [&](unsigned char each) { return each == what; });
}

TEST(scratch_arena, reserves_a_gibibyte_on_machines_of_64_bits_and_commits_nothing) {
  const scratch_arena arena;
  EXPECT_EQ(arena.reserved(), sizeof(void*) == 8 ? 1024 * mib : 16 * mib);
  EXPECT_EQ(arena.committed(), 0u);
  EXPECT_EQ(arena.used(), 0u);
}

TEST(scratch_arena, what_is_allocated_first_lies_lowest_and_blocks_do_not_overlap) {
  scratch_arena arena;
  auto* const first = bytes_at(arena.allocate(100));
  auto* const second = bytes_at(arena.allocate(1));
  auto* const third = bytes_at(arena.allocate(16));
  EXPECT_EQ(second - first, 112);
  EXPECT_EQ(third - second, 16);
  EXPECT_EQ(arena.used(), 144u);
}

TEST(scratch_arena, blocks_are_aligned_to_16_bytes_and_to_more_on_request) {
  scratch_arena arena;
  for (std::size_t align = 1; align <= 2 * mib; align *= 2) {
    const auto at = reinterpret_cast<std::uintptr_t>(arena.allocate(3, align));
    EXPECT_EQ(at % align, 0u) << align;
    EXPECT_EQ(at % scratch_arena::alignment, 0u) << align;
  }
}

TEST(scratch_arena, a_reset_gives_back_what_came_after_the_mark_and_no_more) {
  scratch_arena arena;
  void* const kept = arena.allocate(40);
  fill(kept, 40, 7);
  const scratch_mark mark = arena.mark();
  void* const gone = arena.allocate(5000);
  fill(gone, 5000, 8);
  arena.reset(mark);
  EXPECT_EQ(arena.allocate(8), gone);
  EXPECT_TRUE(holds(kept, 40, 7));
}

TEST(scratch_arena, a_scope_resets_also_when_an_exception_leaves_it) {
  scratch_arena arena;
  try {
    const scratch_scope outer{arena};
    static_cast<void>(arena.allocate(10));
    const scratch_scope inner{arena};
    static_cast<void>(arena.allocate(10));
    throw 1;
  } catch (int) {
  }
  EXPECT_EQ(arena.used(), 0u);
}

TEST(scratch_arena, makes_objects_and_arrays) {
  struct point {
    point(int a, int b) : x(a), y(b) {}
    int x, y;
  };
  struct alignas(128) line {
    std::array<std::byte, 128> bytes;
  };
  scratch_arena arena;
  const auto* const p = arena.create<point>(1, 2);
  EXPECT_EQ(p->y, 2);
  const std::span<int> numbers = arena.allocate<int>(1000);
  for (int i = 0; i < 1000; ++i) numbers[static_cast<std::size_t>(i)] = i;
  const std::span<line> lines = arena.allocate<line>(3);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(lines.data()) % 128, 0u);
  EXPECT_EQ(lines.size(), 3u);
  EXPECT_EQ(numbers[999], 999);
  EXPECT_EQ(p->x, 1);
}

TEST(scratch_arena, growth_commits_the_block_and_the_band_in_whole_pages) {
  scratch_arena arena{with(16 * mib, mib)};
  static_cast<void>(arena.allocate(100));
  EXPECT_GE(arena.committed(), mib + 100);
  EXPECT_LT(arena.committed(), mib + 100 + 64 * kib);  // the largest page there is
  const std::size_t before = arena.committed();
  static_cast<void>(arena.allocate(mib));
  EXPECT_EQ(arena.committed(), before) << "the band was there";
  static_cast<void>(arena.allocate(5 * mib));
  EXPECT_GE(arena.committed(), 7 * mib + 100);
}

TEST(scratch_arena, a_band_that_the_reservation_has_no_room_for_is_cut) {
  scratch_arena arena{with(mib, 1024 * mib)};
  static_cast<void>(arena.allocate(100));
  EXPECT_EQ(arena.committed(), mib);
}

TEST(scratch_arena, a_band_of_nothing_commits_what_is_needed) {
  scratch_arena arena{with(mib, 0)};
  static_cast<void>(arena.allocate(100));
  EXPECT_LE(arena.committed(), 64 * kib);
  fill(arena.allocate(300 * kib), 300 * kib, 1);
}

TEST(scratch_arena, growth_commits_what_lies_before_an_aligned_block_as_well) {
  scratch_arena arena{with(16 * mib, 0)};
  fill(arena.allocate(16), 16, 1);
  fill(arena.allocate(64 * kib, mib), 64 * kib, 2);
  EXPECT_LE(arena.used(), arena.committed());
}

TEST(scratch_arena, the_whole_reservation_can_be_used) {
  scratch_arena arena{with(mib, 64 * kib)};
  fill(arena.allocate(mib - 32), mib - 32, 1);
  fill(arena.allocate(32), 32, 2);
  EXPECT_EQ(arena.used(), mib);
  EXPECT_EQ(arena.try_allocate(1), nullptr);
}

TEST(scratch_arena, a_reservation_that_is_used_up_says_what_how_much_and_what_to_do) {
  scratch_arena arena{with(mib, 64 * kib)};
  void* const kept = arena.allocate(600 * kib);
  fill(kept, 600 * kib, 9);
  const scratch_error error = error_of([&] { static_cast<void>(arena.allocate(600 * kib)); });
  EXPECT_EQ(error.why(), scratch_failure::used_up);
  EXPECT_EQ(error.wanted(), 600 * kib);
  EXPECT_THAT(error.what(), AllOf(HasSubstr("worker 3"), HasSubstr("614400 bytes"),
                                  HasSubstr("of 1048576 reserved"),
                                  HasSubstr("scratch_options::reserve"), HasSubstr("reset()")));
  EXPECT_EQ(arena.used(), 600 * kib) << "nothing has changed";
  EXPECT_TRUE(holds(kept, 600 * kib, 9));
  EXPECT_NE(arena.try_allocate(400 * kib), nullptr) << "what there is room for is still there";
}

TEST(scratch_arena, a_worker_without_scratch_memory_is_told_how_to_get_some) {
  scratch_arena arena{with(0, mib)};
  const scratch_error error = error_of([&] { static_cast<void>(arena.allocate(1)); });
  EXPECT_EQ(error.why(), scratch_failure::disabled);
  EXPECT_THAT(error.what(), HasSubstr("scratch_options::reserve to more than 0"));
  EXPECT_EQ(arena.try_allocate(1, 64), nullptr);
  EXPECT_EQ(arena.try_allocate(0), nullptr);
  const scratch_scope scope{arena};
  const scratch_frame frame{arena};
  arena.idle();
  EXPECT_EQ(arena.trim(), 0u);
  EXPECT_EQ(arena.leaks(), 0u);
}

TEST(scratch_arena, sizes_and_alignments_near_the_end_of_the_address_space_do_not_wrap) {
  constexpr std::size_t most = std::numeric_limits<std::size_t>::max();
  scratch_arena arena;
  static_cast<void>(arena.allocate(16));
  for (const std::size_t size : {most, most - 14, most - 15, most / 2, most / 2 + 1}) {
    for (const std::size_t align : {std::size_t{1}, std::size_t{16}, 4 * kib, most / 2 + 1}) {
      EXPECT_EQ(arena.try_allocate(size, align), nullptr) << size << ", " << align;
    }
  }
  EXPECT_EQ(arena.try_allocate(1, most / 2 + 1), nullptr);
  EXPECT_EQ(error_of([&] { static_cast<void>(arena.allocate<int>(most / 4 + 2)); }).why(),
            scratch_failure::used_up);
  EXPECT_EQ(arena.used(), 16u);
}

TEST(scratch_arena, address_space_that_there_is_not_is_refused) {
  for (const std::size_t reserve :
       {std::numeric_limits<std::size_t>::max(), std::numeric_limits<std::size_t>::max() / 2}) {
    const scratch_error error = error_of([&] { const scratch_arena arena{with(reserve, mib)}; });
    EXPECT_EQ(error.why(), scratch_failure::not_reserved);
    EXPECT_THAT(error.what(),
                AllOf(HasSubstr(std::to_string(reserve)), HasSubstr("scratch_options::reserve")));
  }
}

TEST(scratch_arena, is_out_of_memory_to_code_that_knows_only_that) {
  scratch_arena arena{with(0, 0)};
  EXPECT_THROW(static_cast<void>(arena.allocate(1)), std::bad_alloc);
}

// Leaks and frames.

struct heard {
  std::vector<std::size_t> leaks;
  std::string name;
  scratch_options options() {
    scratch_options result = with(16 * mib, 64 * kib);
    result.on_leak = [this](const scratch_leak& leak) {
      leaks.push_back(leak.bytes);
      name = leak.arena;
    };
    return result;
  }
};

TEST(scratch_arena, a_forgotten_reset_is_repaired_by_the_next_outer_one) {
  scratch_arena arena;
  const scratch_mark outer = arena.mark();
  void* const first = arena.allocate(100);
  fill(first, 100, 1);
  {
    [[maybe_unused]] const scratch_mark inner = arena.mark();
    fill(arena.allocate(1000), 1000, 2);  // without a reset
  }
  fill(arena.allocate(10), 10, 3);
  EXPECT_TRUE(holds(first, 100, 1));
  arena.reset(outer);
  EXPECT_EQ(arena.used(), 0u);
}

TEST(scratch_arena, a_leak_is_given_back_when_the_worker_idles_and_said_once) {
  heard leaks;
  scratch_arena arena{leaks.options()};
  for (int turn = 1; turn <= 3; ++turn) {
    static_cast<void>(arena.allocate(100));
    arena.idle();
    arena.idle();
    EXPECT_EQ(arena.used(), 0u);
    EXPECT_EQ(arena.leaks(), static_cast<std::size_t>(turn));
  }
  EXPECT_EQ(leaks.leaks, std::vector<std::size_t>{112});
  EXPECT_EQ(leaks.name, "worker 3");
}

TEST(scratch_arena, a_leak_that_nobody_listens_for_is_a_line_on_stderr) {
  scratch_arena arena{with(mib, 0)};
  static_cast<void>(arena.allocate(32));
  testing::internal::CaptureStderr();
  arena.idle();
  EXPECT_THAT(testing::internal::GetCapturedStderr(),
              AllOf(HasSubstr("worker 3: 32 bytes"), HasSubstr("reset()")));
}

TEST(scratch_arena, a_worker_that_leaks_nothing_hears_nothing) {
  heard leaks;
  scratch_arena arena{leaks.options()};
  {
    const scratch_scope scope{arena};
    static_cast<void>(arena.allocate(100));
  }
  arena.idle();
  EXPECT_TRUE(leaks.leaks.empty());
}

TEST(scratch_arena, a_leak_in_a_frame_is_given_back_at_its_end) {
  heard leaks;
  scratch_arena arena{leaks.options()};
  void* const suspended = arena.allocate(64);
  fill(suspended, 64, 5);
  {
    const scratch_frame frame{arena};
    fill(arena.allocate(32), 32, 6);
  }
  EXPECT_EQ(leaks.leaks, std::vector<std::size_t>{32});
  EXPECT_EQ(arena.used(), 64u);
  EXPECT_TRUE(holds(suspended, 64, 5));
  arena.idle();  // back in the outer frame: its block is now a leak
  EXPECT_EQ(arena.used(), 0u);
}

TEST(scratch_arena, idling_in_a_frame_in_a_frame_leaves_what_lies_below_both) {
  heard leaks;
  scratch_arena arena{leaks.options()};
  void* const first = arena.allocate(64);
  fill(first, 64, 5);
  const scratch_frame outer{arena};
  void* const second = arena.allocate(64);
  fill(second, 64, 6);
  {
    const scratch_frame inner{arena};
    arena.idle();
    EXPECT_EQ(arena.used(), 128u);
  }
  EXPECT_TRUE(holds(first, 64, 5));
  EXPECT_TRUE(holds(second, 64, 6));
  EXPECT_TRUE(leaks.leaks.empty());
  arena.reset(arena.mark());
  arena.idle();  // the second block is a leak of the outer frame
  EXPECT_EQ(leaks.leaks, std::vector<std::size_t>{64});
}

// The leak check as described in Lace's notes (LACE-98): a worker that idles is between tasks, so
// that whatever is still in use must be a leak.
class published_arena {
 public:
  void* allocate(std::size_t size) { return &memory_[std::exchange(top_, top_ + size)]; }
  std::size_t enter() const { return top_; }
  void leave(std::size_t) {}
  void idle() { top_ = 0; }

 private:
  std::array<std::byte, 4096> memory_{};
  std::size_t top_ = 0;
};

// A task that has scratch memory starts a new frame. All workers join it, and a worker that finds
// nothing to steal idles, above the suspended task on its stack; then it runs a task of the new
// frame.
template <class Arena>
bool suspended_task_keeps_its_memory(Arena& arena) {
  void* const suspended = arena.allocate(64);
  fill(suspended, 64, 1);
  const auto outer = arena.enter();
  arena.idle();
  fill(arena.allocate(64), 64, 2);
  arena.leave(outer);
  return holds(suspended, 64, 1);
}

TEST(scratch_arena, the_published_leak_check_loses_the_data_of_a_suspended_task) {
  published_arena as_published;
  EXPECT_FALSE(suspended_task_keeps_its_memory(as_published));
}

TEST(scratch_arena, a_leak_check_against_the_frames_entry_loses_nothing) {
  heard leaks;
  scratch_arena arena{leaks.options()};
  EXPECT_TRUE(suspended_task_keeps_its_memory(arena));
  EXPECT_EQ(leaks.leaks, std::vector<std::size_t>{64}) << "the new frame's task forgot its reset";
}

// Accesses that fault. The sanitizers end the process in their own way.

#if defined(FENCEPOST_POISONS_SCRATCH) || defined(FENCEPOST_THREAD_SANITIZER)
#define EXPECT_FAULT(statement) EXPECT_DEATH(statement, "Sanitizer")
#else
#define EXPECT_FAULT(statement) EXPECT_EXIT(statement, testing::KilledBySignal(SIGSEGV), "")
#endif

void write_to(std::byte* at) { *static_cast<volatile std::byte*>(at) = std::byte{1}; }

TEST(scratch_arena_death_test, an_access_beyond_the_committed_end_faults) {
  scratch_arena arena{with(mib, 64 * kib)};
  auto* const base = bytes_at(arena.allocate(16));
  write_to(base + 15);
  EXPECT_FAULT(write_to(base + arena.committed()));
  EXPECT_FAULT(write_to(base + mib - 1));
}

TEST(scratch_arena_death_test, an_access_to_what_was_trimmed_faults) {
  scratch_arena arena{with(16 * mib, 64 * kib)};
  const scratch_mark mark = arena.mark();
  auto* const block = bytes_at(arena.allocate(mib));
  write_to(block + mib - 1);
  arena.reset(mark);
  arena.idle();
  EXPECT_FAULT(write_to(block + mib - 1));
}

#if defined(FENCEPOST_POISONS_SCRATCH)

TEST(scratch_arena_death_test, the_address_sanitizer_sees_an_access_after_the_reset) {
  scratch_arena arena;
  const scratch_mark mark = arena.mark();
  auto* const block = bytes_at(arena.allocate(32));
  arena.reset(mark);
  EXPECT_FAULT(write_to(block));
}

TEST(scratch_arena_death_test, the_address_sanitizer_sees_an_access_past_the_block) {
  scratch_arena arena;
  auto* const block = bytes_at(arena.allocate(20));
  EXPECT_FAULT(write_to(block + 20));
  static_cast<void>(arena.allocate(16));
  EXPECT_FAULT(write_to(block + 20)) << "what it was rounded up by";
}

#endif

#if !defined(NDEBUG)

TEST(scratch_arena_death_test, a_mark_of_a_suspended_frame_is_an_assertion) {
  scratch_arena arena;
  const scratch_mark mark = arena.mark();
  static_cast<void>(arena.allocate(16));
  const scratch_frame frame{arena};
  EXPECT_DEATH(arena.reset(mark), "suspended frame");
}

TEST(scratch_arena_death_test, a_mark_that_an_outer_reset_made_void_is_an_assertion) {
  scratch_arena arena;
  const scratch_mark outer = arena.mark();
  static_cast<void>(arena.allocate(16));
  const scratch_mark inner = arena.mark();
  arena.reset(outer);
  EXPECT_DEATH(arena.reset(inner), "void");
}

TEST(scratch_arena_death_test, an_alignment_that_is_no_power_of_two_is_an_assertion) {
  scratch_arena arena;
  EXPECT_DEATH(static_cast<void>(arena.allocate(16, 24)), "power of two");
}

#endif

#if defined(__linux__)

// How many pages of the range are resident.
std::size_t resident_pages(const std::byte* from, std::size_t size) {
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  std::vector<unsigned char> pages(size / page);
  // mincore() does not touch the memory, but its first parameter is not const.
  EXPECT_EQ(mincore(const_cast<std::byte*>(from), size, pages.data()), 0);
  return static_cast<std::size_t>(
      std::count_if(pages.begin(), pages.end(), [](unsigned char p) { return (p & 1) != 0; }));
}

// How many bytes from `from` on are writable, according to the system's list of mappings.
std::size_t writable_from(const std::byte* from) {
  auto at = reinterpret_cast<std::uintptr_t>(from);
  std::ifstream maps{"/proc/self/maps"};
  std::size_t size = 0;
  for (std::string line; std::getline(maps, line);) {
    std::uintptr_t begin = 0, end = 0;
    char dash = 0;
    std::string access;
    std::istringstream{line} >> std::hex >> begin >> dash >> end >> access;
    if (begin <= at && at < end && access[1] == 'w') {
      size += end - at;
      at = end;
    }
  }
  return size;
}

TEST(scratch_arena_on_linux, the_system_agrees_on_what_is_committed) {
  scratch_arena arena{with(64 * mib, mib)};
  auto* const base = bytes_at(arena.allocate(1));
  EXPECT_EQ(writable_from(base), arena.committed());
  const scratch_mark mark = arena.mark();
  static_cast<void>(arena.allocate(20 * mib));
  EXPECT_EQ(writable_from(base), arena.committed());
  arena.reset(mark);
  arena.trim();
  EXPECT_EQ(writable_from(base), arena.committed());
  EXPECT_LT(arena.committed(), 2 * mib);
}

TEST(scratch_arena_on_linux, a_trim_gives_pages_above_the_band_back_and_leaves_what_is_below) {
  scratch_arena arena{with(64 * mib, 256 * kib)};
  auto* const kept = bytes_at(arena.allocate(kib));
  fill(kept, kib, 3);
  const scratch_mark mark = arena.mark();
  fill(arena.allocate(16 * mib), 16 * mib, 4);
  const std::size_t high = arena.committed();
  EXPECT_GE(resident_pages(kept, high) * static_cast<std::size_t>(sysconf(_SC_PAGESIZE)), 16 * mib);

  arena.reset(mark);
  const std::size_t given_back = arena.trim();
  EXPECT_EQ(given_back, high - arena.committed());
  EXPECT_GE(arena.committed(), arena.used() + 256 * kib);
  EXPECT_EQ(resident_pages(kept + arena.committed(), high - arena.committed()), 0u);
  EXPECT_GE(resident_pages(kept, arena.committed()), 1u);
  EXPECT_TRUE(holds(kept, kib, 3));
  EXPECT_EQ(arena.trim(), 0u) << "nothing is left to do";

  const std::span<unsigned char> again = arena.allocate<unsigned char>(16 * mib);
  EXPECT_TRUE(holds(again.data() + mib, 15 * mib, 0)) << "trimmed pages come back as zeroes";
}

TEST(scratch_arena_on_linux, what_is_in_use_is_not_trimmed) {
  scratch_arena arena{with(64 * mib, 0)};
  auto* const block = arena.allocate(16 * mib);
  fill(block, 16 * mib, 7);
  arena.trim();
  EXPECT_TRUE(holds(block, 16 * mib, 7));
}

// These tests limit the process's resources, which the sanitizers do not survive.
#if !defined(FENCEPOST_POISONS_SCRATCH) && !defined(FENCEPOST_THREAD_SANITIZER)

// The number after "field:" of a file of /proc, in bytes.
std::size_t proc_bytes(const char* file, const std::string& field) {
  std::ifstream lines{file};
  for (std::string line; std::getline(lines, line);) {
    if (line.rfind(field + ":", 0) == 0) return std::stoul(line.substr(field.size() + 1)) * kib;
  }
  ADD_FAILURE() << "no " << field << " in " << file;
  return 0;
}

void limit(int resource, rlim_t to) {
  rlimit now{};
  getrlimit(static_cast<__rlimit_resource>(resource), &now);
  now.rlim_cur = to;
  if (setrlimit(static_cast<__rlimit_resource>(resource), &now) != 0) std::abort();
}

// Runs the check in a process of its own, whose exit status says whether it holds.
#define EXPECT_IN_CHILD(holds_there) \
  EXPECT_EXIT(std::exit((holds_there) ? 0 : 1), testing::ExitedWithCode(0), "")

bool memory_that_is_refused_loses_nothing() {
  scratch_arena arena{with(64 * mib, mib)};
  limit(RLIMIT_DATA, proc_bytes("/proc/self/status", "VmData") + 4 * mib);
  constexpr std::size_t size = 256 * kib;
  std::vector<void*> blocks;
  blocks.reserve(64);
  const auto kept = [&] {
    for (std::size_t i = 0; i < blocks.size(); ++i) {
      if (!holds(blocks[i], size, static_cast<int>(i))) return false;
    }
    return true;
  };
  const auto allocate = [&] {
    blocks.push_back(arena.allocate(size));
    fill(blocks.back(), size, static_cast<int>(blocks.size()) - 1);
  };
  try {
    while (blocks.size() < 64) allocate();
    return false;  // the allocation did not fail
  } catch (const scratch_error& error) {
    // Fifteen of sixteen, for example: there was no memory left for the band.
    if (blocks.size() < 12) return false;
    if (error.why() != scratch_failure::not_committed || error.wanted() != size) return false;
    if (std::string_view(error.what()).find("Cannot allocate memory") == std::string_view::npos) {
      return false;
    }
  }
  if (arena.used() != blocks.size() * size || !kept()) return false;
  limit(RLIMIT_DATA, RLIM_INFINITY);
  while (blocks.size() < 64) allocate();
  return kept();
}

TEST(scratch_arena_death_test, memory_that_the_system_refuses_is_an_error_and_loses_nothing) {
  EXPECT_IN_CHILD(memory_that_is_refused_loses_nothing());
}

bool address_space_that_is_refused_is_an_error() {
  limit(RLIMIT_AS, proc_bytes("/proc/self/status", "VmSize") + 64 * mib);
  try {
    const scratch_arena arena;
    return sizeof(void*) == 4;  // the reservation did not fail
  } catch (const scratch_error& error) {
    if (error.why() != scratch_failure::not_reserved) return false;
  }
  scratch_arena arena{with(16 * mib, mib)};
  return arena.try_allocate(mib) != nullptr;
}

TEST(scratch_arena_death_test, address_space_that_the_system_refuses_is_an_error) {
  EXPECT_IN_CHILD(address_space_that_is_refused_is_an_error());
}

// The memory committed to all processes together decreases by what a trim returns. Other processes
// make that number noisy, so the trim is large, and is tried several times.
TEST(scratch_arena_on_linux, a_trim_gives_back_what_was_promised_too) {
  const auto promised = [] { return proc_bytes("/proc/meminfo", "Committed_AS"); };
  constexpr std::size_t size = 256 * mib;
  bool seen = false;
  for (int attempt = 0; attempt < 5 && !seen; ++attempt) {
    scratch_arena arena;
    const scratch_mark mark = arena.mark();
    auto* const block = bytes_at(arena.allocate(size));
    write_to(block);  // untouched memory is returned in any case
    const std::size_t before = promised();
    arena.reset(mark);
    arena.trim();
    seen = promised() + size / 2 < before;
  }
  EXPECT_TRUE(seen);
}

#endif
#endif

}  // namespace
}  // namespace fencepost
