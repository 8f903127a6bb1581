// Tests of a program that includes gtest/gtest.h: which of them are run, and what they say.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace fencepost::programs::tests {

// As --gtest_filter has it: patterns with * and ?, a colon between them; behind a hyphen those of
// tests that are left out.
[[nodiscard]] bool matches(std::string_view filter, std::string_view name);

// The tests are asked for, not to be run (`--gtest_list_tests`, or the command line).
void list_them(bool) noexcept;
// Their names, if they were; false: the program has asked for no list, or has no RUN_ALL_TESTS().
[[nodiscard]] bool are_listed() noexcept;
[[nodiscard]] const std::vector<std::string>& names() noexcept;

// Why what was asked for is no check: a filter that matches no test. "" otherwise.
[[nodiscard]] const std::string& refusal() noexcept;

// Which tests an execution has met.
struct progress {
  bool any = false;  // test of this execution
  bool skipped = false;
  std::vector<const void*> suites;  // that were set up
  std::string filter;
  bool disabled_as_well = false;
};
void begin_execution();
// For resume points. What is streamed to a failure is no part of it: a violation is run from the
// beginning.
[[nodiscard]] const progress& now() noexcept;
void put_back(const progress&);

}  // namespace fencepost::programs::tests
