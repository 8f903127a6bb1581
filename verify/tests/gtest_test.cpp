// The macros of fencepost/verify/gtest.hpp: what passes, what fails, and what a failure says.
#include "fencepost/verify/gtest.hpp"

#include <gtest/gtest-spi.h>

#include <string>

namespace fencepost::verify::testing {
namespace {

using checked_int = checked_atomics::atomic<int>;

// A message that is whole if its flag is released.
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
