// The inbox of the project under Fencepost's checker: every execution that the memory model allows.
#include "inbox.hpp"

#include "fencepost/verify/gtest.hpp"

namespace {

using fencepost::checked_atomics;
using fencepost::require;
using checked_inbox = inbox<int, checked_atomics>;

// [test]
TEST(inbox, a_message_is_whole_when_it_is_taken) {
  const auto body = [] {
    checked_inbox box;
    checked_inbox::message m{7};
    checked_atomics::thread sender([&] { box.post(m); });
    if (const auto* taken = box.take_all()) {
      require(taken->value() == 7 && taken->older() == nullptr, "the message is whole");
    }
    sender.join();
  };
  EXPECT_VERIFIED(body);
}
// [test]

TEST(inbox, each_message_is_taken_once) {
  const auto body = [] {
    checked_inbox box;
    checked_inbox::message one{1}, two{2};
    checked_atomics::thread first([&] { box.post(one); });
    checked_atomics::thread second([&] { box.post(two); });
    int sum = 0;
    const auto take = [&] {
      for (const auto* m = box.take_all(); m != nullptr; m = m->older()) sum += m->value();
    };
    take();
    first.join();
    second.join();
    take();
    require(sum == 3, "both have come, and each once");
  };
  EXPECT_VERIFIED(body);
}

}  // namespace
