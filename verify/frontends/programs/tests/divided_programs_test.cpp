// Several processes that explore a program find and count what one process does.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <pty.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <regex>
#include <string>

#include "checked_programs.hpp"
#include "program_run.hpp"

namespace fencepost::programs::testing {
namespace {

using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::Not;

const std::string divided = programs + "/divided.cpp.program";

// Returns the output without the time that the exploration took.
std::string what_it_says(const program_run& r) {
  return std::regex_replace(r.out, std::regex(", [0-9.]+ s"), "");
}

void expect_the_same(const char* name, int status, const char* says) {
  SCOPED_TRACE(name);
  const program_run alone = check(divided, name, "jobs=1");
  EXPECT_EQ(alone.status, status) << alone.out;
  EXPECT_THAT(without_breaks(alone.out), HasSubstr(says));
  for (const char* const jobs : {"jobs=2", "jobs=5"}) {
    const program_run together = check(divided, name, jobs);
    EXPECT_EQ(together.status, status) << jobs;
    EXPECT_EQ(what_it_says(together), what_it_says(alone)) << jobs;
  }
}

TEST(programs, are_explored_by_several_processes_as_by_one) {
  expect_the_same("is_explored", verified, "executions");
  expect_the_same("waits", verified, "executions");
  expect_the_same("goes_wrong", violated, "what was stored is read");
}

// One process learns what all must know, or finds what ends the exploration.
TEST(programs, tell_all_processes_what_one_has_found) {
  expect_the_same("meets_new_memory", verified, "executions");
  expect_the_same("races_in_new_memory", violated, "data race");
  expect_the_same("meets_a_limit", incomplete, "different sizes");
  expect_the_same("leaves_a_thread", verified, "detached threads wait for ever");
  expect_the_same("assumes", verified, "an assumption of the program does not hold");
}

// Returns what the program writes to a terminal of this kind.
std::string on_terminal(const std::string& program, const std::string& kind) {
  int terminal = -1;
  const pid_t child = forkpty(&terminal, nullptr, nullptr, nullptr);
  if (child == 0) {
    setenv("TERM", kind.c_str(), 1);
    setenv("FENCEPOST_CHECK", "jobs=2 timeout=1500", 1);
    execl(program.c_str(), program.c_str(), "is_long", nullptr);
    _exit(127);
  }
  std::string all;
  char bytes[4096];
  for (ssize_t n = 0; (n = read(terminal, bytes, sizeof bytes)) > 0;)
    all.append(bytes, static_cast<std::size_t>(n));
  close(terminal);
  waitpid(child, nullptr, 0);
  return all;
}

TEST(programs, show_on_a_terminal_how_far_they_are) {
  const std::string erased = "\r\x1b[K";
  const std::string said = on_terminal(divided, "xterm");
  EXPECT_THAT(said, ContainsRegex("^\r.\\[K[0-9,]+ executions, 0 blocked, [0-9.]+ s\r"));
  EXPECT_THAT(said, HasSubstr(erased + "divided.cpp.program: incomplete"))
      << "nothing is left of it";
  EXPECT_THAT(on_terminal(divided, "dumb"), Not(HasSubstr("\x1b")));
}

}  // namespace
}  // namespace fencepost::programs::testing
