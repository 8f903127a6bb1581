// Programs as they are: what each feature of the languages and libraries does, right and wrong.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "checked_programs.hpp"
#include "program_run.hpp"

namespace fencepost::programs::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

// The plain variables are read where another thread may have written them.
TEST(programs, have_static_variables_in_memory) {
  for (const char* const optimized : {".program", ".optimized.program"}) {
    SCOPED_TRACE(optimized);
    expect_all(programs + "/static_variables.cpp" + optimized,
               {{"has_another_value", violated, "assertion: assert(item == 1)"},
                {"has_two_values", verified, " 1 execution, 0 blocked"}});
  }
}

TEST(programs, are_watched_for_races) {
  expect_all(features, {{"message", verified, "verified"},
                        {"relaxed_message", violated, "data race"},
                        {"message_by_fences", verified, "verified"},
                        {"store_buffering", verified, "4 executions, 0 blocked"}});
  expect_all(accesses, {{"found_after_a_join", violated, "found_after_a_join()"},
                        {"lost_update", violated, "data race"},
                        {"passed_on_unsafely", violated, "data race"},
                        {"copied_bytes", verified, "verified"},
                        {"copied_bytes_race", violated, "data race"},
                        {"set_bytes_race", violated, "data race"},
                        {"bytes_beside_each_other", verified, "verified"},
                        {"struct_copy_race", violated, "data race"},
                        {"plain_beside_atomic", verified, "verified"},
                        {"plain_races_with_atomic", violated, "data race"},
                        {"plainly_by_the_first", violated, "data race"},
                        {"plainly_by_the_second", violated, "data race"},
                        {"atomically_by_the_first", verified, "3 executions, 0 blocked"}});
}

TEST(programs, have_atomics_of_each_size_and_operation) {
  expect_all(accesses, {{"one_byte", verified, "verified"},
                        {"two_bytes", verified, "verified"},
                        {"four_bytes", verified, "verified"},
                        {"eight_bytes", verified, "verified"},
                        {"operations", verified, "verified"},
                        {"spurious_failure", violated, "assert("},
                        {"mixed_sizes", incomplete, "different sizes"},
                        {"null_atomic", violated, "null pointer"},
                        {"many_atomics", verified, "2 executions"}});
}

TEST(programs, are_watched_where_they_keep_the_sanitizer_out) {
  expect_all(accesses, {{"kept_out_by_a_string", violated, "data race"},
                        {"kept_out_by_a_word", violated, "data race"},
                        {"kept_out_in_brackets", violated, "data race"},
                        {"kept_out_by_a_reserved_string", violated, "data race"},
                        {"kept_out_by_a_reserved_word", violated, "data race"},
                        {"atomics_that_are_kept_out", verified, "2 executions"},
                        {"annotated", violated, "data race"}});
}

TEST(programs, begin_each_execution_as_they_were_loaded) {
  expect_all(features, {{"variables", verified, "verified"},
                        {"constructors", verified, "verified"},
                        {"destructors", violated, "assert(plain != 99)"},
                        {"local_static", verified, "verified"},
                        {"argument abc", verified, "verified"},
                        {"argument abd", violated, "assert("},
                        {"exit 1", violated, "exit()"},
                        {"exit 0", verified, "1 execution"},
                        {"abort", violated, "abort()"},
                        {"unknown", violated, "main() returns 8"}});
}

TEST(programs, have_exceptions_and_show_nothing_while_they_are_explored) {
  expect_all(features, {{"caught", verified, "verified"},
                        {"caught_from_the_library", verified, "verified"},
                        {"uncaught", violated, "exception"}});
  const program_run got = check(features, "shows");
  EXPECT_EQ(got.status, verified) << got.out;
  EXPECT_THAT(got.out, Not(HasSubstr("printed")));
  EXPECT_THAT(got.out, Not(HasSubstr("written")));
}

TEST(programs, are_wrong_where_they_throw_what_nothing_catches) {
  const auto where = [](const char* text) { return line_with(text, "thrown.cpp"); };
  const struct {
    const char* name;
    std::string place;
    const char* says;
  } all[] = {
      {"leaves_main", where("// thrown here"), "exception: an exception left the thread: too deep"},
      {"leaves_a_thread", where("// thrown here"), "an exception left the thread: too deep"},
      {"has_another_type", where("// thrown here"), "an exception left the thread: too deep"},
      {"is_no_object", where("// a number"), "an exception left the thread\n"},
      {"leaves_a_library", where("// at() throws"), "an exception left the thread: vector"},
      // clang's handler of the noexcept function notices it: the place is there, or at the call.
      {"leaves_a_noexcept_function", by_clang == nullptr ? where("// thrown here") : "",
       "an exception left a noexcept function: too deep"},
      {"is_thrown_again", where("// thrown again"), "an exception left the thread: too deep"},
      {"is_thrown_again_by_a_pointer", where("// by a pointer"), "left the thread: too deep"}};
  for (const auto& one : all) {
    SCOPED_TRACE(one.name);
    const program_run got = check(uncaught, one.name);
    EXPECT_EQ(got.status, violated) << got.out;
    EXPECT_THAT(got.out, HasSubstr(one.says));
    EXPECT_THAT(without_breaks(got.out),
                HasSubstr(one.place + (one.place.empty() ? ", by " : ", in ")));
  }
  // No destructor ran before the exception was reported.
  EXPECT_THAT(check(uncaught, "leaves_main").out, Not(HasSubstr("store")));
  expect_all(uncaught, {{"is_caught_at_last", verified, "1 execution, 0 blocked"},
                        {"is_caught_behind_call_once", verified, "verified"}});
}

TEST(programs, make_exceptions_from_what_they_may_read) {
  expect_all(uncaught, {{"has_a_text_that_changes", violated, "data race"},
                        {"has_a_text_beside_what_changes", verified, "1 execution"},
                        {"has_a_string_that_changes", violated, "data race"},
                        {"is_copied_while_it_changes", violated, "data race"},
                        {"is_assigned_while_it_is_copied", violated, "data race"},
                        {"is_copied_by_two", verified, "1 execution"}});
}

TEST(programs, share_pointers_that_are_atomic) {
  expect_all(pointers, {{"replaced_while_it_is_used", verified, "3 executions, 0 blocked"},
                        {"released_and_acquired", verified, "2 executions, 0 blocked"},
                        {"stored_relaxed", violated, "data race"},
                        {"loaded_relaxed", violated, "data race"},
                        {"loaded_with_release", violated, "a load cannot have the order release"},
                        {"written_before_a_load", violated, "data race"},
                        {"exchanged", verified, "verified"},
                        {"exchanged_relaxed", violated, "data race"},
                        {"counted_by_two", verified, "78 executions, 0 blocked"},
                        {"fails_for_no_reason", violated, "assert("},
                        {"failure_is_no_acquire", violated, "data race"},
                        {"polled", verified, "2 executions"},
                        {"polled_in_order", verified, "2 executions"},
                        {"polled_relaxed", violated, "data race"},
                        {"stack_of_two", verified, "34 executions, 0 blocked"},
                        {"observed_weakly", verified, "verified"},
                        {"freed_while_it_is_loaded", violated, "data race"}});
}

TEST(programs, wait_for_pointers_that_are_atomic) {
  expect_all(pointers, {{"waited_for", verified, "verified"},
                        {"waited_for_relaxed", violated, "data race"},
                        {"waited_for_in_vain", violated, "waits forever"}});
}

TEST(programs, share_pointers_by_atomic_functions) {
  expect_all(pointers, {{"functions", verified, "verified"},
                        {"function_beside_a_plain_write", violated, "data race"},
                        {"function_beside_a_plain_read", violated, "data race"}});
}

TEST(programs, are_written_in_c_as_well) {
  expect_all(features_in_c, {{"a", verified, "verified"},
                             {"s", verified, "verified"},
                             {"b", violated, "data race"},
                             {"c", verified, "verified"},
                             {"m", verified, "verified"},
                             {"D", violated, "detached before"},
                             {"d", violated, "while it is locked"},
                             {"r", verified, "verified"},
                             {"j", violated, "joined"},
                             {"t", verified, "verified"},
                             {"u", violated, "data race"},
                             {"v", verified, "verified"},
                             {"w", violated, "waits forever"},
                             {"x", verified, "verified"},
                             {"o", verified, "verified"},
                             {"p", verified, "verified"},
                             {"e", verified, "1 execution, 1 blocked"},
                             {"e", verified, "an assumption of the program does not hold"},
                             {"f", violated, "assert(got == 256)"},
                             {"g", verified, "verified"},
                             {"h", violated, "data race"},
                             {"i", violated, "an alignment that is not a power of two"}});
}

TEST(programs, have_functions_in_functions) {
  expect_all(programs + "/nested_functions.c.program",
             {{"counts_locked/NULL", verified, "verified"},
              {"counts_by_address_unlocked/NULL", violated, "data race"},
              {"counts_in_a_thread/NULL", verified, "verified"},
              {"adds_twice/NULL", verified, "6 executions, 0 blocked"}});
}

TEST(programs, are_watched_in_what_the_library_and_the_compiler_do) {
  expect_all(library_code, {{"changes_of_every_kind", verified, "verified"},
                            {"errors_of_every_kind", verified, "verified"},
                            {"calculations_of_every_kind", verified, "verified"},
                            {"found_while_elements_change", verified, "verified"},
                            {"all_while_nothing_changes", verified, "verified"},
                            {"found_while_one_is_inserted", violated, "data race"},
                            {"found_while_one_is_erased", violated, "data race"},
                            {"walked_while_one_is_erased", violated, "data race"},
                            {"stepped_while_one_is_erased", violated, "data race"},
                            {"first_while_elements_change", verified, "verified"},
                            {"walked_while_one_is_pushed", violated, "data race"},
                            {"walked_while_it_is_reversed", violated, "data race"},
                            {"found_while_one_is_hashed", violated, "data race"},
                            {"hashed_while_one_changes", violated, "data race"},
                            {"size_while_it_is_appended_to", violated, "data race"},
                            {"filled_while_one_changes", violated, "data race"},
                            {"compared_while_one_changes", violated, "data race"},
                            {"copied_while_one_changes", violated, "data race"},
                            {"wide_measured_while_one_changes", violated, "data race"},
                            {"wide_copied_while_one_changes", violated, "data race"},
                            {"wide_copied_to_what_changes", violated, "data race"},
                            {"wide_moved_while_one_changes", violated, "data race"},
                            {"wide_filled_while_one_changes", violated, "data race"},
                            {"wide_compared_while_one_changes", violated, "data race"},
                            {"wide_searched_while_one_changes", violated, "data race"},
                            {"wide_found_before_one_that_changes", verified, "verified"},
                            {"wide_compared_beside_another", verified, "verified"},
                            {"set_to_text_while_one_changes", violated, "data race"},
                            {"read_as_a_number_while_it_changes", violated, "data race"},
                            {"measured_while_one_changes", violated, "data race"}});
}

TEST(programs, have_variables_of_each_thread) {
  expect_all(thread_locals, {{"one_for_each", verified, "2 executions, 0 blocked"},
                             {"read_by_another", verified, "verified"},
                             {"changed_by_another", violated, "thread_local variable of thread 1"},
                             {"ends_with_its_thread", verified, "verified"},
                             {"ends_in_two_threads_at_once", violated, "data race"},
                             {"counts_turns", violated, "assert(turns < 3)"},
                             {"locks_in_turns", violated, "assert(is_free)"},
                             {"waits", verified, "verified"},
                             {"crashes", violated, "segmentation fault"},
                             {"throws", verified, "verified"}});
}

TEST(programs, are_watched_where_they_search_and_write_text) {
  expect_all(posix, {{"text_searched_while_it_changes", violated, "data race"},
                     {"text_searched_before_what_changes", verified, "verified"},
                     {"text_written_while_it_changes", violated, "data race"},
                     {"text_written_beside_what_changes", verified, "verified"},
                     {"text_searched_for_what_changes", violated, "data race"},
                     {"text_copied_in_part_while_it_changes", violated, "data race"},
                     {"text_copied_in_part_and_filled", verified, "verified"},
                     {"text_filled_beside_what_changes", violated, "data race"}});
}

TEST(programs, have_atomics_without_an_instruction) {
  expect_all(wide, {{"sixteen_bytes", verified, "verified"},
                    {"one_is_lost", violated, "assert("},
                    {"sixteen_bytes_relaxed", violated, "data race"},
                    {"arithmetic", verified, "2 executions"},
                    {"in_a_block", verified, "2 executions"},
                    {"copied_into_a_block", verified, "2 executions"},
                    {"three_and_twelve_bytes", verified, "verified"},
                    {"waits_for_twelve_bytes", verified, "verified"},
                    {"waits_for_sixteen_bytes_in_vain", violated, "waits forever"},
                    {"forty_bytes", incomplete, "atomics of 40 bytes are not modelled"}});
}

TEST(counterexamples, name_lines_of_the_program) {
  const program_run got = check(features, "relaxed_message");
  EXPECT_THAT(got.out, HasSubstr(line_with("// relaxed_message: write")));
  EXPECT_THAT(got.out, HasSubstr(line_with("// relaxed_message: read")));
}

TEST(counterexamples, are_the_same_in_every_run) {
  const auto counterexample = [] {
    const std::string text = check(accesses, "used_after_free").out;
    return text.substr(text.find("\n\n"));  // without the time that it took
  };
  const std::string first = counterexample();
  EXPECT_THAT(first, HasSubstr("use after free"));
  EXPECT_EQ(counterexample(), first);
}

TEST(what_is_not_modelled, is_refused_by_name_before_anything_runs) {
  const program_run got = check(programs + "/refused.cpp.program");
  EXPECT_EQ(got.status, refused) << got.out;
  for (const char* const name :
       {"std::random_device", "fopen", "fork", "rand",
        "pthread_cancel\n    instead: an atomic flag that the thread looks",
        "std::streambuf::imbue(", "\n    instead: std::string with", "std::locale::global(",
        "\n    instead: the locale of C", "synchronized_pool_resource()",
        "\n    instead: std::pmr::monotonic",
        "std::filesystem::status(std::filesystem::path const&)",
        "\n    instead: std::string for names of files", "such as that of std::osyncstream",
        "std::set_terminate(", "\n    instead: no handler", "fesetround",
        "\n    instead: the rounding that programs begin with"})
    EXPECT_THAT(got.out, HasSubstr(name));
  EXPECT_THAT(got.out, Not(HasSubstr("has run")));
}

TEST(what_is_not_modelled, are_instructions_that_no_hook_tells_of) {
  const program_run got = check(programs + "/assembly.c.program");
  EXPECT_EQ(got.status, refused) << got.out;
  const auto in = [](const std::string& function, const std::string& text) {
    return " in " + function + "() at " + line_with(text, "assembly.c") + ": ";
  };
#ifdef __aarch64__
  const std::string found[] = {"'ldxr ",
                               "'stxr ",
                               in("add", "ldxr %0") + "an atomic instruction in assembly",
                               "'swp ",
                               in("swap", "swp %w0"),
                               "'dmb ish'" + in("fence", "dmb ish") + "a fence in assembly code",
                               "'stnp ",
                               in("pass_by", "stnp") + "a non-temporal or masked access",
                               "'dc zva",
                               in("copy", "dc zva") + "assembly code that copies",
                               in("now", "cntvct_el0") + "an instruction that asks the machine",
                               in("ask", "svc #0") + "an instruction that asks the machine"};
  const char* const no_access = "yield";
#else
  const std::string found[] = {"'lock incq ",
                               in("add", "lock incq") + "an atomic instruction in assembly",
                               "'xchg %",
                               in("swap", "xchgl"),
                               "'mfence'" + in("fence", "mfence") + "a fence in assembly code",
                               "'movnti ",
                               ": a non-temporal or masked access",
                               "'rep movsb ",
                               in("copy", "rep movsb") + "assembly code that copies",
                               in("keep", "fxsave") + "a non-temporal or masked access",
                               "'rdtsc'" + in("now", "rdtsc") + "an instruction that asks",
                               "'syscall'" + in("ask", "\"syscall") + "an instruction that asks"};
  const char* const no_access = "pause";
#endif
  for (const std::string& there : found) EXPECT_THAT(got.out, HasSubstr(there));
  EXPECT_THAT(got.out, Not(HasSubstr(no_access)));
  EXPECT_THAT(got.out, Not(HasSubstr(" in main()")));
}

TEST(what_is_not_modelled, are_instructions_that_cannot_be_looked_at) {
  const program_run got = check("PATH=/nowhere " + programs + "/features.cpp.program", "message");
  EXPECT_EQ(got.status, refused) << got.out;
  EXPECT_THAT(got.out, HasSubstr("instead: install objdump"));
}

TEST(what_is_not_modelled, is_an_operator_new_for_all_types) {
  const program_run got = check(programs + "/replaced_new.cpp.program");
  EXPECT_EQ(got.status, refused) << got.out;
  EXPECT_THAT(got.out, HasSubstr("operator new of the program's own"));
}

TEST(what_is_not_modelled, is_what_a_compiler_removes) {
  const char* const says = "Compiled with optimization";
  EXPECT_THAT(check(features, "message").out, Not(HasSubstr(says)));
  EXPECT_THAT(check(features_in_c, "r").out, Not(HasSubstr(says)));
  const program_run optimized = check(library_code, "found_while_one_is_inserted");
  EXPECT_EQ(optimized.status, violated);
  EXPECT_THAT(optimized.out, HasSubstr(says));
}

TEST(what_is_not_modelled, is_named_where_it_is_not_watched) {
  EXPECT_THAT(check(features, "message").out,
              HasSubstr("Not watched for races: what happens in libstdc++.so.6, "));
}

TEST(what_is_not_modelled, is_no_part_that_was_compiled_to_be_checked) {
  for (const std::string& program : {features, features_in_c, library_code, tested})
    EXPECT_THAT(check(program).out, Not(HasSubstr("Not compiled by")));
}

TEST(what_is_not_modelled, is_an_unknown_setting) {
  const program_run got = check(features, "message", "model=rc99");
  EXPECT_EQ(got.status, refused) << got.out;
  EXPECT_THAT(got.out, HasSubstr("model=rc99"));
}

}  // namespace
}  // namespace fencepost::programs::testing
