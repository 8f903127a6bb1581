// What a test says of a check. It is compiled with the checker, so that a test, which includes
// gtest.hpp, does not compile it again.
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

// Whether a check that had these options found what was expected.
test_verdict judge(violation expected, const result&, const options&);

// Checks a body, or a scenario, and judges the result. Null options are those by default. Where the
// name of the options is left as it is, the test's takes its place.
test_verdict judge_body(violation expected, const options*, std::function<void()> body,
                        const char* suite, const char* test);
test_verdict judge_scenario(violation expected, const options*, const scenario& about,
                            void (*body)());

// An assertion of a test framework has failed: the execution of the body that it is in ends with
// this violation. False outside of a body.
bool fails_the_body(std::string_view message, bool skipped, const char* file, unsigned line);

// "executions" of the first check of a test, "executions_2" of its second one, …
std::string nth_property(std::string_view name, unsigned check);

}  // namespace fencepost::verify
