// Functions of the C and C++ libraries that ordinary programs call do what they are for, and what
// they access is watched.
#include "checked_programs.hpp"

namespace fencepost::programs::testing {
namespace {

const std::string calls = programs + "/library_calls.c.program";

TEST(library_calls, do_what_they_are_for) {
  for (const char* const name :
       {"sorts", "sorts_large", "searches", "duplicates", "reads_numbers", "reads_atoi",
        "reads_atof", "reads_for_c23", "looks_at_clocks", "asks_the_system", "asks_for_text"}) {
    SCOPED_TRACE(name);
    const program_run got = check(calls, name);
    EXPECT_EQ(got.status, verified) << got.out;
  }
}

TEST(library_calls, are_watched_for_races) {
  expect_all(calls, {{"sorts beside", violated, "data race"},
                     {"sorts_what_is_read beside", violated, "data race"},
                     {"sorts_large beside", violated, "data race"},
                     {"searches beside", violated, "data race"},
                     {"duplicates beside", violated, "data race"},
                     {"reads_numbers beside", verified, "verified"},
                     {"reads_atoi beside", violated, "data race"},
                     {"reads_atof beside", violated, "data race"},
                     {"reads_for_c23 beside", violated, "data race"},
                     {"looks_at_clocks beside", violated, "data race"},
                     {"asks_the_system beside", verified, "verified"},
                     {"asks_for_text beside", violated, "data race"}});
  expect_all(library_code, {{"read_by_from_chars_while_it_changes", violated, "data race"},
                            {"written_by_to_chars_while_it_changes", violated, "data race"}});
}

}  // namespace
}  // namespace fencepost::programs::testing
