// Each fault planted in the headers of programs changes the verdict on a program.
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <utility>

#include "planted_fault.hpp"
#include "program_run.hpp"

namespace fencepost::programs::testing {
namespace {

constexpr planted_fault faults[] = {
#include FENCEPOST_HEADER_FAULTS
};

// The program that notices the fault, and its exit status without the fault.
struct noticed {
  std::string_view what;
  const char* program;
  int status;
  const char* source = "stop_requests.cpp";
};
constexpr noticed all[] = {
    {"observing a request by a token is not an acquire", "reads_what_was_requested", 0},
    {"requesting a stop is not a release", "reads_what_was_requested", 0},
    {"a thread that is done with a stop state does not release it", "last_owner_ends_it", 0},
    {"the end of a callback is not a release", "ends_after_the_call", 0},
    {"a call that is destroyed in itself waits for its end", "destroys_itself_in_the_call", 0},
    {"a call that has destroyed itself is still there", "destroys_itself_in_the_call", 0},
    {"what is called late is not called", "calls_each_of_two", 0},
    {"the end of a callback's lifetime does not wait for its call", "ends_after_the_call", 0},
    {"a semaphore has no maximum", "semaphore_released_twice", 1, "synchronization.cpp"},
    {"a semaphore may begin beyond its maximum", "semaphore_beyond_its_maximum", 1,
     "synchronization.cpp"},
    {"releasing a semaphore is not a release", "semaphores", 0, "synchronization.cpp"},
    {"a semaphore that is released wakes nobody", "semaphores", 0, "synchronization.cpp"},
    {"acquiring a semaphore is not an acquire", "semaphores", 0, "synchronization.cpp"},
    {"a latch may begin with less than zero", "latch_of_less_than_none", 1, "meetings.cpp"},
    {"a latch counts down to less than zero", "latch_below_zero", 1, "meetings.cpp"},
    {"a latch counts down by less than zero", "latch_by_less_than_none", 1, "meetings.cpp"},
};

program_run check_faulty(const std::string& source, const char* program, unsigned number = 0) {
  return check("FENCEPOST_MUTANT=" + std::to_string(number) +
                   " prlimit --cpu=5 timeout 60 " FENCEPOST_FAULTY_PROGRAMS "/" + source +
                   ".program",
               program);
}

TEST(faults_in_headers, are_noticed) {
  for (const noticed& n : all) {
    SCOPED_TRACE(n.what);
    const planted_fault* const f = find_fault(faults, n.what);
    ASSERT_NE(f, nullptr);
    EXPECT_EQ(check_faulty(n.source, n.program).status, n.status);
    EXPECT_NE(check_faulty(n.source, n.program, f->number).status, n.status);
  }
}

TEST(every_fault_in_a_header, has_a_program_that_notices_it) {
  EXPECT_EQ(names_of(faults), names_of(all));
}

// Without the header's lines an attribute takes effect, and the checker's output for the program is
// another one.
TEST(attributes_that_have_an_effect, are_noticed) {
  for (const auto& [program, says] : {std::pair("kept_out_by_a_string", "data race"),
                                      std::pair("kept_out_by_a_word", "data race"),
                                      std::pair("kept_out_in_brackets", "data race"),
                                      std::pair("kept_out_by_a_reserved_string", "data race"),
                                      std::pair("kept_out_by_a_reserved_word", "data race"),
                                      std::pair("atomics_that_are_kept_out", "2 executions")}) {
    SCOPED_TRACE(program);
    const program_run got = check(FENCEPOST_PROGRAMS "/watched_accesses.cpp.program", program);
    EXPECT_NE(got.out.find(says), std::string::npos) << got.out;
    const program_run faulty = check_faulty("watched_accesses.cpp", program);
    EXPECT_EQ(faulty.out.find(says), std::string::npos) << faulty.out;
    EXPECT_NE(faulty.status, 2) << faulty.out;
  }
}

// Without the header's lines for built-in functions, gcc puts code in line for these.
TEST(built_in_functions_by_their_own_names, are_noticed) {
  for (const char* const name : {"mempcpy", "strncpy", "snprintf"}) {
    SCOPED_TRACE(name);
    EXPECT_EQ(check(FENCEPOST_PROGRAMS "/built_in_calls.c.optimized.program", name).status, 1);
    EXPECT_EQ(check_faulty("built_in_calls.c", name).status, 0);
  }
}

// Without the header's attributes, parallel algorithms are compiled.
TEST(parallel_algorithms, are_noticed) {
  const std::string compile = FENCEPOST_COMPILE_ALGORITHM " -isystem ";
  EXPECT_NE(run_command(compile + FENCEPOST_HEADERS).status, 0);
  EXPECT_EQ(run_command(compile + FENCEPOST_FAULTY_PROGRAMS "/policies").status, 0);
}

}  // namespace
}  // namespace fencepost::programs::testing
