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
// added with <<.
//
// Give a lambda a name before you pass it: a compiler gives all lines of a macro's argument the
// number of one of them, and the counterexample would name that. Inside a body say require(), not
// EXPECT_EQ() and its like, which know nothing of the checker.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <type_traits>
#include <utility>

#include "fencepost/verify/check.hpp"
#include "fencepost/verify/checked_atomics.hpp"
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

template <template <class> class Scenario>
result run(const options& o, checked_scenario<Scenario>) {
  return check_scenario<Scenario<checked_atomics>>(o);
}

template <class Body>
result run(options o, Body&& body) {
  if (o.name == options{}.name) {
    if (const auto* test = ::testing::UnitTest::GetInstance()->current_test_info()) {
      o.name = std::string(test->test_suite_name()) + "." + test->name();
    }
  }
  return check(o, std::forward<Body>(body));
}

template <class Body>
result run(Body&& body) {
  return run(options{}, std::forward<Body>(body));
}

inline ::testing::AssertionResult compared(const result& r, violation expected) {
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
