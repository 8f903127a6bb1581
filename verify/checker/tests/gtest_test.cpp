// The macros of fencepost/verify/gtest.hpp: what passes, what fails, and what a failure says.
#include "fencepost/verify/gtest.hpp"

#include <gtest/gtest-spi.h>

#include <map>
#include <string>

namespace fencepost::verify::testing {
namespace {

using checked_int = checked_atomics::atomic<int>;

// A message that arrives whole if its flag is released.
template <class P, std::memory_order Order, violation Expected>
struct message {
  static constexpr auto about =
      scenario{.name = "message/arrives", .threads = 2, .claim = "whole", .expected = Expected};
  typename P::template plain<int> data{0};
  typename P::template atomic<int> flag{0};
  void thread(unsigned i) {
    if (i == 0) {
      data.set(7);
      flag.store(1, Order);
    } else if (flag.load(std::memory_order_acquire) == 1) {
      require(data.get() == 7, "the message is whole");
    }
  }
  void after() { require(data.get() == 7, "it was sent"); }
};
template <class P>
using released = message<P, std::memory_order_release, violation::none>;
template <class P>
using racy = message<P, std::memory_order_relaxed, violation::data_race>;
template <class P>
using unexpectedly_racy = message<P, std::memory_order_relaxed, violation::none>;
template <class P>
using unexpectedly_right = message<P, std::memory_order_release, violation::data_race>;

template <class P>
struct counted {
  static constexpr auto about = scenario{.name = "counted/steps", .threads = 3};
  typename P::template atomic<int> x{0};
  void before() { x.store(10, std::memory_order_relaxed); }
  void thread(unsigned) { x.fetch_add(1, std::memory_order_relaxed); }
  void after() { require(x.load(std::memory_order_relaxed) == 13); }
};

void right() {
  checked_int x{0};
  checked_atomics::thread t([&] { x.fetch_add(1); });
  t.join();
  require(x.load() == 1, "one");
}

void wrong() {
  checked_int x{0};
  checked_atomics::thread t([&] { x.store(1); });
  require(x.load() == 0, "nobody was faster");
  t.join();
}

TEST(gtest, what_is_right_passes) {
  EXPECT_VERIFIED(right);
  ASSERT_VERIFIED(right);
  EXPECT_VERIFIED([] { right(); });
  EXPECT_VERIFIED(checked<released>);
  EXPECT_VERIFIED(checked<counted>);
  EXPECT_SCENARIO(released);
  ASSERT_SCENARIO(counted);
}

TEST(gtest, an_expected_violation_passes) {
  EXPECT_VIOLATED(violation::assertion, wrong);
  ASSERT_VIOLATED(violation::assertion, wrong);
  EXPECT_VIOLATED(violation::data_race, checked<racy>);
  EXPECT_SCENARIO(racy);
}

TEST(gtest, options_may_come_first) {
  options o;
  o.model = memory_model::cpp20;
  EXPECT_VERIFIED(o, right);
  EXPECT_VERIFIED(o, checked<released>);
  EXPECT_VIOLATED(violation::assertion, o, wrong);
}

TEST(gtest, a_body_may_have_commas) {
  EXPECT_VERIFIED([] {
    const checked_int x{0};
    int a = 1, b = 2;
    require(a + 1 == b, "text, with a comma");
  });
}

TEST(gtest, a_violation_fails_with_its_counterexample) {
  EXPECT_NONFATAL_FAILURE(EXPECT_VERIFIED(wrong), "nobody was faster");
  EXPECT_NONFATAL_FAILURE(EXPECT_VERIFIED(wrong), "gtest_test.cpp:");
  EXPECT_NONFATAL_FAILURE(EXPECT_VERIFIED(wrong), "thread 1");
  EXPECT_NONFATAL_FAILURE(EXPECT_VERIFIED(checked<racy>), "data race");
  EXPECT_FATAL_FAILURE(ASSERT_VERIFIED(wrong), "nobody was faster");
}

TEST(gtest, a_failure_can_be_explained) {
  EXPECT_NONFATAL_FAILURE(EXPECT_VERIFIED(wrong) << "and what was added", "and what was added");
}

TEST(gtest, a_violation_that_is_missing_fails) {
  EXPECT_NONFATAL_FAILURE(EXPECT_VIOLATED(violation::data_race, right), "data race");
  EXPECT_NONFATAL_FAILURE(EXPECT_VIOLATED(violation::data_race, right), "verified");
  EXPECT_FATAL_FAILURE(ASSERT_VIOLATED(violation::data_race, right), "data race");
}

TEST(gtest, another_violation_than_the_expected_one_fails) {
  EXPECT_NONFATAL_FAILURE(EXPECT_VIOLATED(violation::data_race, wrong), "nobody was faster");
}

TEST(gtest, a_scenario_that_does_not_keep_to_what_it_says_fails) {
  EXPECT_NONFATAL_FAILURE(EXPECT_SCENARIO(unexpectedly_racy), "data race");
  EXPECT_NONFATAL_FAILURE(EXPECT_SCENARIO(unexpectedly_right), "data race");
  EXPECT_FATAL_FAILURE(ASSERT_SCENARIO(unexpectedly_racy), "message/arrives");
}

TEST(gtest, what_was_not_explored_to_the_end_is_not_verified) {
  static options o;
  o.max_executions = 1;
  static const auto body = [] {
    checked_int x{0};
    checked_atomics::thread t([&] { x.fetch_add(1); });
    x.fetch_add(1);
    t.join();
  };
  EXPECT_NONFATAL_FAILURE(EXPECT_VERIFIED(o, body), "incomplete");
  EXPECT_NONFATAL_FAILURE(EXPECT_VIOLATED(violation::leak, o, body), "incomplete");
}

TEST(gtest, the_test_names_the_check) {
  EXPECT_NONFATAL_FAILURE(EXPECT_VERIFIED(wrong), "gtest.the_test_names_the_check");
  static options o;
  o.name = "a name of its own";
  EXPECT_NONFATAL_FAILURE(EXPECT_VERIFIED(o, wrong), "a name of its own");
}

// ---------------------------------------------------------------------------------------------
// What a check that holds prints.

std::string printed(void (*test)()) {
  ::testing::internal::CaptureStdout();
  test();
  return ::testing::internal::GetCapturedStdout();
}

TEST(gtest, what_is_verified_prints_a_line) {
  EXPECT_EQ(printed([] { EXPECT_VERIFIED(right); }),
            "[ verified ] gtest.what_is_verified_prints_a_line: verified: 1 execution, at most 2 "
            "threads and 4 events, watched 1 atomic; no plain data was watched: data races are not "
            "checked; no load-buffering race; at most 1 spurious failure, 1 spurious wake-up and 1 "
            "time-out an execution\n");
  EXPECT_EQ(printed([] { EXPECT_SCENARIO(released); }),
            "[ verified ] message/arrives: verified: 2 executions, at most 3 threads and 4 events, "
            "watched 1 atomic and 1 plain object; no load-buffering race; at most 1 spurious "
            "failure, 1 spurious wake-up and 1 time-out an execution\n");
  EXPECT_EQ(printed([] { EXPECT_SCENARIO(racy); }), "");
  EXPECT_EQ(printed([] { EXPECT_VIOLATED(violation::assertion, wrong); }), "");
}

TEST(gtest, executions_and_events_are_test_properties) {
  EXPECT_VERIFIED(right);
  EXPECT_VERIFIED(checked<counted>);
  const ::testing::TestResult& so_far =
      *::testing::UnitTest::GetInstance()->current_test_info()->result();
  std::map<std::string, std::string> properties;
  for (int i = 0; i < so_far.test_property_count(); ++i)
    properties[so_far.GetTestProperty(i).key()] = so_far.GetTestProperty(i).value();
  const std::map<std::string, std::string> expected{
      {"executions", "1"}, {"events", "4"}, {"executions_2", "6"}, {"events_2", "7"}};
  EXPECT_EQ(properties, expected);
}

TEST(gtest, a_body_that_uses_nothing_of_the_policy_fails) {
  EXPECT_NONFATAL_FAILURE(EXPECT_VERIFIED([] { require(true); }),
                          "nothing goes through the checker");
}

// ---------------------------------------------------------------------------------------------
// Assertions of GoogleTest inside a body.

TEST(gtest, an_assertion_that_fails_in_a_body_is_a_violation) {
  static const auto body = [] {
    checked_int x{0};
    checked_atomics::thread t([&] { x.fetch_add(1); });
    EXPECT_EQ(x.load(), 0) << "with words";
    t.join();
    x.store(7);
  };
  EXPECT_NONFATAL_FAILURE(EXPECT_VERIFIED(body), "assertion: Expected equality of these values:");
  EXPECT_NONFATAL_FAILURE(EXPECT_VERIFIED(body), "Which is: 1");
  EXPECT_NONFATAL_FAILURE(EXPECT_VERIFIED(body), "with words");
  EXPECT_NONFATAL_FAILURE(EXPECT_VERIFIED(body), "gtest_test.cpp:");
  EXPECT_NONFATAL_FAILURE(EXPECT_VERIFIED(body), "fetch_add seq_cst x = 0 := 1");
  EXPECT_VIOLATED(violation::assertion, body);
}

TEST(gtest, a_fatal_assertion_or_a_failure_in_a_thread_is_one_as_well) {
  static const auto fatal = [] {
    checked_int x{0};
    checked_atomics::thread t([&] {
      ASSERT_EQ(x.load(), 1);
      x.store(2);
    });
    t.join();
  };
  EXPECT_NONFATAL_FAILURE(EXPECT_VERIFIED(fatal), "Which is: 0");
  static const auto at_the_end = [] {
    const checked_int x{0};
    ADD_FAILURE() << "at the end";
  };
  EXPECT_NONFATAL_FAILURE(EXPECT_VERIFIED(at_the_end), "at the end");
  static const auto before_a_wait = [] {
    checked_int x{0};
    ADD_FAILURE() << "before a wait";
    while (x.load() == 0) checked_atomics::spin_pause();
  };
  EXPECT_NONFATAL_FAILURE(EXPECT_VERIFIED(before_a_wait), "before a wait");
  static const auto skips = [] {
    const checked_int x{0};
    GTEST_SKIP() << "not now";
  };
  EXPECT_NONFATAL_FAILURE(EXPECT_VERIFIED(skips), "GTEST_SKIP() inside a body");
}

TEST(gtest, an_assertion_that_holds_in_a_body_changes_nothing) {
  EXPECT_VERIFIED([] {
    checked_int x{0};
    x.store(1);
    EXPECT_EQ(x.load(), 1) << "not needed";
    ASSERT_TRUE(x.load() == 1);
  });
}

TEST(gtest, a_check_without_a_macro_has_them_too) {
  const result r = check({}, [] {
    checked_int x{0};
    EXPECT_EQ(x.load(), 1);
  });
  ASSERT_TRUE(r.violation) << to_text(r);
  EXPECT_EQ(r.violation->kind, violation::assertion);
}

TEST(gtest, an_assertion_that_fails_beside_a_body_is_an_ordinary_one) {
  static const auto beside = [] {
    options o;
    o.on_graph = [](std::uint64_t) { ADD_FAILURE() << "beside the body"; };
    EXPECT_TRUE(check(o, right));
  };
  EXPECT_NONFATAL_FAILURE(beside(), "beside the body");
}

TEST(gtest, goes_with_if_and_else) {
  bool reached = false;
  if (reached)
    EXPECT_VERIFIED(wrong);
  else
    reached = true;
  EXPECT_TRUE(reached);
}

}  // namespace
}  // namespace fencepost::verify::testing
