// The checker in GoogleTest: what a test needs to include. docs/guide/checking-your-code.md goes
// through it; docs/examples/own_structure_test.cpp is a whole one.
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
//   EXPECT_SCENARIO(message_arrives)      the scenario keeps to what its `about` expects
//
// A body is a callable that takes nothing, or checked<message_arrives>: a scenario, which is a
// class template on the atomics policy. verify::options can come before it:
// EXPECT_VERIFIED(options, body). Where the name of the options is left as it is, the name of the
// test takes its place. ASSERT_... end the test. A failure shows the counterexample; text can be
// added with <<. What is verified prints one line, with its bounds, and records the test properties
// "executions" and "events".
//
// Give a lambda a name before you pass it: a compiler gives all lines of a macro's argument the
// number of one of them, and the counterexample would name that. Inside a body say require(); an
// EXPECT_EQ() that fails there ends the check as a violation, with its message.
#pragma once

#include <gtest/gtest-spi.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <functional>
#include <string>
#include <type_traits>
#include <utility>

#include "fencepost/verify/check.hpp"
#include "fencepost/verify/checked_atomics.hpp"
#include "fencepost/verify/engine.hpp"
#include "fencepost/verify/report.hpp"
#include "fencepost/verify/result.hpp"

namespace fencepost::verify {

// A scenario in the place of a body.
template <template <class> class Scenario>
struct checked_scenario {
  using type = Scenario<checked_atomics>;
};
template <template <class> class Scenario>
inline constexpr checked_scenario<Scenario> checked{};

namespace gtest {

// While a check is under way: an assertion of GoogleTest that fails inside a body is a violation
// there; otherwise it would be repeated in each execution, in memory that is gone with it.
class assertions_in_bodies : public ::testing::ScopedFakeTestPartResultReporter {
 public:
  explicit assertions_in_bodies(::testing::TestPartResultArray* others)
      : ScopedFakeTestPartResultReporter(INTERCEPT_ONLY_CURRENT_THREAD, others) {}

  void ReportTestPartResult(const ::testing::TestPartResult& r) override {
    engine* const e = engine::current();
    if (r.passed()) return;
    const std::string_view file = r.file_name() == nullptr ? "" : r.file_name();
    const auto line = static_cast<unsigned>(r.line_number() < 0 ? 0 : r.line_number());
    if (e == nullptr || !e->fail_later(violation::assertion, message(r), file, line))
      ScopedFakeTestPartResultReporter::ReportTestPartResult(r);
  }

 private:
  static std::string message(const ::testing::TestPartResult& r) {
    std::string text = r.skipped() ? "GTEST_SKIP() inside a body: " : "";
    bool space = true;
    for (const char c : std::string_view(r.message())) {
      const bool is_space = c == ' ' || c == '\n';
      if (c == '\n' && !text.empty() && text.back() != ':' && text.back() != ',') text += ',';
      if (is_space && !space) text += ' ';
      if (!is_space) text += c;
      space = is_space;
    }
    while (!text.empty() && (text.back() == ' ' || text.back() == ',')) text.pop_back();
    return text;
  }
};

inline void around_a_check(const std::function<void()>& check) {
  ::testing::TestPartResultArray others;
  {
    const assertions_in_bodies reporter(&others);
    // What GoogleTest makes when it is needed is not made inside a body.
    SUCCEED();
    check();
  }
  for (int i = 0; i < others.size(); ++i) {
    const ::testing::TestPartResult& r = others.GetTestPartResult(i);
    GTEST_MESSAGE_AT_(r.file_name(), r.line_number(), r.message(), r.type());
  }
}
inline const bool surrounds_checks = (detail::around_checks = &around_a_check) != nullptr;

// A check that is over, and the options that it had.
struct ran {
  options bounds;
  result found;
};

template <template <class> class Scenario>
ran run(const options& o, checked_scenario<Scenario>) {
  using checked_type = Scenario<checked_atomics>;
  return {with_bounds_of(checked_type::about, o), check_scenario<checked_type>(o)};
}

template <class Body>
ran run(options o, Body&& body) {
  if (o.name == options{}.name) {
    if (const auto* test = ::testing::UnitTest::GetInstance()->current_test_info()) {
      o.name = std::string(test->test_suite_name()) + "." + test->name();
    }
  }
  result r = check(o, std::forward<Body>(body));
  return {std::move(o), std::move(r)};
}

template <class Body>
ran run(Body&& body) {
  return run(options{}, std::forward<Body>(body));
}

// A line of the test's output, and properties of the test: "executions", of its second check
// "executions_2", …
inline void tell(const ran& r) {
  std::printf("[ verified ] %s: %s\n", r.bounds.name.c_str(),
              in_one_line(r.found, r.bounds).c_str());
  std::fflush(stdout);
  static const ::testing::TestInfo* last = nullptr;
  static unsigned checks = 0;
  const ::testing::TestInfo* const test = ::testing::UnitTest::GetInstance()->current_test_info();
  checks = test == last ? checks + 1 : 1;
  last = test;
  if (test == nullptr) return;
  std::string executions = "executions", events = "events";
  if (checks != 1) {
    executions.append("_").append(std::to_string(checks));
    events.append("_").append(std::to_string(checks));
  }
  ::testing::Test::RecordProperty(executions, std::to_string(r.found.executions));
  ::testing::Test::RecordProperty(events, std::to_string(r.found.events));
}

inline ::testing::AssertionResult compared(const ran& done, violation expected) {
  const result& r = done.found;
  if (r.recheck && r.recheck->rejected != 0) {
    return ::testing::AssertionFailure()
           << "a fault of the checker: the axioms reject a graph that was explored ("
           << r.recheck->why << ")\n"
           << r.recheck->graph;
  }
  const violation found =
      r.outcome == verdict::violated && r.violation ? r.violation->kind : violation::none;
  const bool shows_nothing = r.outcome == verdict::verified && r.executions == 0;
  if (r.outcome != verdict::incomplete && found == expected && !shows_nothing) {
    if (expected == violation::none) tell(done);
    return ::testing::AssertionSuccess();
  }
  auto failure = ::testing::AssertionFailure();
  if (shows_nothing) failure << "no execution is complete: nothing is shown\n";
  if (expected != violation::none) {
    failure << "expected a violation of the kind " << to_string(expected) << ", but:\n";
  }
  return failure << to_text(r);
}

template <class... Arguments>
::testing::AssertionResult verified(Arguments&&... arguments) {
  return compared(run(std::forward<Arguments>(arguments)...), violation::none);
}

template <class... Arguments>
::testing::AssertionResult violated(violation expected, Arguments&&... arguments) {
  return compared(run(std::forward<Arguments>(arguments)...), expected);
}

template <template <class> class Scenario>
::testing::AssertionResult as_stated(checked_scenario<Scenario> s) {
  return compared(run(options{}, s), Scenario<checked_atomics>::about.expected);
}

}  // namespace gtest
}  // namespace fencepost::verify

// The switch keeps a dangling else from pairing with the if; a failure goes on as a stream.
#define FENCEPOST_GTEST_CHECK(outcome, fail)                                             \
  switch (0)                                                                             \
  case 0:                                                                                \
  default:                                                                               \
    if (const ::testing::AssertionResult fencepost_outcome = outcome; fencepost_outcome) \
      ;                                                                                  \
    else                                                                                 \
      fail() << fencepost_outcome.message()

// Variadic: a lambda may have commas.
#define EXPECT_VERIFIED(...) \
  FENCEPOST_GTEST_CHECK(::fencepost::verify::gtest::verified(__VA_ARGS__), ADD_FAILURE)
#define ASSERT_VERIFIED(...) \
  FENCEPOST_GTEST_CHECK(::fencepost::verify::gtest::verified(__VA_ARGS__), GTEST_FAIL)
#define EXPECT_VIOLATED(...) \
  FENCEPOST_GTEST_CHECK(::fencepost::verify::gtest::violated(__VA_ARGS__), ADD_FAILURE)
#define ASSERT_VIOLATED(...) \
  FENCEPOST_GTEST_CHECK(::fencepost::verify::gtest::violated(__VA_ARGS__), GTEST_FAIL)
#define EXPECT_SCENARIO(...)                                                            \
  FENCEPOST_GTEST_CHECK(                                                                \
      ::fencepost::verify::gtest::as_stated(::fencepost::verify::checked<__VA_ARGS__>), \
      ADD_FAILURE)
#define ASSERT_SCENARIO(...)                                                            \
  FENCEPOST_GTEST_CHECK(                                                                \
      ::fencepost::verify::gtest::as_stated(::fencepost::verify::checked<__VA_ARGS__>), \
      GTEST_FAIL)
