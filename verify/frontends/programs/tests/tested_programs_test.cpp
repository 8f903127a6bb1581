// Programs that consist of GoogleTest tests.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "checked_programs.hpp"
#include "program_run.hpp"

namespace fencepost::programs::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

// The `arguments` of each are the filter.
void expect_tests(const std::string& program, std::initializer_list<expected> all) {
  for (const expected& e : all) {
    SCOPED_TRACE(e.arguments);
    const program_run got = check(program, "'--gtest_filter=" + std::string(e.arguments) + "'");
    EXPECT_EQ(got.status, e.status) << got.out;
    EXPECT_THAT(got.out, HasSubstr(e.says));
  }
}

TEST(tests_of_googletest, are_explored_and_their_assertions_are_requirements) {
  expect_tests(tested,
               {{"letters.are_read_as_sent", verified, "2 executions"},
                {"letters.are_read_too_early", violated, "data race"},
                {"counts.are_added_up", verified, "2 executions"},
                {"counts.are_lost", violated, "assertion: EXPECT_EQ(n, 5): n is "},
                {"counts.are_compared_in_a_race", violated, "data race"},
                {"assertions.hold", verified, "1 execution"},
                {"assertions.throw_the_wrong_thing", violated, "it throws something else"},
                {"assertions.throw_nothing", violated, "it throws nothing"},
                {"assertions.throw_something", violated, "it throws: why"},
                {"assertions.compare_containers", violated, "{ 1, 2 }"},
                {"assertions.compare_numbers", violated, "EXPECT_DOUBLE_EQ(0.1, 0.1000001)"},
                {"assertions.fail", violated, "FAIL(): as told"},
                {"assertions.leave_an_exception", violated, "nobody catches it"},
                {"numbers/0.are_zero_at_first", violated, "sizeof(TypeParam)"},
                {"numbers/1.are_zero_at_first", verified, "verified"},
                {"all/squares.are_small/2", verified, "verified"},
                {"all/squares.are_small/3", violated, "EXPECT_LT(n * n"},
                {"named/squares.are_small/n0", verified, "verified"}});
}

TEST(tests_of_googletest, leave_out_of_the_steps_what_makes_a_message) {
  const program_run got = check(tested, "--gtest_filter=assertions.compare_texts");
  EXPECT_EQ(got.status, violated) << got.out;
  EXPECT_THAT(got.out, HasSubstr("allocate 50 bytes"));  // the text itself
  EXPECT_THAT(got.out, Not(HasSubstr("free")));
}

TEST(tests_of_googletest, are_run_if_the_filter_matches) {
  expect_tests(tested, {{"letters.*:assertions.hold-*early", verified, "verified"},
                        {"*.are_?dded_up", verified, "verified"},
                        {"*.are_lost:*.fail-counts.*", violated, "as told"},
                        {"skips.*", verified, "1: skipped: without a reason"},
                        {"none.*", refused, "no test matches --gtest_filter=none.*"},
                        {"DISABLED_*", refused, "no test matches"}});
  EXPECT_EQ(check(tested, "--gtest_filter=DISABLED_* --gtest_also_run_disabled_tests").status,
            violated);
  const program_run repeated = check(tested, "--gtest_repeat=2");
  EXPECT_EQ(repeated.status, refused);
  EXPECT_THAT(repeated.out, HasSubstr("--gtest_repeat=2 is not supported"));
}

TEST(tests_of_googletest, may_be_run_by_a_main_of_their_own) {
  expect_tests(tested_by_main, {{"parts.are_prepared", verified, "verified"},
                                {"others.are_in_between", verified, "verified"},
                                {"parts.*:others.*", refused, "parts are not consecutive"}});
  EXPECT_EQ(check(tested_by_main, "--gtest_filter=parts.* own").status, verified);
}

TEST(tests_of_googletest, are_listed_as_googletest_lists_them) {
  const program_run got = check(tested_by_main, "--gtest_list_tests");
  EXPECT_EQ(got.status, verified) << got.out;
  EXPECT_EQ(got.out,
            "parts.\n  are_prepared\nothers.\n  are_in_between\nparts.\n  are_prepared_again\n");
}

TEST(tests_of_googletest, say_where_they_fail_and_what_they_were_told) {
  const std::string failed = check(tested, "--gtest_filter=counts.are_lost").out;
  EXPECT_THAT(failed, HasSubstr(" cents"));
  EXPECT_THAT(failed, HasSubstr("(in two threads, 5, tested_queue.cpp:"));
  EXPECT_THAT(failed, HasSubstr(line_with("// counts: lost", "tested_queue.cpp")));
  const std::string raced = check(tested, "--gtest_filter=counts.are_compared_in_a_race").out;
  EXPECT_THAT(raced, HasSubstr(line_with("// counts: race", "tested_queue.cpp")));
}

}  // namespace
}  // namespace fencepost::programs::testing
