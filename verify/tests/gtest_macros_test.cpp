// The macros for GoogleTest, on a mailbox of one message.
#include <gtest/gtest-spi.h>
#include <gtest/gtest.h>

#include "fencepost/verify/gtest.hpp"

namespace fencepost::verify {
namespace {

// The order of the store that says that the message is there.
template <class P, std::memory_order Ready>
struct mailbox {
  typename P::template plain<int> message{0};
  typename P::template atomic<int> ready{0};

  void send(int value) {
    message.set(value);
    ready.store(1, Ready);
  }
  int receive() {
    while (ready.load(std::memory_order_acquire) == 0) P::spin_pause();
    return message.get();
  }
};

template <class P, std::memory_order Ready>
struct message_passes {
  mailbox<P, Ready> box;
  void thread(unsigned index) {
    if (index == 0) {
      box.send(7);
    } else {
      require(box.receive() == 7, "the message is whole");
    }
  }
};

template <class P>
struct message_arrives : message_passes<P, std::memory_order_release> {
  static constexpr auto about = scenario{.name = "mailbox/message_arrives"};
};

template <class P>
struct message_is_read_too_early : message_passes<P, std::memory_order_relaxed> {
  static constexpr auto about =
      scenario{.name = "mailbox/message_is_read_too_early", .expected = violation::data_race};
};

// As above, and it says that it holds.
template <class P>
struct message_arrives_not : message_passes<P, std::memory_order_relaxed> {
  static constexpr auto about = scenario{.name = "mailbox/message_arrives_not"};
};

template <std::memory_order Ready>
void pass_a_message() {
  mailbox<checked_atomics, Ready> box;
  checked_atomics::thread sender([&] { box.send(7); });
  require(box.receive() == 7, "the message is whole");
  sender.join();
}

TEST(gtest_macros, take_a_body) {
  EXPECT_VERIFIED(pass_a_message<std::memory_order_release>);
  EXPECT_VIOLATED(violation::data_race, pass_a_message<std::memory_order_relaxed>);
  ASSERT_VERIFIED([] {
    int one = 1, two = 2;  // a comma outside of parentheses
    require(one < two);
  }) << "can say more";
  if (HasFailure())
    EXPECT_VERIFIED([] {});
  else
    SUCCEED();
}

TEST(gtest_macros, take_a_scenario) {
  EXPECT_VERIFIED(checked<message_arrives>);
  EXPECT_VIOLATED(violation::data_race, checked<message_is_read_too_early>);
  EXPECT_SCENARIO(message_arrives);
  ASSERT_SCENARIO(message_is_read_too_early);
}

TEST(gtest_macros, take_options_first) {
  options o;
  o.model = memory_model::rc11;
  EXPECT_VERIFIED(o, pass_a_message<std::memory_order_release>);
  EXPECT_VIOLATED(violation::data_race, o, checked<message_is_read_too_early>);
}

TEST(gtest_macros, a_failure_shows_the_counterexample) {
  EXPECT_NONFATAL_FAILURE(EXPECT_VERIFIED(pass_a_message<std::memory_order_relaxed>),
                          "store relaxed ready := 1");
  EXPECT_NONFATAL_FAILURE(EXPECT_VERIFIED(pass_a_message<std::memory_order_relaxed>) << "and this",
                          "and this");
  EXPECT_NONFATAL_FAILURE(EXPECT_SCENARIO(message_arrives_not), "data race");
  EXPECT_NONFATAL_FAILURE(
      EXPECT_VIOLATED(violation::leak, pass_a_message<std::memory_order_release>),
      "expected a violation of the kind leak");
}

TEST(gtest_macros, what_was_not_explored_to_the_end_is_not_verified) {
  static options o;  // the macro runs it in a function of its own
  o.max_executions = 1;
  EXPECT_NONFATAL_FAILURE(
      EXPECT_VERIFIED(o,
                      [] {
                        checked_atomics::atomic<int> x{0};
                        checked_atomics::thread t([&] { x.store(1, std::memory_order_relaxed); });
                        x.load(std::memory_order_relaxed);
                        t.join();
                      }),
      "incomplete");
}

}  // namespace
}  // namespace fencepost::verify
