// Each fault planted in the runtime of programs changes the verdict on a program.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <iterator>
#include <ostream>
#include <set>
#include <string>
#include <string_view>

#include "planted_fault.hpp"
#include "program_run.hpp"

namespace fencepost::programs::testing {
namespace {

constexpr planted_fault faults[] = {
#include "names.inc"
};

// The program that notices it, its exit status without the fault, and words that it then says.
struct noticed {
  std::string_view what;
  const char* program;
  int status;
  const char* says;
  const char* source = "features.cpp";
};
constexpr char by_clang[] = "clang_programs.cpp";
constexpr char goes_on[] = "holds under xc20 as well Not covered";
constexpr noticed all[] = {
    {"reads are not watched", "read_beside_once", 1, "data race", "synchronization.cpp"},
    {"writes are not watched", "lost_update", 1, "data race", "watched_accesses.cpp"},
    {"what a text is searched for is not watched", "text_searched_for_what_changes", 1, "data race",
     "posix.cpp"},
    {"zeros behind a text are not watched", "text_filled_beside_what_changes", 1, "data race",
     "posix.cpp"},
    {"the last byte that is copied is not watched", "copies_to_the_end/read_end beside", 1,
     "data race", "library_texts.c"},
    {"a text that is added to is not watched", "adds_to_it/change_first beside", 1, "data race",
     "library_texts.c"},
    {"a part that is added has no end", "adds_some/read_end", 0, "verified", "library_texts.c"},
    {"the end of a text is not watched", "finds_by_old_names/change_end beside", 1, "data race",
     "library_texts.c"},
    {"where a span ends is not watched", "spans_all/change_end beside", 1, "data race",
     "library_texts.c"},
    {"where texts differ is not watched", "ignores_case/change_end beside", 1, "data race",
     "library_texts.c"},
    {"where a text is divided is not watched", "separates/read_fourth beside", 1, "data race",
     "library_texts.c"},
    {"what is left of a divided text is not watched", "divides/read_rest beside", 1, "data race",
     "library_texts.c"},
    {"the character that is found is not watched", "finds_the_end/change_end beside", 1,
     "data race", "library_texts.c"},
    {"the byte that is found is not watched", "finds_the_byte/change_end beside", 1, "data race",
     "library_texts.c"},
    {"what is looked at from behind is not watched", "finds_from_behind/change_last beside", 1,
     "data race", "library_texts.c"},
    {"bytes that are searched are not watched", "finds_bytes/change_last beside", 1, "data race",
     "library_texts.c"},
    {"bytes that are searched for are not watched", "finds_bytes_of_others/change_other beside", 1,
     "data race", "library_texts.c"},
    {"the end of a text that is printed is not watched", "prints_text/change_end beside", 1,
     "data race", "library_texts.c"},
    {"what is printed of a text has no limit", "prints_part/change_last beside", 0, "verified",
     "library_texts.c"},
    {"wide characters that are printed are not watched", "prints_wide/change_end_of_wide beside", 1,
     "data race", "library_texts.c"},
    {"the number of bytes that are printed is not watched",
     "prints_number_of_bytes/read_number beside", 1, "data race", "library_texts.c"},
    {"a format is not watched", "prints_by_format/change_end beside", 1, "data race",
     "library_texts.c"},
    {"texts that are printed are not watched", "prints_puts/change_end beside", 1, "data race",
     "library_texts.c"},
    {"bytes that are printed are not watched", "prints_bytes/change_last beside", 1, "data race",
     "library_texts.c"},
    {"where the block is that was printed to is not watched", "prints_to_block/read_rest beside", 1,
     "data race", "library_texts.c"},
    {"the error that is printed is the checker's", "prints_the_error/read_number", 0, "verified",
     "library_scans.c"},
    {"a text that is scanned is not watched", "scans/change_end beside", 1, "data race",
     "library_scans.c"},
    {"a format by which a text is scanned is not watched", "scans/change_end_of_format beside", 1,
     "data race", "library_scans.c"},
    {"what is not assigned is written", "scans_one_of_two/read_second beside", 0, "verified",
     "library_scans.c"},
    {"what is written of a number has one size", "scans_sizes/read_sized_4 beside", 0, "verified",
     "library_scans.c"},
    {"the end of a text that is assigned is not watched", "scans_sets/read_other_2 beside", 1,
     "data race", "library_scans.c"},
    {"characters that are assigned have no number", "scans_characters/read_other_1 beside", 1,
     "data race", "library_scans.c"},
    {"a set of characters ends with its first one", "scans_sets/read_number beside", 1, "data race",
     "library_scans.c"},
    {"where strtok goes on is not watched", "divides/divides_another beside", 1, "data race",
     "library_scans.c"},
    {"attributes that are changed are not watched", "creates_a_thread/set_of_threads beside", 1,
     "data race", "library_scans.c"},
    {"attributes that are asked for are not watched", "asks/asks_for_guard beside", 1, "data race",
     "library_scans.c"},
    {"attributes that are used are not watched", "makes_a_mutex/set_of_mutexes beside", 1,
     "data race", "library_scans.c"},
    {"bytes that are written to a file are not watched", "writes/change_last beside", 1,
     "data race", "library_scans.c"},
    {"all files are standard ones", "writes_elsewhere/change_end", 3,
     "other than the standard ones", "library_scans.c"},
    {"streams have buffers of the program's own", "buffers_in_its_own/read_other_1", 3,
     "buffer of the program's own", "library_scans.c"},
    {"what reallocarray() copies is not watched", "enlarges_what_is_written/write_block beside", 1,
     "plain data is read by main", "library_texts.c"},
    {"processors that are counted are not watched", "counts_processors/change_processors beside", 1,
     "data race", "library_texts.c"},
    {"what a dynamic_cast looks at is not watched", "cast_while_it_is_made", 1, "data race",
     "virtual_calls.cpp"},
    {"a string that an exception is made from is not watched", "has_a_string_that_changes", 1,
     "data race", "thrown.cpp"},
    {"parts of a number are not watched", "takes_exponent/read_number beside", 1, "data race",
     "library_texts.c"},
    {"a quotient is not watched", "takes_quotient/read_number beside", 1, "data race",
     "library_texts.c"},
    {"a sine is not watched", "takes_sine/read_fraction beside", 1, "data race", "library_texts.c"},
    {"the seed of random numbers is not watched", "takes_random/read_seed beside", 1, "data race",
     "library_texts.c"},
    {"random numbers are drawn again", "draws/change_first", 0, "verified", "library_texts.c"},
    {"a text for an error is not watched", "asks_for_error/read_end beside", 1, "data race",
     "library_texts.c"},
    {"how long a thread sleeps is not watched", "sleeps_by_its_old_name/change_moment beside", 1,
     "data race", "library_texts.c"},
    {"a thread has the name that it had first", "has_names/read_end", 0, "verified",
     "library_texts.c"},
    {"where the name of a thread is put is not watched", "has_names/read_end beside", 1,
     "data race", "library_texts.c"},
    {"what is printed to a text is not watched", "text_written_while_it_changes", 1, "data race",
     "posix.cpp"},
    {"what is sorted is not watched", "sorts_what_is_read beside", 1, "data race",
     "library_calls.c"},
    {"a text that is read as a number is not watched", "reads_atoi beside", 1, "data race",
     "library_calls.c"},
    {"a loop of plain accesses keeps others from their turn", "waits_in_a_race", 1, "data race",
     "program_waits.cpp"},
    {"who makes an object has what there was before", "called_while_it_is_made", 1, "data race",
     "virtual_calls.cpp"},
    {"variables are not put back", "variables", 0, "verified"},
    {"plain accesses to atomic objects are no events", "plain_races_with_atomic", 1, "data race",
     "watched_accesses.cpp"},
    {"what was written with plain accesses is not taken up", "plain_beside_atomic", 0, "verified",
     "watched_accesses.cpp"},
    {"what becomes known of memory restarts nothing", "bytes_beside_each_other", 0, "verified",
     "watched_accesses.cpp"},
    {"bytes of the source are not copied", "plain_beside_atomic", 0, "verified",
     "watched_accesses.cpp"},
    {"threads have one errno", "error_numbers", 0, "verified"},
    {"variables are not compared", "locks_in_turns", 1, "assert(deep.try_lock())",
     "program_waits.cpp"},
    {"shared_ptr does not count atomically", "shared", 0, "verified", "watched_accesses.cpp"},
    {"what main() returns is nothing", "unknown", 1, "main() returns 8"},
    {"whoever unlocks a mutex need not hold it", "unlocked_by_another", 1, "does not hold",
     "synchronization.cpp"},
    {"a mutex is free when it is unlocked once", "recursive_lock", 0, "verified",
     "synchronization.cpp"},
    {"to unlock is no release", "counted_under_a_lock", 0, "verified", "synchronization.cpp"},
    {"a condition variable never wakes without a reason", "woken_without_a_reason", 1, "assert(",
     "synchronization.cpp"},
    {"to find it done is no acquire", "once", 0, "verified", "synchronization.cpp"},
    {"it is done again after another thread has", "once", 0, "verified", "synchronization.cpp"},
    {"a futex says that it was woken where it has not waited", "futex_of_another_value", 1,
     "assert(", "program_waits.cpp"},
    {"one is woken where all are to be", "notifies_all_of_two", 0, "verified", "program_waits.cpp"},
    {"what changes in a tree is not watched", "found_while_one_is_inserted", 1, "data race",
     "library_code.cpp"},
    {"the way to the next one is not watched", "stepped_while_one_is_erased", 1, "data race",
     "library_code.cpp"},
    {"thread_local variables are not fresh", "one_for_each", 0, "verified", "own_variables.cpp"},
    {"thread_local variables are zero at first", "one_for_each", 0, "verified",
     "own_variables.cpp"},
    {"thread_local variables are not compared", "locks_in_turns", 1, "assert(used->try_lock())",
     "own_variables.cpp"},
    {"thread_local variables are not destroyed", "ends_with_its_thread", 0, "verified",
     "own_variables.cpp"},
    {"who accesses a block need not know that it is there", "block_passed_on_relaxed", 1,
     "data race", "ended_memory.cpp"},
    {"what is outside of all blocks is used", "outside_of_the_block", 1, "in no block",
     "ended_memory.cpp"},
    {"atomics need not be initialized", "never_stored_to", 1, "not initialized",
     "ended_memory.cpp"},
    {"what is not announced is not there", "argument", 0, "verified", "unwritten.cpp"},
    {"what is on a stack has some value", "mutex_without_value", 1, "before it was initialized",
     "unwritten.c"},
    {"a variable has the value that it is filled with", "atomic_without_value", 1,
     "not initialized", "unwritten.c"},
    {"a variable of one turn is that of the next", "atomic_of_each_turn", 1, "not initialized",
     "unwritten.c"},
    {"clang fills variables as g++ does", "number_without_value", 1, "not initialized", by_clang},
    {"what is left out of one thread is left out of all", "member_of_a_variable", 1, "data race",
     by_clang},
    {"what was not met lately is not left out", "variable_between_atomics", 0, "verified",
     by_clang},
    {"weak exchanges of clang are strong", "weak_exchange", 1, "assert(", by_clang},
    {"all exchanges of clang are weak", "strong_exchange", 0, "verified", by_clang},
    {"whatever is thrown is caught", "leaves_main", 1, "in throw_below(), by main", "thrown.cpp"},
    {"a noexcept function is one that catches", "leaves_a_noexcept_function", 1,
     "left a noexcept function", "thrown.cpp"},
    {"a thread never ends", "variable_of_an_ended_thread", 1, "which has ended",
     "ended_memory.cpp"},
    {"what a function has left on a stack is used", "detached_after_main", 1,
     "where the function has returned", "ended_memory.cpp"},
    {"a function need not wait for those that use its variables", "read_in_another_frame", 1,
     "data race", "ended_memory.cpp"},
    {"a thread need not wait for those that use its variables",
     "variable_of_a_thread_that_does_not_wait", 1, "is destroyed while", "ended_memory.cpp"},
    {"atomics of a function are those of the next one", "frames_come_again", 0, "verified",
     "ended_memory.cpp"},
    {"who accesses a thread_local variable need not know that it is there",
     "variable_not_known_to_be_there", 1, "data race", "ended_memory.cpp"},
    {"what is destroyed is used", "lock_after_destruction", 1, "destroyed\n", "destroyed.cpp"},
    {"what is not initialized is used", "mutex_never_initialized", 1, "before it was initialized",
     "destroyed.cpp"},
    {"what is locked is initialized", "lock_initialized_while_read", 1, "while it is locked",
     "destroyed.cpp"},
    {"what a function has left locked is locked where the next one has its locks",
     "another_mutex_is_locked_there", 0, "verified", "destroyed.cpp"},
    {"whoever unlocks a lock need not hold it", "lock_unlocked_by_another", 1,
     "this thread does not hold", "destroyed.cpp"},
    {"condition variables are not constructed", "condition_made_again", 0, "verified",
     "destroyed.cpp"},
    {"a lock is not had in time though nobody holds it", "locks_what_nobody_holds", 0, "verified",
     "timed.cpp"},
    {"a lock is always had in time", "locks_too_late", 1, "assert(", "timed.cpp"},
    {"nobody is notified too late", "is_notified_too_late", 1, "waits forever", "timed.cpp"},
    {"what is past is waited for", "waits_until_the_past", 0, "verified", "timed.cpp"},
    {"no time passes before a look at a clock", "time_does_not_pass", 1, "assert(", "timed.cpp"},
    {"no time passes in sleep", "time_passes_in_sleep", 0, "verified", "timed.cpp"},
    {"atomics of 16 bytes are what they were at first in their lower half", "sixteen_bytes", 0,
     "verified", "wide.cpp"},
    {"what a copy writes is taken up before it is written", "in_a_block", 0, "verified",
     "wide.cpp"},
    {"a reader does not keep writers out", "readers_and_writers", 0, "verified", "read_locks.cpp"},
    {"readers keep readers out", "readers_meet", 0, "verified", "read_locks.cpp"},
    {"readers that were kept out are not let in", "readers_and_writers", 0, "verified",
     "read_locks.cpp"},
    {"readers that are kept out wait for nothing", "kept_out_for_ever", 1, "waits forever",
     "read_locks.cpp"},
    {"to release a semaphore is no release", "semaphore_hands_over", 0, "verified",
     "read_locks.cpp"},
    {"a failed exchange of 16 bytes says nothing", "three_and_twelve_bytes", 0, "verified",
     "wide.cpp"},
    {"bytes that are hashed are not watched", "hashed_while_one_changes", 1, "data race",
     "library_code.cpp"},
    {"what is to be ready when its thread ends never is", "ready_when_the_thread_ends", 0,
     "verified", "futures.cpp"},
    {"an atomic object that becomes known ends the execution", "many_atomics", 0, "verified",
     "watched_accesses.cpp"},
    {"wide characters that are read are not watched", "wide_compared_while_one_changes", 1,
     "data race", "library_code.cpp"},
    {"wide characters that are copied are not watched", "wide_copied_to_what_changes", 1,
     "data race", "library_code.cpp"},
    {"wide characters that are filled in are not watched", "wide_filled_while_one_changes", 1,
     "data race", "library_code.cpp"},
    {"to unlock a spinlock is no release", "counted_by_spinning", 0, "verified", "read_locks.cpp"},
    {"whoever unlocks a spinlock need not hold it", "spinlock_of_another", 1, "does not hold",
     "read_locks.cpp"},
    {"a spinlock is destroyed while it is locked", "spinlock_destroyed_while_locked", 1,
     "while it is locked", "read_locks.cpp"},
    {"what locks several mutexes keeps those that it has", "in_two_orders", 0, "verified",
     "locks_together.cpp"},
    {"what locks several mutexes never lets go", "lets_go", 1, "assert(!seen)",
     "locks_together.cpp"},
    {"who is done with an exception does not pass that on", "exception_of_two", 0, "verified",
     "futures.cpp"},
    {"an exception that is thrown again is not counted", "exception_of_two", 0, "verified",
     "futures.cpp"},
    {"to go on from a latch or a barrier is no acquire", "barriers", 0, "verified", "meetings.cpp"},
    {"what is wrong in the use of a latch or a barrier is not said", "latch_below_zero", 1,
     "less than zero", "meetings.cpp"},
    {"to arrive at a barrier is no release", "barrier_of_two", 0, "verified", "posix.cpp"},
    {"to go on from a barrier is no acquire", "barrier_of_two", 0, "verified", "posix.cpp"},
    {"a barrier that was made again is open", "barrier_made_again", 0, "verified", "posix.cpp"},
    {"a barrier is initialized as often as one likes", "barrier_initialized_twice", 1,
     "initialized twice", "posix.cpp"},
    {"what a thread has by a key is not destroyed", "key_of_each_thread", 0, "verified",
     "posix.cpp"},
    {"a thread that leaves destroys nothing", "leaves_with_a_result", 0, "verified", "posix.cpp"},
    {"a thread that was joined is what it was before", "joined_where_atomics_are", 0, "verified",
     "unwritten.cpp.optimized"},
    {"a thread that was detached is what it was before", "joined_where_atomics_are", 0, "verified",
     "unwritten.cpp.optimized"},
    {"who starts a thread has its state still", "started_where_atomics_were", 0, "verified",
     "unwritten.cpp.optimized"},
    {"a shared pointer is counted without a lock", "replaced_while_it_is_used", 0, "verified",
     "atomic_pointers.cpp"},
    {"to store a shared pointer is always a release", "stored_relaxed", 1, "data race",
     "atomic_pointers.cpp"},
    {"to load a shared pointer is a release", "written_before_a_load", 1, "data race",
     "atomic_pointers.cpp"},
    {"those who wait for the end of a thread are not notified", "notified_at_the_end", 0,
     "verified", "own_variables.cpp"},
    {"tests are run that the filter does not match", "--gtest_filter=assertions.hold", 0,
     "verified", "tested_queue.cpp"},
    {"that no test is run is verified", "--gtest_filter=none", 2, "no test matches",
     "tested_queue.cpp"},
    {"a suite is set up twice", "", 2, "do not follow each other", "tested_by_main.cpp"},
    {"assumptions always hold", "e", 0, "verified", "features.c"},
    {"a test that is skipped goes on", "--gtest_filter=skipped_early.*", 0, "verified",
     "tested_queue.cpp"},
    {"what changes in a tree is taken up before it changes", "containers_where_atomics_are", 0,
     "verified", "unwritten.cpp.optimized"},
    {"what a function of the library changes is not told", "both_write", 1, "data race",
     "shared_streams.cpp"},
    {"what a function of the library reads is not told", "one_asks_for_its_state", 1, "data race",
     "shared_streams.cpp"},
    {"what a function of the library makes is not told", "reads_what_is_read", 1, "data race",
     "shared_streams.cpp"},
    {"what a function of the library destroys is not told", "one_ends_it_where_it_is", 1,
     "data race", "shared_streams.cpp"},
    {"the text that a function of the library reads is not told", "writes_text_that_changes", 1,
     "data race", "shared_streams.cpp"},
    {"the bytes that a function of the library reads are not told", "writes_bytes_that_change", 1,
     "data race", "shared_streams.cpp"},
    {"the buffer of a stream is not told", "two_streams_have_its_buffer", 1, "data race",
     "shared_streams.cpp"},
    {"the text of a buffer is not told", "one_looks_at_its_text", 1, "data race",
     "shared_streams.cpp"},
    {"std::cout is a stream as any", "all_print", 0, "verified", "shared_streams.cpp"},
    {"the text that a stream reads is not told", "reads_text_that_is_read", 1, "data race",
     "shared_streams.cpp"},
    {"the bytes that a stream reads are not told", "reads_bytes_that_are_read", 1, "data race",
     "shared_streams.cpp"},
    {"std::cout has what an execution has set", "format_of_each_execution", 0, "verified",
     "string_streams.cpp"},
    {"temporary objects are what they were when they were announced",
     "temporaries_where_atomics_are", 0, "verified", "unwritten.cpp"},
    {"an object of another size need not wait for those that use what was there",
     "begins_after_a_use_relaxed", 1, "violated", "sizes_in_turn.cpp"},
    {"an object of another size is no write to plain data", "begins_after_a_read_relaxed", 1,
     "data race", "sizes_in_turn.cpp"},
    {"what is known of objects that others have replaced is lost", "one_place", 0, "verified",
     "sizes_in_turn.cpp"},
    // Where an execution goes wrong that goes on from a choice, all begin at the beginning, and
    // that is said in between.
    {"variables are not those of the choice", "changes_variable", 0, goes_on, "resumed.cpp"},
    {"thread_local variables are not those of the choice", "changes_own_variable", 0, goes_on,
     "resumed.cpp"},
    {"threads are not where they were at the choice", "has_atomic_in_a_function", 0, goes_on,
     "resumed.cpp"},
    {"a later thread is what the last one was", "has_a_later_thread", 0, goes_on, "resumed.cpp"},
    {"cells are not what they were at the choice", "has_atomic_in_a_function", 0, goes_on,
     "resumed.cpp"},
    {"threads are joined before they are", "joins", 0, goes_on, "resumed.cpp"},
    {"locks are held by nobody at the choice", "holds_lock", 0, goes_on, "resumed.cpp"},
    {"what is to be done at exit is done twice", "ends_with_the_thread", 0, goes_on, "resumed.cpp"},
    {"what a thread has by a key is there before", "changes_key", 0, goes_on, "resumed.cpp"},
    {"errors are there before they come", "has_error", 0, goes_on, "resumed.cpp"},
    {"tests are met before they come", "", 0, goes_on, "resumed_tests.cpp"},
    {"streams are not those of the choice", "changes_stream", 0, goes_on, "resumed.cpp"},
    {"arguments are not those of the choice", "changes_argument", 0, goes_on, "resumed.cpp"},
    {"a later thread has what the last one had", "has_a_later_thread", 0, goes_on, "resumed.cpp"},
    {"executions go on where cells have been replaced", "has_atomics_of_two_sizes", 0, goes_on,
     "resumed.cpp"},
};

// Of a processor where it never ends, and by the clock where it waits for ever.
constexpr const char* limits = " prlimit --cpu=5 timeout 60 ";

bool is_as_without_fault(const noticed& n, unsigned number) {
  const program_run got =
      check("LD_LIBRARY_PATH=" FENCEPOST_MUTANTS " FENCEPOST_MUTANT=" + std::to_string(number) +
                limits + FENCEPOST_PROGRAMS "/" + n.source + ".program",
            n.program);
  return got.status == n.status && (got.out.find(n.says) != std::string::npos ||
                                    without_breaks(got.out).find(n.says) != std::string::npos);
}

// For names of tests. NOLINTNEXTLINE(readability-identifier-naming): GoogleTest looks for it
void PrintTo(const noticed& n, std::ostream* to) { *to << n.what; }

class program_mutants : public ::testing::TestWithParam<noticed> {};

TEST_P(program_mutants, are_noticed) {
  const noticed& n = GetParam();
  const auto f = std::find_if(std::begin(faults), std::end(faults),
                              [&](const planted_fault& one) { return one.what == n.what; });
  ASSERT_NE(f, std::end(faults)) << n.what;
  if (n.source == std::string_view(by_clang) &&
      !std::filesystem::exists(FENCEPOST_PROGRAMS "/clang_programs.cpp.program"))
    GTEST_SKIP() << "clang++ is not installed";
  EXPECT_TRUE(is_as_without_fault(n, 0));
  EXPECT_FALSE(is_as_without_fault(n, f->number));
}

INSTANTIATE_TEST_SUITE_P(all, program_mutants, ::testing::ValuesIn(all), [](const auto& instance) {
  std::string name(instance.param.what);
  std::replace_if(
      name.begin(), name.end(), [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
  return name;
});

TEST(every_fault, has_a_program_that_notices_it) {
  std::set<std::string_view> planted, listed;
  for (const planted_fault& f : faults) planted.insert(f.what);
  for (const noticed& n : all) listed.insert(n.what);
  EXPECT_EQ(planted, listed);
}

}  // namespace
}  // namespace fencepost::programs::testing
