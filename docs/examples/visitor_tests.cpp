// Tests with GoogleTest for docs/guide/check-a-program.md: of a counter that two threads share.
#include <gtest/gtest.h>

// [tests]
#include <atomic>
#include <thread>

struct visitors : testing::Test {
  std::atomic<int> count{0};
};

TEST_F(visitors, are_counted) {
  std::thread other([&] { count.fetch_add(1); });
  count.fetch_add(1);
  other.join();
  EXPECT_EQ(count, 2);
}

TEST_F(visitors, are_counted_by_two_steps) {
  std::thread other([&] { count.store(count.load() + 1); });
  count.store(count.load() + 1);
  other.join();
  EXPECT_EQ(count, 2);
}
// [tests]
