// Functions of the C library that read options and print errors: they do what they are for, in each
// execution as in the first, and exactly what they access is watched.
#include "checked_programs.hpp"

namespace fencepost::programs::testing {
namespace {

const std::string options = programs + "/library_options.c.program";

TEST(library_options, are_watched_where_they_are_accessed) {
  for (const char* const name :
       {"reads_letters/change_option", "reads_letters/read_place", "reads_words/change_word",
        "reads_words/change_letters", "reads_words/change_name", "reads_words/read_order",
        "reads_words/read_found", "reads_a_flag/read_set", "warns/change_text",
        "scans_as_in_c90/change_text", "scans_as_in_c90/read_number",
        "prefers_readers/change_kind"}) {
    SCOPED_TRACE(name);
    const program_run alone = check(options, name);
    EXPECT_EQ(alone.status, verified) << alone.out;
    const program_run beside = check(options, std::string(name) + " beside");
    EXPECT_EQ(beside.status, violated) << beside.out;
    EXPECT_THAT(beside.out, ::testing::HasSubstr("data race"));
  }
}

TEST(library_options, are_not_watched_elsewhere) {
  for (const char* const name :
       {"reads_letters/read_program", "reads_letters/read_order",
        "reads_one_of_two_letters/read_found", "reads_words/read_set", "reads_a_flag/read_found",
        "reads_what_is_unknown/read_found", "reads_again/read_found", "warns/read_number"}) {
    SCOPED_TRACE(name);
    const program_run beside = check(options, std::string(name) + " beside");
    EXPECT_EQ(beside.status, verified) << beside.out;
  }
}

TEST(library_options, end_programs_as_their_status_says) {
  expect_all(options, {{"ends_with_a_message/change_text", violated,
                        "exit() with a status that is not 0: no memory for 12 some"},
                       {"ends_with_an_error/read_number", violated, "a status that is not 0"},
                       {"ends_well/change_text", verified, "verified"},
                       {"ends_well/change_text beside", violated, "data race"}});
}

TEST(library_options, are_not_all_modelled) {
  expect_all(options, {{"scans_allocated_as_in_c90/read_number", incomplete, "allocates"},
                       {"prefers_writers/change_kind", incomplete, "PREFER_WRITER_NONRECURSIVE"},
                       {"prefers_writers_from_the_beginning/change_kind", incomplete,
                        "PREFER_WRITER_NONRECURSIVE"}});
}

}  // namespace
}  // namespace fencepost::programs::testing
