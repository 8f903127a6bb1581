// Freed addresses are allocated again in the same execution, if the setting says so.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <initializer_list>
#include <string>

#include "checked_programs.hpp"
#include "program_run.hpp"

namespace fencepost::programs::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

const std::string program = programs + "/addresses_again.cpp.program";
constexpr char never[] = "reuse=0", to_its_thread[] = "reuse=1", to_all[] = "reuse=2";
constexpr char not_covered[] = "Not covered: freed addresses that are reused";

void expect_with(const char* settings, std::initializer_list<expected> all) {
  SCOPED_TRACE(settings);
  for (const expected& e : all) {
    SCOPED_TRACE(e.arguments);
    const program_run got = check(program, e.arguments, settings);
    EXPECT_EQ(got.status, e.status) << got.out;
    EXPECT_THAT(without_breaks(got.out), HasSubstr(e.says));
  }
}

TEST(freed_addresses, do_not_come_back_and_the_verdict_says_so) {
  expect_with(never, {{"protected_until_it_compares", verified, not_covered},
                      {"protected_too_briefly", verified, not_covered},
                      {"comes_back_to_its_thread", verified, not_covered},
                      {"comes_back_to_another_thread", verified, not_covered},
                      {"taken_without_order", violated, "data race"}});
  const program_run compares_none = check(program, "objects_begin_again", never);
  EXPECT_EQ(compares_none.status, verified) << compares_none.out;
  EXPECT_THAT(without_breaks(compares_none.out), Not(HasSubstr(not_covered)));
}

TEST(freed_addresses, come_back_to_their_thread) {
  constexpr char bound[] = "A freed address comes back to the thread that freed it";
  expect_with(to_its_thread, {{"protected_until_it_compares", verified, bound},
                              {"protected_too_briefly", violated, "assert(n != below)"},
                              {"comes_back_to_its_thread", violated, "assert(!box.compare"},
                              {"comes_back_to_another_thread", verified, bound},
                              {"objects_begin_again", verified, bound},
                              {"taken_without_order", violated, "data race"}});
}

TEST(freed_addresses, come_back_to_all_threads) {
  constexpr char bound[] = "A freed address comes back to any thread";
  expect_with(to_all, {{"protected_until_it_compares", verified, bound},
                       {"protected_too_briefly", violated, "assert(n != below)"},
                       {"comes_back_to_its_thread", violated, "assert(!box.compare"},
                       {"comes_back_to_another_thread", violated, "assert(!box.compare"},
                       {"objects_begin_again", verified, bound},
                       {"taken_without_order", violated, "data race"}});
}

TEST(freed_addresses, come_back_in_executions_that_go_on_as_in_those_from_the_beginning) {
  for (const std::string reuse : {to_its_thread, to_all})
    for (const char* const name : {"protected_until_it_compares", "objects_begin_again"}) {
      SCOPED_TRACE(reuse + ' ' + name);
      const program_run going_on = check(program, name, reuse);
      EXPECT_THAT(executions_of(going_on), HasSubstr(" executions, "));
      EXPECT_EQ(executions_of(going_on),
                executions_of(check(program, name, reuse + " from_beginning=1 recheck=1")));
    }
}

}  // namespace
}  // namespace fencepost::programs::testing
