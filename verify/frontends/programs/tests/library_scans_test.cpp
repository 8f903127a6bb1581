// Functions of the C library that scan strings, write bytes, and query attributes of POSIX objects:
// they do what they are for, and exactly what they access is watched.
#include "checked_programs.hpp"

namespace fencepost::programs::testing {
namespace {

const std::string scans = programs + "/library_scans.c.program";

TEST(library_scans, are_watched_where_they_are_accessed) {
  for (const char* const name : {"scans/change_first",
                                 "scans/change_end",
                                 "scans/change_end_of_format",
                                 "scans/read_number",
                                 "scans/read_fraction",
                                 "scans/read_other_4",
                                 "scans_one_of_two/read_number",
                                 "scans_sizes/read_sized_3",
                                 "scans_sizes/read_sized_15",
                                 "scans_sets/read_number",
                                 "scans_sets/read_letter",
                                 "scans_sets/read_other_2",
                                 "scans_characters/read_other_1",
                                 "scans_wide/read_wide_1",
                                 "scans_list/read_number",
                                 "divides/change_end",
                                 "divides/divides_another",
                                 "writes/change_last",
                                 "creates_a_thread/set_of_threads",
                                 "creates_a_thread/set_priority",
                                 "makes_a_mutex/set_of_mutexes",
                                 "makes_a_condition/set_of_conditions",
                                 "makes_a_lock/set_of_locks",
                                 "makes_a_barrier/end_of_barriers",
                                 "asks/asks_for_guard",
                                 "asks/read_number"}) {
    SCOPED_TRACE(name);
    const program_run alone = check(scans, name);
    EXPECT_EQ(alone.status, verified) << alone.out;
    const program_run beside = check(scans, std::string(name) + " beside");
    EXPECT_EQ(beside.status, violated) << beside.out;
    EXPECT_THAT(beside.out, ::testing::HasSubstr("data race"));
  }
}

TEST(library_scans, are_not_watched_elsewhere) {
  for (const char* const name :
       {"scans/change_behind", "scans/read_other_5", "scans_one_of_two/read_second",
        "scans_nothing/read_number", "scans_sizes/read_sized_1", "scans_sizes/read_sized_4",
        "scans_sets/read_other_3", "scans_characters/read_other_2", "scans_wide/read_wide_2",
        "prints_the_error/read_number", "writes/change_end", "buffers/read_other_1",
        "creates_a_thread/asks_for_guard"}) {
    SCOPED_TRACE(name);
    const program_run beside = check(scans, std::string(name) + " beside");
    EXPECT_EQ(beside.status, verified) << beside.out;
  }
}

TEST(library_scans, have_no_other_files_and_buffers) {
  expect_all(scans,
             {{"scans_allocated/read_number", incomplete, "allocates"},
              {"writes_elsewhere/change_end", incomplete, "other than the standard ones"},
              {"buffers_in_its_own/read_other_1", incomplete, "buffer of the program's own"}});
}

}  // namespace
}  // namespace fencepost::programs::testing
