// Functions of the C library for strings, bytes, formats and parts of numbers do what they are for,
// and exactly what they access is watched.
#include "checked_programs.hpp"

namespace fencepost::programs::testing {
namespace {

const std::string texts = programs + "/library_texts.c.program";

TEST(library_texts, are_watched_where_they_are_accessed) {
  for (const char* const name : {"copies_to_the_end/read_end",
                                 "copies_some_to_the_end/read_end",
                                 "adds_some/read_end",
                                 "adds_some/read_behind",
                                 "adds_part/read_end_of_longer",
                                 "adds_all/change_end_of_other",
                                 "adds_to_it/change_first",
                                 "copies_bytes/change_last",
                                 "copies_up_to_a_byte/change_first",
                                 "copies_all_without_the_byte/change_last",
                                 "clears/read_end",
                                 "compares_bytes/change_last",
                                 "spans/change_first",
                                 "spans_all/change_end",
                                 "looks_for_others/change_end_of_other",
                                 "finds_the_end/change_end",
                                 "finds_by_old_names/change_end",
                                 "finds_the_byte/change_end",
                                 "finds_from_behind/change_last",
                                 "finds_no_byte/change_first",
                                 "finds_bytes/change_last",
                                 "finds_bytes_of_others/change_other",
                                 "ignores_case/change_end",
                                 "finds_whatever_case/change_end",
                                 "collates/change_end",
                                 "separates/read_fourth",
                                 "separates/change_end",
                                 "separates/read_rest",
                                 "divides/read_fourth",
                                 "divides/change_end",
                                 "divides/read_rest",
                                 "prints_text/change_end",
                                 "prints_part/change_first",
                                 "prints_puts/change_end",
                                 "prints_fputs/change_end",
                                 "prints_bytes/change_last",
                                 "prints_error/change_end",
                                 "prints_wide/change_end_of_wide",
                                 "prints_wide_in_part/change_wide",
                                 "prints_by_format/change_end",
                                 "prints_to_text/change_end",
                                 "prints_number_of_bytes/read_number",
                                 "prints_list/change_end",
                                 "prints_to_block/read_rest",
                                 "prints_to_block/change_end",
                                 "enlarges/change_last",
                                 "takes_exponent/read_number",
                                 "takes_quotient/read_number",
                                 "takes_parts/read_fraction",
                                 "takes_sine/read_fraction",
                                 "takes_random/read_seed",
                                 "sleeps/change_moment",
                                 "sleeps_by_its_old_name/change_moment",
                                 "asks_where_it_is/change_processors",
                                 "sets_its_priority/change_priority",
                                 "counts_processors/change_processors",
                                 "has_names/read_end",
                                 "asks_for_error/read_end"}) {
    SCOPED_TRACE(name);
    const program_run alone = check(texts, name);
    EXPECT_EQ(alone.status, verified) << alone.out;
    const program_run beside = check(texts, std::string(name) + " beside");
    EXPECT_EQ(beside.status, violated) << beside.out;
    EXPECT_THAT(beside.out, ::testing::HasSubstr("data race"));
  }
}

TEST(library_texts, are_not_watched_elsewhere) {
  for (const char* const name : {"copies_to_the_end/read_behind",
                                 "copies_some_to_the_end/read_behind",
                                 "adds_part/change_other",
                                 "spans/change_last",
                                 "prints_wide_in_part/change_end_of_wide",
                                 "copies_bytes/change_end",
                                 "copies_up_to_a_byte/change_last",
                                 "copies_up_to_a_byte/read_other_last",
                                 "copies_all_without_the_byte/change_end",
                                 "clears/read_behind",
                                 "compares_bytes/change_end",
                                 "spans_all/change_behind",
                                 "finds_the_end/change_behind",
                                 "finds_early/change_last",
                                 "finds_the_byte/change_behind",
                                 "finds_from_behind/change_first",
                                 "finds_bytes/change_end",
                                 "ignores_case_in_part/change_last",
                                 "compares_early/change_last",
                                 "prints_text/change_behind",
                                 "prints_part/change_last",
                                 "prints_bytes/change_behind",
                                 "divides_numbers/change_first",
                                 "asks_about_clock/change_first"}) {
    SCOPED_TRACE(name);
    const program_run beside = check(texts, std::string(name) + " beside");
    EXPECT_EQ(beside.status, verified) << beside.out;
  }
}

// Two threads draw in either order.
TEST(library_texts, draw_one_number_after_the_other) {
  expect_all(texts, {{"draws/change_first", verified, "1 execution,"},
                     {"draws_one/draws_one beside", verified, "2 executions,"}});
}

TEST(library_texts, have_the_names_of_threads) {
  expect_all(texts, {{"asks_for_a_name/gives_a_name", verified, "1 execution,"},
                     {"asks_for_a_name/gives_a_name beside", verified, "2 executions,"},
                     {"asks_for_an_inherited_name/gives_a_name beside", incomplete,
                      "may have inherited it from another one"}});
}

// The race is with the copying, which comes before the release of the block: that would race, too.
TEST(library_texts, copy_what_they_enlarge) {
  expect_all(texts, {{"enlarges_what_is_written/write_block beside", violated,
                      "data race: plain data is read by main and written by thread 1"}});
}

TEST(library_texts, have_no_numbered_arguments) {
  expect_all(texts, {{"prints_numbered/change_first", incomplete, "numbers its arguments"}});
}

}  // namespace
}  // namespace fencepost::programs::testing
