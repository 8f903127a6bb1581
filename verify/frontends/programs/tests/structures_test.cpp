// Structures that functions return or that are passed by value: gcc announces accesses to them with
// our plugin (gcc_structures.cpp), which is built where the headers for plugins are installed.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "checked_programs.hpp"
#include "program_run.hpp"

namespace fencepost::programs::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

#ifdef FENCEPOST_STRUCTURES_ARE_ANNOUNCED
constexpr bool announced = true;
#else
constexpr bool announced = false;
#endif

const std::string structures = programs + "/structures.cpp";
const std::string structures_in_c = programs + "/structures.c";

class program_structures : public ::testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    if (!announced) GTEST_SKIP() << "the headers for plugins of g++ are not installed";
  }
};

// The other thread reads or writes one char, which is a part of the structure.
TEST_P(program_structures, of_each_size_are_watched) {
  for (const char* const what : {"returned_", "passed_"})
    for (const char* const size : {"3", "4", "8", "12", "16", "100"}) {
      const program_run got = check(structures + GetParam(), std::string(what) + size);
      EXPECT_EQ(got.status, violated) << what << size << got.out;
      EXPECT_THAT(got.out, HasSubstr("data race"));
    }
}

TEST_P(program_structures, are_watched_wherever_they_are) {
  expect_all(structures + GetParam(),
             {{"returned_through_a_pointer", violated, "data race"},
              {"returned_into_a_member", violated, "data race"},
              {"returned_beside_another_member", verified, "verified"},
              {"returned_where_it_may_throw", violated, "data race"},
              {"kept_where_it_may_throw", verified, "verified"},
              {"nothing_is_returned_by_what_throws", verified, "verified"},
              {"returned_under_a_lock", verified, "verified"},
              {"returned_into_a_variable_of_another", violated, "data race"},
              {"returned_into_own_variable", violated, "data race"},
              {"returned_by_what_a_pointer_names", violated, "data race"},
              {"passed_to_a_constructor", violated, "data race"},
              {"returned_and_empty", verified, "verified"},
              {"passed_and_empty", verified, "verified"},
              {"thread_id", violated, "data race"},
              {"returned_with_a_constructor", verified, "verified"}});
}

TEST_P(program_structures, are_watched_in_c) {
  expect_all(structures_in_c + GetParam(), {{"returned", violated, "data race"},
                                            {"passed", violated, "data race"},
                                            {"member", violated, "data race"},
                                            {"copied_of_any_size", violated, "data race"}});
}

TEST_P(program_structures, end_with_their_blocks) {
  expect_all(programs + "/ended_blocks.cpp" + GetParam(),
             {{"read_after_its_block", violated, "use after free"},
              {"read_before_its_block_ends", verified, "verified"},
              {"read_after_its_turn", violated, "use after free"},
              {"read_in_its_turn", verified, "verified"},
              {"constants_in_their_turn", verified, "verified"},
              {"array_in_its_turn", verified, "verified"},
              {"atomic_after_its_block", violated, "use after free"},
              {"locked_after_its_block", violated, "use after free"},
              {"temporary_after_its_statement", violated, "use after free"},
              {"passed_on_after_its_block", violated, "where the block has ended"},
              {"block_is_left_by_an_exception", violated, "use after free"},
              {"block_is_left_by_a_jump", violated, "use after free"}});
}

TEST_P(program_structures, are_watched_where_assembly_code_names_them) {
  expect_all(structures_in_c + GetParam(), {{"written_by_assembly", violated, "data race"},
                                            {"read_by_assembly", violated, "data race"},
                                            {"beside_by_assembly", verified, "verified"},
                                            {"named_by_no_instruction", verified, "verified"}});
}

TEST_P(program_structures, are_watched_where_functions_of_the_machine_are_given_them) {
  expect_all(structures_in_c + GetParam(), {{"written_by_a_function", violated, "data race"},
                                            {"read_by_a_function", violated, "data race"},
                                            {"read_beside_by_a_function", verified, "verified"},
                                            {"beside_by_a_function", verified, "verified"}});
}

TEST_P(program_structures, are_those_of_nested_functions) {
  expect_all(programs + "/nested_functions.c" + GetParam(),
             {{"counts_unlocked/NULL", violated, "data race"},
              {"changes_what_is_nested_deeper/NULL", violated, "data race"},
              {"reads_what_is_nested/NULL", violated, "data race"},
              {"counts_locked/NULL", verified, "verified"}});
}

INSTANTIATE_TEST_SUITE_P(all, program_structures,
                         ::testing::Values(".program", ".optimized.program"),
                         [](const auto& instance) {
                           return std::string(instance.param).starts_with(".opt") ? "optimized"
                                                                                  : "plain";
                         });

// The optimizer removes writes whose values nobody reads.
TEST(structures_that_are_only_written, are_watched_without_optimization) {
  if (!announced) GTEST_SKIP() << "the headers for plugins of g++ are not installed";
  expect_all(structures + ".program", {{"returned_in_place", violated, "data race"},
                                       {"time_point", violated, "data race"},
                                       {"iterator", violated, "data race"}});
}

TEST(structures_that_gcc_hides, are_named_by_the_verdict) {
  const program_run got = check(structures + ".program", "returned_under_a_lock");
  if (announced)
    EXPECT_THAT(got.out, Not(HasSubstr("'s = f();'")));
  else
    EXPECT_THAT(got.out, HasSubstr("'s = f();'"));
}

}  // namespace
}  // namespace fencepost::programs::testing
