// The verdict of a test on a check. The code is compiled with the checker, so that tests, which
// include gtest.hpp, do not compile it again.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "fencepost/scenario/scenario.hpp"
#include "fencepost/verify/result.hpp"

namespace fencepost::verify {

struct test_verdict {
  bool passes = false;
  bool verified = false;  // passes, and no violation was expected
  std::string text;       // what to print if it was verified, or the message of the failure
  std::string executions, events;
};

// Judges whether a check with these options found what was expected.
test_verdict judge(violation expected, const result&, const options&);

// Checks a body, or a scenario, and judges the result. Null options mean the default ones. If the
// options have the default name, the name of the test takes its place.
test_verdict judge_body(violation expected, const options*, std::function<void()> body,
                        const char* suite, const char* test);
test_verdict judge_scenario(violation expected, const options*, const scenario& about,
                            void (*body)());

// For a failed assertion of a test framework: ends the execution of the body that contains it with
// a violation. Returns false outside of a body.
bool fails_the_body(std::string_view message, bool skipped, const char* file, unsigned line);

// Returns "executions" for the first check of a test, "executions_2" for its second one, …
std::string nth_property(std::string_view name, unsigned check);

}  // namespace fencepost::verify
