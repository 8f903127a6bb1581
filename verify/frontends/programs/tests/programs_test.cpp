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

<<<<<<< HEAD
=======
constexpr int verified = 0, violated = 1, refused = 2, incomplete = 3;

// Compiled by g++; or by clang (by_clang.sh), with the same expectations but for some.
const char* const by_clang = std::getenv("FENCEPOST_PROGRAMS_BY_CLANG");
const std::string programs = by_clang == nullptr ? FENCEPOST_PROGRAMS : by_clang;

const std::string features = programs + "/features.cpp.program";
const std::string library_code = programs + "/library_code.cpp.program";
const std::string thread_locals = programs + "/own_variables.cpp.program";
const std::string timed = programs + "/timed.cpp.program";
const std::string locks_together = programs + "/locks_together.cpp.program";
const std::string futures = programs + "/futures.cpp.program";
const std::string posix = programs + "/posix.cpp.program";
const std::string pointers = programs + "/atomic_pointers.cpp.program";
const std::string wide = programs + "/wide.cpp.program";
const std::string destroyed = programs + "/destroyed.cpp.program";
const std::string uncaught = programs + "/thrown.cpp.program";
const std::string virtual_calls = programs + "/virtual_calls.cpp.program";
const std::string storage = programs + "/ended_memory.cpp.program";
const std::string read_locks = programs + "/read_locks.cpp.program";
const std::string unwritten = programs + "/unwritten.cpp";
const std::string unwritten_in_c = programs + "/unwritten.c";
const std::string tested = programs + "/tested_queue.cpp.program";
const std::string tested_by_main = programs + "/tested_by_main.cpp.program";
const std::string features_in_c = programs + "/features.c.program";

// The number of the line with this text.
std::string line_with(const std::string& text, const std::string& file = "features.cpp") {
  std::ifstream source(FENCEPOST_PROGRAM_SOURCES "/" + file);
  std::string line;
  for (int n = 1; std::getline(source, line); ++n)
    if (line.find(text) != std::string::npos) return file + ":" + std::to_string(n);
  return "no line with " + text;
}

struct expected {
  const char* arguments;
  int status;
  const char* says;
};

void expect_all(const std::string& program, std::initializer_list<expected> all) {
  for (const expected& e : all) {
    SCOPED_TRACE(e.arguments);
    const program_run got = check(program, e.arguments);
    EXPECT_EQ(got.status, e.status) << got.out;
    EXPECT_THAT(got.out, HasSubstr(e.says));
  }
}

>>>>>>> 09f19b9 (programs: find races in plain waits, none in destructors)
TEST(programs, are_watched_for_races) {
  expect_all(features, {{"message", verified, "verified"},
                        {"relaxed_message", violated, "data race"},
                        {"message_by_fences", verified, "verified"},
                        {"store_buffering", verified, "4 executions, 0 blocked"}});
  expect_all(accesses, {{"lost_update", violated, "data race"},
                        {"passed_on_unsafely", violated, "data race"},
                        {"copied_bytes", verified, "verified"},
                        {"copied_bytes_race", violated, "data race"},
                        {"set_bytes_race", violated, "data race"},
                        {"bytes_beside_each_other", verified, "verified"},
                        {"struct_copy_race", violated, "data race"},
                        {"plain_beside_atomic", verified, "verified"},
                        {"plain_races_with_atomic", violated, "data race"}});
}

TEST(programs, have_atomics_of_each_size_and_operation) {
  expect_all(accesses, {{"one_byte", verified, "verified"},
                        {"two_bytes", verified, "verified"},
                        {"four_bytes", verified, "verified"},
                        {"eight_bytes", verified, "verified"},
                        {"operations", verified, "verified"},
                        {"spurious_failure", violated, "assert("},
                        {"mixed_sizes", incomplete, "different sizes"},
                        {"null_atomic", violated, "null pointer"}});
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
      // Of clang it is known when its handler has it: there, or where the function was called.
      {"leaves_a_noexcept_function", by_clang == nullptr ? where("// thrown here") : "",
       "an exception left a noexcept function: too deep"},
      {"is_thrown_again", where("// thrown again"), "an exception left the thread: too deep"},
      {"is_thrown_again_by_a_pointer", where("// by a pointer"), "left the thread: too deep"}};
  for (const auto& one : all) {
    SCOPED_TRACE(one.name);
    const program_run got = check(uncaught, one.name);
    EXPECT_EQ(got.status, violated) << got.out;
    EXPECT_THAT(got.out, HasSubstr(one.says));
    EXPECT_THAT(got.out, HasSubstr(one.place + (one.place.empty() ? ", by " : ", in ")));
  }
  // Nothing has ended on its way.
  EXPECT_THAT(check(uncaught, "leaves_main").out, Not(HasSubstr("store")));
  expect_all(uncaught, {{"is_caught_at_last", verified, "1 execution, 0 blocked"},
                        {"is_caught_behind_call_once", verified, "verified"}});
}

<<<<<<< HEAD
=======
TEST(programs, wait_in_loops) {
  expect_all(features, {{"waits", verified, "verified"},
                        {"waits_for_ever", violated, "waits forever"},
                        {"waits_in_a_race", violated, "data race"},
                        {"waits_in_a_race_with_volatile", violated, "data race"},
                        {"waits_for_itself", violated, "waits forever"},
                        {"computes_in_plain_data", verified, "1 execution, 0 blocked"},
                        {"counts_turns", violated, "assert(turns < 3)"},
                        {"locks_in_turns", violated, "assert(deep.try_lock())"}});
  const program_run got = check(features, "counts_turns_without_end", "max_events=500");
  EXPECT_EQ(got.status, incomplete) << got.out;
  EXPECT_THAT(got.out, HasSubstr("max_events"));
}

TEST(programs, wait_on_atomics_until_they_are_notified) {
  expect_all(features, {{"waits_for_a_word", verified, "verified"},
                        {"waits_for_a_byte", verified, "verified"},
                        {"waits_for_a_long", verified, "verified"},
                        {"waits_relaxed", violated, "data race"},
                        {"waits_unnotified", violated, "waits forever"},
                        {"notifies_before_it_writes", violated, "waits forever"},
                        {"notifies_one_of_two", violated, "waits forever"},
                        {"notifies_all_of_two", verified, "verified"},
                        {"waits_for_a_flag", verified, "verified"}});
}

TEST(programs, have_semaphores_latches_and_barriers) {
  expect_all(features, {{"semaphores", verified, "verified"},
                        {"semaphore_for_two", violated, "data race"},
                        {"tried_semaphore", violated, "assert("},
                        {"semaphore_without_release", violated, "waits forever"},
                        {"latches", verified, "verified"},
                        {"latch_for_too_many", violated, "waits forever"},
                        {"barriers", verified, "verified"},
                        {"barrier_passed_early", violated, "data race"}});
}

>>>>>>> 09f19b9 (programs: find races in plain waits, none in destructors)
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

TEST(programs, are_watched_in_what_the_library_and_the_compiler_do) {
  expect_all(library_code, {{"changes_of_every_kind", verified, "verified"},
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
                             {"locks_in_turns", violated, "assert(used->try_lock())"},
                             {"waits", verified, "verified"},
                             {"crashes", violated, "segmentation fault"},
                             {"throws", verified, "verified"}});
}

<<<<<<< HEAD
=======
TEST(programs, use_no_stack_or_thread_local_variable_that_is_gone) {
  expect_all(storage,
             {{"stack_of_an_ended_thread", violated, "the stack of thread 1, which has"},
              {"atomic_on_the_stack_of_an_ended_thread", violated, "which has ended"},
              {"read_after_return", violated, "which has ended"},
              {"changed_after_return", violated, "which has ended"},
              {"read_in_another_frame", violated, "data race"},
              {"read_after_an_exception", violated, "data race"},
              {"used_before_return", verified, "verified"},
              {"variable_of_a_function_that_does_not_wait", violated, "is destroyed while"},
              {"atomic_of_a_function_that_does_not_wait", violated, "is destroyed while"},
              // clang announces variables where other frames have atomics that threads share.
              {"frames_come_again", by_clang == nullptr ? verified : incomplete,
               by_clang == nullptr ? "verified" : "a loop whose turns write"},
              {"detached_after_main", violated, "where the function has returned"},
              {"variable_of_an_ended_thread", violated, "thread 1, which has ended"},
              {"atomic_of_an_ended_thread", violated, "which has ended"},
              {"variable_of_a_thread_that_may_have_ended", violated, "which has ended"},
              {"variable_not_known_to_be_there", violated, "data race"},
              {"variable_used_before_the_end", verified, "verified"},
              {"variable_of_a_thread_that_does_not_wait", violated, "is destroyed while"}});
}

TEST(programs, know_of_a_block_before_they_use_it) {
  expect_all(storage, {{"block_passed_on", verified, "verified"},
                       {"block_passed_on_relaxed", violated, "data race"},
                       {"atomic_passed_on", verified, "verified"},
                       {"atomic_passed_on_relaxed", violated, "after the construction"},
                       {"made_atomic_passed_on", verified, "verified"},
                       {"block_of_a_joined_thread", verified, "verified"},
                       {"never_stored_to", violated, "the object is not initialized"},
                       {"added_to_before_it_is_stored_to", violated, "is not initialized"},
                       {"initialized_on_a_stack", verified, "1 execution, 0 blocked"},
                       {"stored_to", verified, "verified"},
                       {"cleared", verified, "verified"},
                       {"outside_of_the_block", violated, "in no block"},
                       {"grown", verified, "verified"}});
}

TEST(programs, initialize_what_is_on_their_stacks) {
  for (const char* const optimized : {".program", ".optimized.program"}) {
    SCOPED_TRACE(optimized);
    expect_all(unwritten_in_c + optimized,
               {{"atomic_without_value", violated, "the object is not initialized"},
                {"atomic_that_is_read", violated, "the object is not initialized"},
                {"atomic_in_a_structure", violated, "the object is not initialized"},
                {"atomic_of_each_turn", violated, "the object is not initialized"},
                {"atomic_in_allocated_bytes", violated, "the object is not initialized"},
                {"atomic_with_a_value", verified, "verified"},
                {"mutex_without_value", violated, "a mutex is used before it was initialized"},
                {"mutex_with_a_value", verified, "verified"},
                {"semaphore_without_value", violated, "before it was initialized"}});
    expect_all(unwritten + optimized,
               {{"atomic_that_is_not_constructed", violated, "the object is not initialized"},
                {"atomic_that_is_constructed", verified, "verified"},
                {"number_without_value", violated, "the object is not initialized"},
                {"byte_that_is_not_constructed", violated, "the object is not initialized"}});
  }
}

TEST(programs, have_values_that_are_written_without_a_word) {
  for (const char* const optimized : {".program", ".optimized.program"}) {
    SCOPED_TRACE(optimized);
    expect_all(unwritten + optimized, {{"argument", verified, "verified"},
                                       {"argument_of_each_call", verified, "verified"},
                                       {"argument_that_is_only_read", verified, "verified"},
                                       {"returned", verified, "verified"},
                                       {"returned_to_a_block", verified, "verified"},
                                       {"read_before_it_is_atomic", verified, "verified"},
                                       {"threads_of_two_functions", verified, "verified"},
                                       {"threads_where_atomics_are", verified, "verified"},
                                       {"detached_where_atomics_are", verified, "verified"}});
  }
}

TEST(programs, use_locks_between_their_initialization_and_their_destruction) {
  expect_all(destroyed, {{"lock_after_destruction", violated, "a mutex is used after it was dest"},
                         {"try_to_lock_after_destruction", violated, "after it was destroyed"},
                         {"mutex_destroyed_twice", violated, "after it was destroyed"},
                         {"mutex_destroyed_beside_its_use", violated, "is destroyed while"},
                         {"mutex_initialized_while_locked", violated, "while it is locked"},
                         {"mutex_never_initialized", violated, "before it was initialized"},
                         {"mutex_destroyed_by_the_last_user", verified, "verified"},
                         {"mutex_made_again", verified, "verified"},
                         {"another_mutex_is_locked_there", verified, "verified"},
                         {"mutex_of_c_destroyed", violated, "after it was destroyed"},
                         {"signal_after_destruction", violated, "a condition variable is used aft"},
                         {"wait_after_destruction", violated, "after it was destroyed"},
                         {"condition_never_initialized", violated, "before it was initialized"},
                         {"signal_beside_destruction", violated, "data race"},
                         {"conditions_come_again", verified, "verified"},
                         {"condition_made_again", verified, "verified"},
                         {"notified_after_unlocking", violated, "data race"},
                         {"read_lock_after_destruction", violated, "after it was destroyed"},
                         {"lock_initialized_while_read", violated, "while it is locked"},
                         {"lock_unlocked_by_another", violated, "this thread does not hold"},
                         {"lock_made_again", verified, "verified"},
                         {"post_after_destruction", violated, "after it was destroyed"},
                         {"semaphore_never_initialized", violated, "before it was initialized"},
                         {"semaphore_made_again", verified, "verified"},
                         {"barrier_freed_while_others_leave", violated, "use after free"},
                         {"barrier_freed_when_others_have_left", verified, "verified"}});
}

TEST(programs, have_waits_that_time_out_and_clocks) {
  expect_all(timed, {{"locks_in_time", verified, "3 executions"},
                     {"locks_too_late", violated, "assert("},
                     {"locks_what_nobody_holds", verified, "verified"},
                     {"locks_again_in_time", verified, "verified"},
                     {"locks_what_is_never_unlocked", verified, "verified"},
                     {"waits_in_time", verified, "1 spurious wake-up and 1 time-out."},
                     {"waits_too_late", violated, "assert("},
                     {"waits_until_the_past", verified, "verified"},
                     {"is_never_notified", verified, "verified"},
                     {"is_notified_too_late", violated, "waits forever"},
                     {"acquires_in_time", verified, "verified"},
                     {"acquires_too_late", violated, "assert("},
                     {"acquires_at_last", verified, "verified"},
                     {"futex_times_out", verified, "verified"},
                     {"time_passes_in_sleep", verified, "verified"},
                     {"time_does_not_pass", violated, "assert("},
                     {"looks_at_the_clock_in_a_loop", verified, "verified"},
                     {"gives_up_in_time", verified, "verified"}});
  for (const char* const late : {"locks_too_late", "waits_too_late", "time_does_not_pass"})
    EXPECT_EQ(check(timed, late, "timeouts=0").status, verified) << late;
  EXPECT_EQ(check(timed, "is_never_notified", "timeouts=0").status, violated);
}

TEST(programs, lock_several_mutexes_together) {
  expect_all(locks_together, {{"in_two_orders", verified, "verified"},
                              {"as_unique_locks", verified, "verified"},
                              {"of_three_kinds", verified, "1 execution"},
                              {"beside_one_after_the_other", verified, "verified"},
                              {"beside_a_lock_that_stays", violated, "waits forever"},
                              {"another_mutex", violated, "data race"},
                              {"lets_go", violated, "assert(!seen)"}});
}

TEST(programs, have_futures) {
  expect_all(futures, {{"promise", verified, "5 executions"},
                       {"written_after_the_promise_is_kept", violated, "data race"},
                       {"broken_promise", verified, "1 execution"},
                       {"promise_never_kept", violated, "waits forever"},
                       {"task", verified, "verified"},
                       {"called_at_once", verified, "1 execution"},
                       {"called_at_once_and_raced_with", violated, "data race"},
                       {"called_when_asked", verified, "1 execution"},
                       {"result_in_time", verified, "verified"},
                       {"result_too_late", violated, "future_status::ready)"},
                       {"shared_by_two", verified, "verified"},
                       {"ready_when_the_thread_ends", incomplete, "when its thread ends"}});
}

TEST(programs, hand_exceptions_from_thread_to_thread) {
  expect_all(futures, {{"exception_of_a_task", verified, "1 execution"},
                       {"exception_of_a_task_that_nobody_catches", violated, "an exception left"},
                       {"exception_handed_over", verified, "verified"},
                       {"exception_of_two", verified, "verified"},
                       {"exception_changed_by_two", violated, "data race"},
                       {"exception_handed_over_in_a_race", violated, "data race"},
                       {"exception_made", verified, "1 execution"}});
}

TEST(programs, call_virtual_functions_while_objects_are_made_and_destroyed) {
  expect_all(virtual_calls, {{"awaited_in_the_destructor", verified, "verified"},
                             {"awaited_in_the_destructor_of_the_base", violated, "data race"},
                             {"called_while_it_is_made", violated, "data race"},
                             {"called_in_the_constructor_of_the_base", violated, "data race"}});
}

TEST(programs, have_barriers_of_posix) {
  expect_all(posix, {{"barrier_of_two", verified, "2 executions"},
                     {"barrier_in_two_rounds", verified, "4 executions"},
                     {"barrier_in_one_round_too_few", violated, "assert(plain == 1)"},
                     {"barrier_for_three", violated, "waits forever"},
                     {"barrier_destroyed_by_one_of_two", verified, "2 executions"},
                     {"barrier_destroyed_while_one_waits", violated, "misuse"},
                     {"barrier_after_destruction", violated, "after it was destroyed"},
                     {"barrier_never_initialized", violated, "before it was initialized"},
                     {"barrier_initialized_twice", violated, "initialized twice"},
                     {"barrier_made_again", verified, "2 executions"}});
}

TEST(programs, have_something_of_each_thread_by_a_key) {
  expect_all(posix, {{"key_of_each_thread", verified, "2 executions"},
                     {"key_destroyed_in_a_race", violated, "data race"},
                     {"key_of_c", verified, "verified"},
                     {"key_waited_for", verified, "verified"}});
}

TEST(programs, have_threads_that_end_themselves) {
  expect_all(posix, {{"leaves_with_a_result", verified, "1 execution"},
                     {"leaves_in_a_race", violated, "data race"},
                     {"leaves_in_c", verified, "1 execution"},
                     {"leaves_and_is_caught", violated, "abort()"},
                     {"main_leaves", verified, "1 execution"},
                     {"main_leaves_for_a_thread_that_waits", violated, "waits forever"},
                     {"main_exits", verified, "1 execution"},
                     {"another_exits", incomplete, "exit(0) of a thread other"}});
}

TEST(programs, have_locks_and_semaphores_of_posix_with_attributes_and_time_outs) {
  expect_all(posix, {{"mutex_that_checks", verified, "2 executions"},
                     {"mutex_that_is_robust", incomplete, "robust"},
                     {"waits_by_another_clock", verified, "verified"},
                     {"semaphore_in_time", verified, "verified"},
                     {"semaphore_too_late", violated, "assert("},
                     {"reads_in_time", verified, "verified"},
                     {"reads_too_late", violated, "assert("},
                     {"writes_in_time", verified, "verified"},
                     {"writes_without_a_lock", violated, "data race"},
                     {"writes_what_is_never_unlocked", verified, "verified"}});
}

>>>>>>> 09f19b9 (programs: find races in plain waits, none in destructors)
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
                    {"three_and_twelve_bytes", verified, "verified"},
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
        "\n  std::ostringstream::ostringstream()\n", "\n    instead: std::string with",
        "get_default_resource()\n", "\n    instead: std::allocator"})
    EXPECT_THAT(got.out, HasSubstr(name));
  EXPECT_THAT(got.out, Not(HasSubstr("has run")));
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

TEST(what_is_not_modelled, is_an_unknown_setting) {
  const program_run got = check(features, "message", "model=rc99");
  EXPECT_EQ(got.status, refused) << got.out;
  EXPECT_THAT(got.out, HasSubstr("model=rc99"));
}

}  // namespace
}  // namespace fencepost::programs::testing
