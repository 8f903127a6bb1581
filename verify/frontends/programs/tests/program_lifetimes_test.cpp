// Objects that programs as they are use must exist, be initialized, and not have ended.
#include <gtest/gtest.h>

#include "checked_programs.hpp"
#include "program_run.hpp"

namespace fencepost::programs::testing {
namespace {

TEST(programs, have_memory_that_is_watched) {
  expect_all(accesses, {{"shared", verified, "verified"},
                        {"blocks", verified, "verified"},
                        {"used_after_free", violated, "use after free"},
                        {"freed_twice", violated, "double free"},
                        {"null_pointer", violated, "segmentation fault"}});
}

TEST(programs, give_functions_addresses_where_there_is_memory) {
  constexpr char crashes[] = "segmentation fault at address (nil)";
  expect_all(programs + "/bad_addresses.cpp.program", {{"of_what_is_expected", violated, crashes},
                                                       {"of_a_handle", violated, crashes},
                                                       {"of_a_mutex", violated, crashes},
                                                       {"of_a_time", violated, crashes},
                                                       {"of_a_name", violated, crashes}});
}

TEST(programs, call_virtual_functions_while_objects_are_made_and_destroyed) {
  expect_all(virtual_calls, {{"awaited_in_the_destructor", verified, "verified"},
                             {"awaited_in_the_destructor_of_the_base", violated, "data race"},
                             {"called_while_it_is_made", violated, "data race"},
                             {"cast_while_it_is_made", violated, "data race"},
                             {"cast_when_it_is_made", verified, "1 execution"},
                             {"called_in_the_constructor_of_the_base", violated, "data race"}});
}

TEST(programs, use_no_stack_or_thread_local_variable_that_is_gone) {
  expect_all(storage,
             {{"stack_of_an_ended_thread", violated, "the stack of thread 1, which has"},
              {"atomic_on_the_stack_of_an_ended_thread", violated, "which has ended"},
              {"read_after_return", violated, "which has ended"},
              {"changed_after_return", violated, "which has ended"},
              {"read_in_another_frame", violated, "data race"},
              {"read_after_an_exception", violated, "data race"},
              {"used_before_return", verified, "verified"},
              {"variable_of_a_function_that_does_not_wait", violated, "is destroyed, but"},
              {"atomic_of_a_function_that_does_not_wait", violated, "is destroyed, but"},
              // clang announces variables where other frames have atomics that threads share.
              {"frames_come_again", by_clang == nullptr ? verified : incomplete,
               by_clang == nullptr ? "verified" : "a loop whose turns write"},
              {"detached_after_main", violated, "where the function has returned"},
              {"variable_of_an_ended_thread", violated, "thread 1, which has ended"},
              {"atomic_of_an_ended_thread", violated, "which has ended"},
              {"variable_of_a_thread_that_may_have_ended", violated, "which has ended"},
              {"variable_not_known_to_be_there", violated, "data race"},
              {"variable_used_before_the_end", verified, "verified"},
              {"variable_of_a_thread_that_does_not_wait", violated, "is destroyed, but"}});
}

TEST(programs, use_no_static_object_that_is_gone) {
  const std::string objects = programs + "/objects_at_exit.cpp.program";
  expect_all(objects, {{"text_is_changed", violated, "data race"},
                       {"text_is_read", violated, "data race"},
                       {"text_is_changed_before", verified, "verified"},
                       {"text_is_changed_before_relaxed", violated, "data race"},
                       {"text_of_function_is_changed", violated, "data race"},
                       {"joined_by_the_destructor", verified, "verified"},
                       {"number_is_changed", verified, "verified"},
                       {"flag_is_read", violated, "use after free"},
                       {"flag_is_read_until_it_ends", verified, "verified"},
                       {"member_beside_a_flag_is_read", violated, "data race"},
                       {"registered_with_an_object", verified, "verified"},
                       {"condition_is_notified", violated, "~condition: "},
                       {"condition_is_notified_before_relaxed", violated, "in ~condition()"}});
  const std::string declared = line_with("std::string text =", "objects_at_exit.cpp");
  EXPECT_THAT(check(objects, "text_is_changed").out, ::testing::HasSubstr(declared + " ~text"));
  // What a library does at exit has no caller in the program.
  const std::string condition = check(objects, "condition_is_notified").out;
  EXPECT_THAT(condition, ::testing::Not(::testing::HasSubstr("libboost_context")));
  // The execution is run again for its steps, and behaves in the same way.
  EXPECT_THAT(condition, ::testing::Not(::testing::HasSubstr("did not happen")));
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
                       {"notified_when_it_may_be_freed", violated, "use after free"},
                       {"notified_before_it_is_freed", verified, "verified"},
                       {"pointer_notified_when_it_may_be_freed", violated, "use after free"},
                       {"counted_down_before_it_is_freed", verified, "verified"},
                       {"outside_of_the_block", violated, "not in a block"},
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

TEST(programs, fill_and_copy_by_calls_that_compilers_make) {
  expect_all(programs + "/overwritten.cpp.program",
             {{"filled_by_the_compiler", verified, "verified"},
              {"copied_by_the_compiler", verified, "verified"},
              {"written_and_filled", verified, "verified"},
              {"written_beside_what_is_filled", verified, "verified"},
              {"written_and_moved", verified, "verified"}});
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
                                       {"copied_where_atomics_are", verified, "verified"},
                                       {"containers_where_atomics_are", verified, "verified"},
                                       {"temporaries_where_atomics_are", verified, "verified"},
                                       {"padding_where_atomics_will_be", verified, "verified"},
                                       {"one_byte_where_atomics_will_be", verified, "verified"},
                                       {"joined_where_atomics_are", verified, "verified"},
                                       {"started_where_atomics_were", verified, "verified"},
                                       {"detached_where_atomics_are", verified, "verified"}});
  }
}

TEST(programs, have_atomics_of_different_sizes_at_one_place_of_a_stack) {
  expect_all(programs + "/sizes_in_turn.cpp.program",
             {{"functions", verified, "32 executions, 0 blocked"},
              {"functions_and_back", verified, "16 executions, 0 blocked"},
              {"functions_relaxed", violated, "data race"},
              {"one_place", verified, "16 executions, 0 blocked"},
              {"begins_after_a_use_acquired", verified, "verified"},
              {"begins_after_a_use_relaxed", violated, "violated"},
              {"begins_after_a_read_acquired", verified, "verified"},
              {"begins_after_a_read_relaxed", violated, "data race"},
              {"used_where_another_is", incomplete, "different sizes"}});
}

// More is undefined for mutexes of the C++ library than for those of POSIX.
TEST(programs, end_with_no_mutex_of_the_library_that_they_hold) {
  expect_all(destroyed, {{"thread_of_posix_ends_with_a_mutex_of_cpp", violated, "while it holds"},
                         {"thread_ends_with_a_mutex_of_posix", verified, "verified"},
                         {"main_ends_with_a_mutex", violated, "the program ends, and destroys"},
                         {"main_ends_with_a_mutex_of_posix", verified, "verified"},
                         {"main_ends_with_a_lock_that_it_reads", violated, "the program ends"},
                         {"main_ends_with_a_mutex_that_it_waited_with", violated, "program ends"},
                         {"main_exits_with_a_mutex", violated, "the program ends, and destroys"},
                         {"main_exits_with_a_mutex_of_its_own", verified, "verified"},
                         {"main_leaves_with_a_mutex", violated, "while it holds"},
                         {"mutex_is_unlocked_at_the_exit", verified, "verified"}});
}

TEST(programs, do_not_try_a_mutex_of_the_library_that_they_hold) {
  constexpr char tried[] = "try_lock() of a mutex that this thread holds already";
  constexpr char locked[] = "a std::shared_mutex that it holds already";
  expect_all(destroyed, {{"own_mutex_is_tried", violated, tried},
                         {"own_mutex_is_tried_in_time", violated, tried},
                         {"own_mutex_is_tried_after_waiting", violated, tried},
                         {"own_mutex_is_locked_with_itself", violated, tried},
                         {"own_mutex_of_posix_is_tried", verified, "verified"},
                         {"own_recursive_mutex_is_tried", verified, "verified"},
                         {"lock_is_read_twice", violated, locked},
                         {"own_lock_is_tried", violated, locked},
                         {"own_lock_is_tried_in_time", violated, locked},
                         {"lock_of_posix_is_read_twice", verified, "verified"},
                         {"lock_is_read_by_all", verified, "verified"}});
}

TEST(programs, lock_mutexes_of_c_in_time_that_support_it) {
  expect_all(destroyed, {{"plain_mutex_of_c_is_locked_in_time", violated, "without mtx_timed"},
                         {"recursive_mutex_of_c_is_locked_in_time", violated, "without mtx_timed"},
                         {"timed_mutex_of_c_is_locked_in_time", verified, "verified"}});
}

TEST(programs, use_locks_between_their_initialization_and_their_destruction) {
  expect_all(destroyed, {{"lock_after_destruction", violated, "a mutex is used after it was dest"},
                         {"try_to_lock_after_destruction", violated, "after it was destroyed"},
                         {"mutex_destroyed_twice", violated, "after it was destroyed"},
                         {"mutex_destroyed_beside_its_use", violated, "is destroyed"},
                         {"mutex_initialized_while_locked", violated, "while it is locked"},
                         {"mutex_never_initialized", violated, "before it was initialized"},
                         {"mutex_destroyed_by_the_last_user", verified, "verified"},
                         {"mutex_made_again", verified, "verified"},
                         {"mutex_ends_locked", violated, "ends with its function while"},
                         {"mutexes_come_again", verified, "verified"},
                         {"another_is_locked_when_a_function_returns", verified, "verified"},
                         {"mutex_freed_while_locked", violated, "lock in it is locked"},
                         {"lock_freed_while_read", violated, "lock in it is locked"},
                         {"mutex_freed_when_unlocked", verified, "verified"},
                         {"thread_ends_with_a_mutex", violated, "a thread ends while it holds"},
                         {"thread_ends_with_a_mutex_that_it_tried", violated, "while it holds"},
                         {"thread_ends_with_one_of_two", violated, "while it holds"},
                         {"thread_unlocks_at_its_end", verified, "verified"},
                         {"thread_ends_while_main_has_a_mutex", verified, "verified"},
                         {"thread_of_posix_ends_with_a_mutex", verified, "verified"},
                         {"another_is_freed_under_a_lock", verified, "verified"},
                         {"mutex_freed_beside_its_use", violated, "use after free"},
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

}  // namespace
}  // namespace fencepost::programs::testing
