// The explorer's memory is linear in the depth of an execution, whatever the number of executions:
// the process does not grow over ten million of them.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <fstream>

#include "checker_programs.hpp"
#include "deque_programs.hpp"
#include "fencepost/deque/split_word.hpp"
#include "fencepost/verify/check.hpp"

namespace fencepost::bench {
namespace {

constexpr std::uint64_t many = 10'000'000;
constexpr std::uint64_t warm = many / 10;            // by now every buffer has its size
constexpr std::size_t slack = std::size_t{1} << 20;  // for the allocator's rounding

// Returns the resident memory of the process, in bytes.
std::size_t resident() {
  std::ifstream statm("/proc/self/statm");
  std::size_t size = 0, pages = 0;
  statm >> size >> pages;
  return pages * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

// Explores ten million runs, repeating the exploration if the program has fewer.
template <class Program>
void expect_flat() {
  std::uint64_t before = 0;  // runs of the explorations that are over
  std::uint64_t shown = 0;
  std::size_t when_warm = 0, largest = 0;
  while (before < many) {
    verify::options o;
    o.max_executions = many - before;
    o.on_progress = [&](const verify::progress& p) {
      const std::uint64_t runs = before + p.executions + p.blocked;
      const std::size_t now = resident();
      if (runs >= shown) {
        std::printf("%10llu runs  %8zu KiB\n", static_cast<unsigned long long>(runs), now >> 10);
        shown += warm;
      }
      if (runs < warm) return;
      if (when_warm == 0) when_warm = now;
      if (now > largest) largest = now;
    };
    const verify::result r = verify::check_scenario<Program>(o);
    ASSERT_FALSE(r.violation) << verify::to_text(r);
    before += r.executions + r.blocked;
  }
  ASSERT_NE(when_warm, 0u) << "the exploration ended before its memory was measured";
  EXPECT_LE(largest, when_warm + slack) << "resident memory grew over " << before << " runs";
}

TEST(flat_memory, one_exploration_of_many_threads) { expect_flat<fetch_add<11>>(); }
TEST(flat_memory, one_exploration_with_many_choices) { expect_flat<treiber_stack<4>>(); }
TEST(flat_memory, explorations_one_after_the_other) { expect_flat<store_buffering<3>>(); }
TEST(flat_memory, runs_that_are_given_up) {
  expect_flat<tail_split_steal<lace_split_word, 4, 2, 2>>();
}

}  // namespace
}  // namespace fencepost::bench
