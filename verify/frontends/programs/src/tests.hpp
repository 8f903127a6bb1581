// The tests of a program that includes gtest/gtest.h: which of them are run, and what they report.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace fencepost::programs::tests {

// True if the filter, as for --gtest_filter, selects the name: patterns with * and ?, separated by
// colons; after a hyphen, patterns of tests that are left out.
[[nodiscard]] bool matches(std::string_view filter, std::string_view name);

// Whether to list the tests instead of running them (`--gtest_list_tests`, or the command line).
void list_them(bool) noexcept;
// names() is the list if are_listed() returns true. Otherwise no list was asked for, or the program
// has no RUN_ALL_TESTS().
[[nodiscard]] bool are_listed() noexcept;
[[nodiscard]] const std::vector<std::string>& names() noexcept;

// Why the request is no check, such as a filter that matches no test; "" if it is one.
[[nodiscard]] const std::string& refusal() noexcept;

// How far an execution has come in its tests.
struct progress {
  bool any = false;  // a test was selected in this execution
  bool skipped = false;
  std::vector<const void*> suites;  // those that were set up
  std::string filter;
  bool disabled_as_well = false;
};
void begin_execution();
// For resume points. The text that is streamed to a failure is not included: a violation is rerun
// from the beginning.
[[nodiscard]] const progress& now() noexcept;
void put_back(const progress&);

}  // namespace fencepost::programs::tests
