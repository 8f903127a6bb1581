// Turns of waiting loops are compared by memory, the program's frames and the registers at its
// calls, and by nothing of the checker's.
#include <gtest/gtest.h>

#include <string>

#include "checked_programs.hpp"

namespace fencepost::programs::testing {
namespace {

// What one turn has read is in no frame during the next turn, which reads something else. Four
// threads take numbers in 24 orders. One thread chooses among 5 values, in 6 orders of two writers;
// the thread beside it that waits for an answer adds no execution.
TEST(programs, leave_nothing_of_a_turn_in_frames) {
  expect_all(programs + "/resumed.cpp.program",
             {{"waits_for_a_number", verified, " 24 executions, 0 blocked"},
              {"has_a_later_thread", verified, " 30 executions, 0 blocked"}});
}

TEST(programs, may_have_registers_in_which_turns_differ) {
  for (const char* const optimized : {".program", ".optimized.program"}) {
    SCOPED_TRACE(optimized);
    expect_all(
        programs + "/turns_in_registers.cpp" + optimized,
        {{"gives_up_after_three_looks", violated, "assertion: assert(look_three_times() != 3)"},
         {"gives_up_or_not", verified, " 4 executions, 0 blocked"},
         {"follows_links", verified, " 1 execution, 0 blocked"},
         {"exchanges_for_two_answers", verified, " 1 execution, 0 blocked"},
         {"expects_what_is_atomic", verified, " 2 executions, 0 blocked"}});
  }
}

TEST(programs, may_have_streams_in_which_turns_differ) {
  for (const char* const optimized : {".program", ".optimized.program"}) {
    SCOPED_TRACE(optimized);
    expect_all(programs + "/shared_streams.cpp" + optimized,
               {{"counts_turns_by_its_format", violated, "assert(std::cout.width() < 3)"}});
  }
}

}  // namespace
}  // namespace fencepost::programs::testing
