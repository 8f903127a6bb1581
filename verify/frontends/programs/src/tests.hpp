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

void begin_execution();

}  // namespace fencepost::programs::tests
