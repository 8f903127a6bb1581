// Executions that resume where they differ from the one before are the same as those that start at
// the beginning, and nothing is noticed that would end the resuming.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "checked_programs.hpp"
#include "program_run.hpp"

namespace fencepost::programs::testing {
namespace {

const std::string resumed = programs + "/resumed.cpp.program";
const std::string resumed_tests = programs + "/resumed_tests.cpp.program";

constexpr char from_beginning[] = "execution was run from the beginning";

void expect_the_same(const std::string& program, const std::string& arguments) {
  SCOPED_TRACE(arguments);
  const program_run going_on = check(program, arguments);
  EXPECT_EQ(going_on.status, verified) << going_on.out;
  EXPECT_EQ(executions_of(going_on), executions_of(check(program, arguments, "from_beginning=1")));
  EXPECT_THAT(without_breaks(going_on.out), ::testing::Not(::testing::HasSubstr(from_beginning)));
}

TEST(programs, go_on_from_where_executions_differ) {
  for (const char* const name : {"changes_variable",
                                 "changes_own_variable",
                                 "handles_exception",
                                 "changes_key",
                                 "makes_key",
                                 "ends_with_the_thread",
                                 "ends_with_the_program",
                                 "holds_lock",
                                 "joins",
                                 "leaves",
                                 "has_atomic_in_a_function",
                                 "has_a_variable_that_others_write",
                                 "has_atomic_in_some_executions",
                                 "has_error",
                                 "reads_options",
                                 "changes_stream",
                                 "destroys_streams",
                                 "makes_barrier",
                                 "fills_maps",
                                 "waits_for_a_later_thread",
                                 "waits_in_deep_frames",
                                 "waits_for_a_number",
                                 "has_a_later_thread",
                                 "changes_argument",
                                 "ends_before_one_that_waits"})
    expect_the_same(resumed, name);
  expect_the_same(resumed_tests, "");
}

// Resume points do not keep this state.
TEST(programs, begin_at_the_beginning_where_they_have_to) {
  expect_the_same(resumed, "has_atomics_of_two_sizes");
}

}  // namespace
}  // namespace fencepost::programs::testing
