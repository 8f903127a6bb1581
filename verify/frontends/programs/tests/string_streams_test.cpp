// String streams: each function announces all that it accesses at once, since the accesses are made
// in the library.
#include "checked_programs.hpp"

namespace fencepost::programs::testing {
namespace {

const std::string kinds[] = {"", ".optimized"};  // optimization inlines much of it

TEST(string_streams, are_used_by_the_thread_that_has_them) {
  for (const std::string& kind : kinds)
    expect_all(programs + "/string_streams.cpp" + kind + ".program",
               {{"one_for_each_thread", verified, "1 execution, 0 blocked"},
                {"read_by_each_thread", verified, "1 execution, 0 blocked"},
                {"all_of_it", verified, "1 execution, 0 blocked"},
                {"derived_stream", verified, "verified"},
                {"streams_where_atomics_are", verified, "verified"},
                {"format_of_each_execution", verified, "2 executions, 0 blocked"},
                {"redirected", verified, "verified"},
                {"bits_and_complex_numbers", verified, "1 execution, 0 blocked"}});
}

TEST(string_streams, are_watched_for_races) {
  for (const std::string& kind : kinds)
    expect_all(programs + "/shared_streams.cpp" + kind + ".program",
               {{"both_write", violated, "data race"},
                {"one_asks_for_its_state", violated, "data race"},
                {"one_takes_its_text", violated, "data race"},
                {"both_take_its_text", verified, "1 execution, 0 blocked"},
                {"one_changes_its_format", violated, "data race"},
                {"both_read", violated, "data race"},
                {"one_looks_at_its_text", violated, "data race"},
                {"both_write_to_its_buffer", violated, "data race"},
                {"two_streams_have_its_buffer", violated, "data race"},
                {"one_destroys_it", violated, "data race"},
                {"one_ends_it_where_it_is", violated, "data race"},
                {"both_redirected", violated, "data race"},
                {"all_print", verified, "1 execution, 0 blocked"},
                {"all_write_characters", verified, "1 execution, 0 blocked"}});
  expect_all(programs + "/shared_streams.cpp.program",
             {{"one_is_made_where_it_was", violated, "data race"}});
}

TEST(string_streams, are_watched_in_what_they_write_and_read) {
  for (const std::string& kind : kinds)
    expect_all(programs + "/shared_streams.cpp" + kind + ".program",
               {{"writes_what_changes", violated, "data race"},
                {"writes_bytes_that_change", violated, "data race"},
                {"writes_text_that_changes", violated, "data race"},
                {"prints_what_changes", violated, "data race"},
                {"reads_what_is_read", violated, "data race"},
                {"reads_a_line_that_is_read", violated, "data race"},
                {"reads_bytes_that_are_read", violated, "data race"},
                {"reads_bytes_beside_what_is_read", verified, "verified"},
                {"reads_text_that_is_read", violated, "data race"}});
}

TEST(string_streams, are_handed_over) {
  for (const std::string& kind : kinds)
    expect_all(programs + "/shared_streams.cpp" + kind + ".program",
               {{"guarded_by_a_mutex", verified, "2 executions, 0 blocked"},
                {"handed_over", verified, "2 executions, 0 blocked"},
                {"handed_over_relaxed", violated, "data race"},
                {"taken_over_relaxed", violated, "data race"}});
}

TEST(memory_resources, are_watched_for_races) {
  for (const std::string& kind : kinds)
    expect_all(programs + "/memory_resources.cpp" + kind + ".program",
               {{"monotonic_of_each_thread", verified, "1 execution, 0 blocked"},
                {"pool_of_each_thread", verified, "1 execution, 0 blocked"},
                {"memory_of_another_resource", verified, "verified"},
                {"memory_of_none", verified, "verified"},
                {"both_allocate", violated, "data race"},
                {"both_allocate_of_a_pool", violated, "data race"},
                {"one_gives_back_to_a_pool", violated, "data race"},
                {"guarded_by_a_mutex", verified, "2 executions, 0 blocked"},
                {"one_releases_what_the_other_reads", violated, "use after free"},
                {"used_after_it_was_given_back", violated, "use after free"},
                {"handed_over", verified, "2 executions, 0 blocked"},
                {"handed_over_relaxed", violated, "data race"},
                {"resources_where_atomics_are", verified, "verified"}});
}

}  // namespace
}  // namespace fencepost::programs::testing
