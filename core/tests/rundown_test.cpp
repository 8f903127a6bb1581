// The rundown, one step at a time, and on real threads.
#include "fencepost/sync/rundown.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <thread>
#include <vector>

namespace fencepost {
namespace {

TEST(a_rundown, lets_in_until_it_is_closed) {
  rundown<> entrance;
  EXPECT_TRUE(entrance.try_enter());
  EXPECT_TRUE(entrance.try_enter());
  entrance.leave();
  entrance.leave();
  entrance.close();
  EXPECT_FALSE(entrance.try_enter());
  entrance.close();  // again
  EXPECT_FALSE(entrance.try_enter());
}

// Random calls against a count and a flag: enter, leave and, with nobody inside, close.
RC_GTEST_PROP(a_rundown_model, agrees_with_a_count_and_a_flag,
              (const std::vector<std::uint8_t>& steps)) {
  rundown<> entrance;
  int inside = 0;
  bool closed = false;
  for (const std::uint8_t step : steps) {
    if (step % 8 == 0 && inside == 0) {
      entrance.close();
      closed = true;
    } else if (step % 2 == 0 && inside > 0) {
      entrance.leave();
      --inside;
    } else {
      const bool entered = entrance.try_enter();
      RC_ASSERT(entered == !closed);
      inside += entered ? 1 : 0;
    }
  }
  for (; inside > 0; --inside) entrance.leave();
  entrance.close();
  RC_ASSERT_FALSE(entrance.try_enter());
}

TEST(a_rundown, waits_for_those_inside) {
  rundown<> entrance;
  ASSERT_TRUE(entrance.try_enter());
  std::atomic<bool> closed{false};
  std::thread closer{[&] {
    entrance.close();
    closed = true;
  }};
  while (entrance.try_enter()) entrance.leave();  // until it is closed
  EXPECT_FALSE(closed.load());
  entrance.leave();
  closer.join();
  EXPECT_TRUE(closed.load());
}

TEST(a_rundown, may_go_when_it_is_closed) {
  for (int round = 0; round < 200; ++round) {
    auto guarded = std::make_unique<int>(0);
    auto entrance = std::make_unique<rundown<>>();
    std::atomic<int> ready{0};
    std::vector<std::thread> callers;
    for (int i = 0; i < 3; ++i) {
      callers.emplace_back([&, seen = entrance.get()] {
        const bool entered = seen->try_enter();
        ++ready;
        if (!entered) return;
        EXPECT_EQ(*guarded, 0);
        seen->leave();
      });
    }
    while (ready.load() < 3) std::this_thread::yield();
    entrance->close();
    entrance.reset();
    guarded.reset();
    for (auto& caller : callers) caller.join();
  }
}

}  // namespace
}  // namespace fencepost
