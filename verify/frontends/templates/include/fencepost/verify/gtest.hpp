// The checker in GoogleTest: what a test needs to include. docs/guide/checking-your-code.md walks
// through an example; docs/examples/own_structure_test.cpp is a complete one.
//
//   TEST(mailbox, message_is_whole) {
//     const auto body = [] {
//       mailbox<int, checked_atomics> box;
//       checked_atomics::thread sender([&] { box.send(7); });
//       require(box.receive() == 7, "the message is whole");
//       sender.join();
//     };
//     EXPECT_VERIFIED(body);
//   }
//
//   EXPECT_VERIFIED(body)                 every execution was explored, and none is wrong
//   EXPECT_VIOLATED(kind, body)           some execution has a violation of this kind
//   EXPECT_SCENARIO(message_arrives)      the result is the one that the scenario's `about` expects
//
// A body is a callable without parameters, or checked<message_arrives>: a scenario, which is a
// class template on the atomics policy. verify::options can come before it:
// EXPECT_VERIFIED(options, body). If the options have the default name, the name of the test takes
// its place. ASSERT_... end the test. A failure shows the counterexample; text can be added with
// <<. A verified check prints one line, with its bounds, and records the test properties
// "executions" and "events".
//
// Give a lambda a name before you pass it: a compiler gives all lines of a macro's argument the
// same line number, and the counterexample would show that one. Inside a body use require(); an
// EXPECT_EQ() that fails there ends the check as a violation, with its message.
#pragma once

#include <gtest/gtest-spi.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <functional>
#include <utility>

#include "fencepost/verify/check.hpp"
#include "fencepost/verify/checked_atomics.hpp"
#include "fencepost/verify/result.hpp"
#include "fencepost/verify/test_verdict.hpp"

namespace fencepost::verify {

// A scenario to be passed in place of a body.
template <template <class> class Scenario>
struct checked_scenario {
  using type = Scenario<checked_atomics>;
};
template <template <class> class Scenario>
inline constexpr checked_scenario<Scenario> checked{};

namespace gtest {

// During a check, turns a GoogleTest assertion that fails inside a body into a violation. Otherwise
// the failure would be recorded in each execution, in memory that is discarded with it.
class assertions_in_bodies : public ::testing::ScopedFakeTestPartResultReporter {
 public:
  explicit assertions_in_bodies(::testing::TestPartResultArray* others)
      : ScopedFakeTestPartResultReporter(INTERCEPT_ONLY_CURRENT_THREAD, others) {}

  void ReportTestPartResult(const ::testing::TestPartResult& r) override {
    if (r.passed()) return;
    const auto line = static_cast<unsigned>(r.line_number() < 0 ? 0 : r.line_number());
    if (!fails_the_body(r.message(), r.skipped(), r.file_name(), line))
      ScopedFakeTestPartResultReporter::ReportTestPartResult(r);
  }
};

inline void around_a_check(const std::function<void()>& check) {
  ::testing::TestPartResultArray others;
  {
    const assertions_in_bodies reporter(&others);
    // Makes GoogleTest create its lazily initialized state here, not inside a body.
    SUCCEED();
    check();
  }
  for (int i = 0; i < others.size(); ++i) {
    const ::testing::TestPartResult& r = others.GetTestPartResult(i);
    GTEST_MESSAGE_AT_(r.file_name(), r.line_number(), r.message(), r.type());
  }
}
inline const bool surrounds_checks = (detail::around_checks = &around_a_check) != nullptr;

// Prints a line, and records properties of the test: "executions" for its first check,
// "executions_2" for its second one, …
inline void tell(const test_verdict& v) {
  std::puts(v.text.c_str());
  std::fflush(stdout);
  static const ::testing::TestInfo* last = nullptr;
  static unsigned checks = 0;
  const ::testing::TestInfo* const test = ::testing::UnitTest::GetInstance()->current_test_info();
  checks = test == last ? checks + 1 : 1;
  last = test;
  if (test == nullptr) return;
  ::testing::Test::RecordProperty(nth_property("executions", checks), v.executions);
  ::testing::Test::RecordProperty(nth_property("events", checks), v.events);
}

inline ::testing::AssertionResult to_assertion(const test_verdict& v) {
  if (!v.passes) return ::testing::AssertionFailure() << v.text;
  if (v.verified) tell(v);
  return ::testing::AssertionSuccess();
}

// Null options mean the default ones.
inline test_verdict judged(violation expected, const options* o, std::function<void()> body) {
  const auto* const test = ::testing::UnitTest::GetInstance()->current_test_info();
  if (test == nullptr) return judge_body(expected, o, std::move(body), nullptr, nullptr);
  return judge_body(expected, o, std::move(body), test->test_suite_name(), test->name());
}

template <template <class> class Scenario>
test_verdict judged(violation expected, const options* o, checked_scenario<Scenario>) {
  using checked_type = Scenario<checked_atomics>;
  return judge_scenario(expected, o, checked_type::about, &detail::run_scenario<checked_type>);
}

template <class Body>
::testing::AssertionResult as_expected(violation expected, const options& o, Body&& body) {
  return to_assertion(judged(expected, &o, std::forward<Body>(body)));
}

template <class Body>
::testing::AssertionResult as_expected(violation expected, Body&& body) {
  return to_assertion(judged(expected, nullptr, std::forward<Body>(body)));
}

template <template <class> class Scenario>
::testing::AssertionResult as_stated(checked_scenario<Scenario> s) {
  return as_expected(Scenario<checked_atomics>::about.expected, s);
}

}  // namespace gtest
}  // namespace fencepost::verify

// The switch keeps a dangling else from pairing with the if; text can be streamed into a failure.
#define FENCEPOST_GTEST_CHECK(outcome, fail)                                             \
  switch (0)                                                                             \
  case 0:                                                                                \
  default:                                                                               \
    if (const ::testing::AssertionResult fencepost_outcome = outcome; fencepost_outcome) \
      ;                                                                                  \
    else                                                                                 \
      fail() << fencepost_outcome.message()

// Variadic, since a lambda may contain commas.
#define EXPECT_VERIFIED(...)                                                              \
  FENCEPOST_GTEST_CHECK(                                                                  \
      ::fencepost::verify::gtest::as_expected(::fencepost::violation::none, __VA_ARGS__), \
      ADD_FAILURE)
#define ASSERT_VERIFIED(...)                                                              \
  FENCEPOST_GTEST_CHECK(                                                                  \
      ::fencepost::verify::gtest::as_expected(::fencepost::violation::none, __VA_ARGS__), \
      GTEST_FAIL)
#define EXPECT_VIOLATED(...) \
  FENCEPOST_GTEST_CHECK(::fencepost::verify::gtest::as_expected(__VA_ARGS__), ADD_FAILURE)
#define ASSERT_VIOLATED(...) \
  FENCEPOST_GTEST_CHECK(::fencepost::verify::gtest::as_expected(__VA_ARGS__), GTEST_FAIL)
#define EXPECT_SCENARIO(...)                                                            \
  FENCEPOST_GTEST_CHECK(                                                                \
      ::fencepost::verify::gtest::as_stated(::fencepost::verify::checked<__VA_ARGS__>), \
      ADD_FAILURE)
#define ASSERT_SCENARIO(...)                                                            \
  FENCEPOST_GTEST_CHECK(                                                                \
      ::fencepost::verify::gtest::as_stated(::fencepost::verify::checked<__VA_ARGS__>), \
      GTEST_FAIL)
