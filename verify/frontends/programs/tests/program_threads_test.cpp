// Threads of programs as they are: what they lock, wait for and hand over, right and wrong.
#include <sys/syscall.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "checked_programs.hpp"
#include "program_run.hpp"

namespace fencepost::programs::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

TEST(programs, have_threads_and_locks) {
  expect_all(synchronization, {{"counted_under_a_lock", verified, "verified"},
                               {"tried_lock", violated, "assert("},
                               {"recursive_lock", verified, "verified"},
                               {"locked_twice", violated, "waits for itself"},
                               {"unlocked_by_another", violated, "does not hold"},
                               {"locks_in_two_orders", violated, "waits forever"},
                               {"lock_on_a_stack", verified, "verified"},
                               {"condition", verified, "verified"},
                               {"lost_wake_up", violated, "waits forever"},
                               {"woken_without_a_reason", violated, "assert("}});
  expect_all(features, {{"detached", verified, "verified"},
                        {"as_many_as_processors", verified, "verified"},
                        {"never_joined", violated, "abort()"},
                        {"yields", verified, "verified"},
                        {"computes", verified, "1 execution, 0 blocked"}});
}

TEST(programs, end_with_threads_that_wait) {
  for (const char* const left :
       {"left_waiting_for_a_condition", "left_waiting_in_a_loop", "left_waiting_for_a_word"})
    for (const char* const settings : {"", "from_beginning=1", "recheck=1"}) {
      const program_run got = check(features, left, settings);
      EXPECT_EQ(got.status, verified) << left << got.out;
      EXPECT_THAT(got.out, HasSubstr("threads wait for ever when main() has returned"));
    }
  expect_all(features, {{"left_joinable", violated, "waits forever"},
                        {"waited_for_in_some_executions", violated, "waits forever"},
                        {"left_by_what_goes_wrong", violated, "assert("}});
  EXPECT_THAT(check(features, "detached").out, Not(HasSubstr("wait for ever")));
}

TEST(programs, wait_in_loops) {
  expect_all(waits, {{"waits", verified, "verified"},
                     {"waits_for_ever", violated, "waits forever"},
                     {"waits_in_a_race", violated, "data race"},
                     {"waits_in_a_race_with_volatile", violated, "data race"},
                     {"waits_for_itself", violated, "waits forever"},
                     {"computes_in_plain_data", verified, "1 execution, 0 blocked"},
                     {"counts_turns", violated, "assert(turns < 3)"},
                     {"counts_in_the_library", violated, "assert(optind < 4)"},
                     {"locks_in_turns", violated, "assert(is_free)"},
                     {"allocates_for_each_question", incomplete, "allocate before the loop"}});
  const program_run got = check(waits, "counts_turns_without_end", "max_events=500");
  EXPECT_EQ(got.status, incomplete) << got.out;
  EXPECT_THAT(got.out, HasSubstr("max_events"));
}

TEST(programs, poll_under_a_mutex) {
  expect_all(waits, {{"polls_under_a_mutex", verified, "verified"},
                     {"polls_by_trying", verified, "verified"},
                     {"polls_for_its_own_variables", verified, "verified"},
                     {"polls_too_early", violated, "data race"},
                     {"polls_in_vain", violated, "waits forever"},
                     {"waits_for_its_own_variable", violated, "waits forever"}});
}

TEST(programs, wait_for_pointers_and_for_owners) {
  expect_all(waits, {{"waits_for_a_pointer", verified, "verified"},
                     {"waits_for_a_pointer_relaxed", violated, "data race"},
                     {"waits_until_it_has_expired", verified, "verified"},
                     {"waits_for_the_only_owner", verified, "verified"}});
}

// Turns that change a number and change it back.
TEST(programs, may_change_something_for_a_moment_while_they_wait) {
  expect_all(waits, {{"waits_for_the_last_owner", verified, "verified"},
                     {"uses_what_it_waits_for", verified, "verified"},
                     {"waits_as_an_owner", violated, "assert(!by_owner || is_owner)"},
                     {"waits_for_itself_to_let_go", violated, "waits forever"},
                     {"takes_two_under_a_spinlock", verified, "verified"},
                     {"takes_one_too_many", violated, "waits forever"},
                     {"counts_for_a_moment", verified, " 3 executions, 1 blocked"},
                     {"polls_after_main", verified, "wait for ever when main() has returned"}});
  for (const char* const name : {"counts_for_several_moments", "counts_after_main"}) {
    const program_run got = check(waits, name, "max_events=600");
    EXPECT_NE(got.status, verified) << got.out;
  }
}

TEST(programs, wait_on_atomics_until_they_are_notified) {
  expect_all(waits, {{"waits_for_a_word", verified, "verified"},
                     {"waits_for_a_byte", verified, "verified"},
                     {"waits_for_a_long", verified, "verified"},
                     {"waits_relaxed", violated, "data race"},
                     {"waits_unnotified", violated, "waits forever"},
                     {"notifies_before_it_writes", violated, "waits forever"},
                     {"notifies_one_of_two", violated, "waits forever"},
                     {"notifies_all_of_two", verified, "verified"},
                     {"waits_for_a_flag", verified, "verified"}});
}

TEST(programs, have_semaphores) {
  expect_all(synchronization, {{"semaphores", verified, "verified"},
                               {"semaphore_for_two", violated, "data race"},
                               {"tried_semaphore", violated, "assert("},
                               {"semaphore_without_release", violated, "waits forever"},
                               {"semaphore_released_twice", violated, "than its max() allows"},
                               {"semaphore_up_to_its_maximum", verified, "verified"},
                               {"semaphore_beyond_its_maximum", violated, "more than max()"}});
}

// Executions differ only in the order in which the threads arrive.
TEST(programs, have_latches_and_barriers) {
  expect_all(meetings, {{"latches", verified, "2 executions, 0 blocked"},
                        {"latch_for_too_many", violated, "waits forever"},
                        {"latch_below_zero", violated, "less than zero"},
                        {"latch_of_less_than_none", violated, "begins with less than 0"},
                        {"latch_by_less_than_none", violated, "less than zero"},
                        {"barriers", verified, "2 executions, 0 blocked"},
                        {"barrier_passed_early", violated, "data race"},
                        {"barrier_of_three_in_phases", verified, "1,296 executions, 0 blocked"},
                        {"barrier_left_out_once", violated, "data race"},
                        {"completion_of_a_phase", verified, "4 executions, 0 blocked"},
                        {"token_used_later", verified, "2 executions, 0 blocked"},
                        {"dropped_by_one", verified, "2 executions, 0 blocked"},
                        {"barrier_for_too_many", violated, "waits forever"},
                        {"too_many_at_a_barrier", violated, "more threads arrive"},
                        {"arrival_is_no_acquire", violated, "data race"}});
}

TEST(programs, call_futexes) {
  expect_all(waits, {{"futexes", verified, "verified"},
                     {"futex_of_another_value", violated, "assert("},
                     {"futex_never_woken", violated, "waits forever"}});
  const std::string system_call =
      "the system call " + std::to_string(SYS_getppid) + " is not modelled";
  expect_all(features, {{"other_system_call", incomplete, system_call.c_str()},
                        {"error_numbers", verified, "verified"}});
}

TEST(programs, do_things_once) {
  expect_all(synchronization, {{"once", verified, "verified"},
                               {"once_after_an_exception", verified, "verified"},
                               {"read_beside_once", violated, "data race"}});
  expect_all(waits, {{"sleeps", violated, "data race"}});
}

TEST(programs, notify_at_the_end_of_a_thread) {
  expect_all(thread_locals, {{"notified_at_the_end", verified, "verified"},
                             {"notified_before_the_end", violated, "data race"},
                             {"notified_without_the_lock", violated, "does not hold"}});
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
                     {"time_passes_for_all_that_follow", verified, "verified"},
                     {"time_does_not_pass", violated, "assert("},
                     {"looks_at_the_clock_in_a_loop", verified, "verified"},
                     {"gives_up_in_time", verified, "verified"}});
  for (const char* const late : {"locks_too_late", "waits_too_late", "time_does_not_pass"})
    EXPECT_EQ(check(timed, late, "timeouts=0").status, verified) << late;
  EXPECT_EQ(check(timed, "is_never_notified", "timeouts=0").status, violated);
}

// Of programs that have no other.
TEST(programs, have_clocks_of_every_kind) {
  for (const char* const clock : {"gettimeofday", "clock"}) {
    const std::string program = programs + "/looks_at_" + clock + ".c.program";
    expect_all(program, {{"sleeps", verified, "verified"}, {"waits", violated, "< 1000)"}});
  }
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
  expect_all(futures, {{"promise", verified, "1 execution"},
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
                       {"ready_when_the_thread_ends", verified, "verified"},
                       {"ready_before_the_thread_ends", violated, "data race"},
                       {"task_ready_when_the_thread_ends", verified, "verified"}});
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

TEST(programs, request_stops) {
  expect_all(stops, {{"calls_what_is_registered", verified, "3 executions, 0 blocked"},
                     {"writes_after_its_request", violated, "violated"},
                     {"reads_what_was_requested", verified, "2 executions, 0 blocked"},
                     {"ends_after_the_call", verified, "3 executions, 0 blocked"},
                     {"goes_on_during_the_call", violated, "data race"},
                     {"calls_each_of_two", verified, "verified"},
                     {"destroys_itself_in_the_call", verified, "1 execution"},
                     {"waits_with_a_token", verified, "verified"},
                     {"waits_without_a_token", violated, "waits forever"},
                     {"looks_for_a_request", verified, "verified"},
                     {"looks_for_another_request", violated, "waits forever"},
                     {"last_owner_ends_it", verified, "verified"},
                     {"last_source_orders_nothing", violated, "data race"},
                     {"tokens_and_sources", verified, "1 execution"}});
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

TEST(programs, have_threads_that_nobody_cancels) {
  expect_all(posix, {{"says_when_it_may_be_cancelled", verified, "1 execution"},
                     {"told_in_one_place_when_it_may_be_cancelled", violated, "data race"}});
}

TEST(programs, have_threads_that_end_themselves) {
  expect_all(posix, {{"leaves_with_a_result", verified, "1 execution"},
                     {"leaves_in_a_race", violated, "data race"},
                     {"leaves_in_c", verified, "1 execution"},
                     {"leaves_and_is_caught", violated, "abort()"},
                     {"main_leaves", verified, "1 execution"},
                     {"main_leaves_for_a_thread_that_waits", violated, "waits forever"},
                     {"main_leaves_its_variables", violated, "main, which has ended"},
                     {"main_leaves_what_is_done_with", verified, "verified"},
                     {"main_exits_beside_its_variables", verified, "verified"},
                     {"main_exits", verified, "1 execution"},
                     {"main_exits_too_early", violated, "assert(plain == 1)"},
                     {"main_exits_with_a_variable_of_its_own", verified, "1 execution"},
                     {"another_exits", incomplete, "exit(0) of a thread other"}});
}

TEST(programs, have_locks_and_semaphores_of_posix_with_attributes_and_time_outs) {
  expect_all(posix, {{"mutex_that_checks", verified, "2 executions"},
                     {"mutex_that_is_robust", incomplete, "robust"},
                     {"mutex_that_checks_in_time", verified, "verified"},
                     {"mutex_that_is_robust_in_time", incomplete, "robust"},
                     {"waits_by_another_clock", verified, "verified"},
                     {"semaphore_in_time", verified, "verified"},
                     {"semaphore_too_late", violated, "assert("},
                     {"rounds_to_nearest", verified, "verified"},
                     {"reads_in_time", verified, "verified"},
                     {"reads_too_late", violated, "assert("},
                     {"writes_in_time", verified, "verified"},
                     {"writes_without_a_lock", violated, "data race"},
                     {"writes_what_is_never_unlocked", verified, "verified"}});
}

TEST(programs, have_locks_for_readers_and_semaphores_of_posix) {
  expect_all(read_locks, {{"readers_and_writers", verified, "verified"},
                          {"written_by_a_reader", violated, "data race"},
                          {"polled_by_readers", verified, "verified"},
                          {"polled_too_early", violated, "data race"},
                          {"polled_in_vain", violated, "waits forever"},
                          {"readers_meet", verified, "verified"},
                          {"writers_never_meet", violated, "waits forever"},
                          {"tried", verified, "verified"},
                          {"tried_in_vain", violated, "assert("},
                          {"unlocked_twice", violated, "nobody holds"},
                          {"unlocked_in_another_mode", violated, "holds to read"},
                          {"unlocked_to_read_in_another_mode", violated, "holds to write"},
                          {"unlocked_by_posix", verified, "verified"},
                          {"locked_in_two_ways", violated, "that it holds already"},
                          {"kept_out_for_ever", violated, "waits forever"},
                          {"never_written", verified, "verified"},
                          {"counted_by_four_sections", verified, " 990 executions"},
                          {"counted_by_spinning", verified, "2 executions"},
                          {"tried_to_spin", violated, "data race"},
                          {"spins_twice", violated, "waits forever"},
                          {"spinlock_of_another", violated, "this thread does not hold"},
                          {"spinlock_destroyed_while_locked", violated, "while it is locked"},
                          {"spinlock_after_destruction", violated, "after it was destroyed"},
                          {"spinlock_made_again", verified, "verified"},
                          {"semaphore_for_one", verified, "verified"},
                          {"semaphore_for_two", violated, "data race"},
                          {"semaphore_never_posted", violated, "waits forever"},
                          {"semaphore_hands_over", verified, "verified"}});
}

}  // namespace
}  // namespace fencepost::programs::testing
