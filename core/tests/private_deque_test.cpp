// The deque that answers requests, one step at a time, and on real threads.
#include "fencepost/deque/private_deque.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <new>
#include <optional>
#include <vector>

#include "failing_allocator.hpp"
#include "thread_group.hpp"

namespace fencepost::private_deque_tests {
namespace {

using deque = private_deque<int>;

void expect_given(deque& items, int item) {
  deque::request mine;
  ASSERT_TRUE(items.ask(mine));
  EXPECT_FALSE(mine.answered());
  EXPECT_TRUE(items.poll());
  ASSERT_TRUE(mine.answered());
  EXPECT_EQ(mine.result().outcome, steal_outcome::stolen);
  EXPECT_EQ(mine.result().item, item);
}

TEST(private_deque, the_owner_pops_the_last_item_first) {
  deque items;
  for (const int item : {1, 2, 3}) items.push(item);
  for (const int item : {3, 2, 1}) EXPECT_EQ(items.pop(), item);
  EXPECT_EQ(items.pop(), std::nullopt);
}

TEST(private_deque, a_thief_is_given_the_oldest_item_first) {
  deque items;
  for (const int item : {1, 2, 3}) items.push(item);
  expect_given(items, 1);
  expect_given(items, 2);
  EXPECT_EQ(items.size(), 1u);
  EXPECT_EQ(items.pop(), 3);
}

TEST(private_deque, a_thief_is_refused_when_there_is_nothing) {
  deque items;
  deque::request mine;
  ASSERT_TRUE(items.ask(mine));
  EXPECT_FALSE(items.poll());
  ASSERT_TRUE(mine.answered());
  EXPECT_EQ(mine.result().outcome, steal_outcome::no_work);
}

TEST(private_deque, a_poll_without_a_request_gives_nothing) {
  deque items;
  items.push(1);
  EXPECT_FALSE(items.poll());
  EXPECT_EQ(items.size(), 1u);
}

TEST(private_deque, one_thief_asks_at_a_time) {
  deque items;
  items.push(1);
  deque::request first, second;
  ASSERT_TRUE(items.ask(first));
  EXPECT_FALSE(items.ask(second));
  EXPECT_FALSE(items.withdraw(second)) << "it is not posted";
  EXPECT_TRUE(items.withdraw(first));
  EXPECT_TRUE(items.ask(second));
  EXPECT_TRUE(items.poll());
  EXPECT_FALSE(items.withdraw(second)) << "it is answered";
  EXPECT_EQ(second.result().item, 1);
}

TEST(private_deque, a_request_that_was_withdrawn_is_not_answered) {
  deque items;
  items.push(1);
  deque::request mine;
  ASSERT_TRUE(items.ask(mine));
  ASSERT_TRUE(items.withdraw(mine));
  EXPECT_FALSE(items.poll());
  EXPECT_FALSE(mine.answered());
  EXPECT_EQ(items.pop(), 1);
}

TEST(private_deque, a_steal_asks_only_an_owner_that_offers_something) {
  deque items;
  deque::request mine;
  unsigned waits = 0;
  const auto steal = [&] { return items.steal(mine, 3, [&] { ++waits; }).outcome; };
  EXPECT_EQ(steal(), steal_outcome::no_work);
  EXPECT_EQ(waits, 0u);
  items.push(1);
  EXPECT_TRUE(items.offers());
  EXPECT_EQ(steal(), steal_outcome::retry) << "the owner does not poll";
  EXPECT_EQ(waits, 3u);
  EXPECT_EQ(items.steal(mine, 3, [&] { items.poll(); }).item, 1);
  EXPECT_FALSE(items.offers());
  items.push(2);
  EXPECT_EQ(items.pop(), 2);
  EXPECT_FALSE(items.offers());
}

TEST(private_deque, a_full_deque_grows_and_keeps_the_order) {
  deque items{3};  // four slots, in fact
  items.push(-1);
  expect_given(items, -1);  // so that the items do not begin at slot 0
  for (int item = 0; item < 100; ++item) items.push(item);
  for (int item = 0; item < 50; ++item) expect_given(items, item);
  for (int item = 99; item >= 50; --item) EXPECT_EQ(items.pop(), item);
  EXPECT_EQ(items.size(), 0u);
}

TEST(private_deque, a_growth_without_memory_loses_nothing) {
  deque items{2};
  items.push(1);
  items.push(2);
  {
    const allocations_fail_after none{0};
    EXPECT_THROW(items.push(3), std::bad_alloc);
  }
  EXPECT_EQ(items.size(), 2u);
  items.push(3);
  for (const int item : {3, 2, 1}) EXPECT_EQ(items.pop(), item);
}

TEST(private_deque, construction_without_memory_leaves_nothing_behind) {
  const allocations_fail_after none{0};
  EXPECT_THROW(deque{2}, std::bad_alloc);
  EXPECT_EQ(none.outstanding(), 0);
}

TEST(private_deque, items_may_be_larger_than_a_word) {
  struct large {
    std::uint64_t words[5];
  };
  private_deque<large> items{1};
  private_deque<large>::request mine;
  items.push({{1, 2, 3, 4, 5}});
  ASSERT_TRUE(items.ask(mine));
  EXPECT_TRUE(items.poll());
  EXPECT_EQ(mine.result().item.words[4], 5u);
}

// An owner that works through its items, and thieves that take what they are given.
TEST(private_deque, every_item_is_obtained_once_on_real_threads) {
  constexpr unsigned thieves = 3, items = 20'000;
  deque own;
  std::vector<std::atomic<unsigned>> times(items);
  std::atomic<bool> over{false};
  thread_group threads;
  threads.start(thieves, [&](unsigned) {
    deque::request mine;
    while (!over.load()) {
      const auto theft = own.steal(mine, 100, [] { default_atomics::yield(); });
      if (theft.outcome == steal_outcome::stolen) {
        times[static_cast<unsigned>(theft.item)].fetch_add(1);
      }
    }
  });
  for (unsigned item = 0; item < items; ++item) {
    own.push(static_cast<int>(item));
    own.poll();
    if (item % 3 == 0) {
      if (const auto mine = own.pop()) times[static_cast<unsigned>(*mine)].fetch_add(1);
    }
  }
  while (own.size() != 0) {
    own.poll();
    if (const auto mine = own.pop()) times[static_cast<unsigned>(*mine)].fetch_add(1);
  }
  over.store(true);
  // A thief with a pending request does not wait for the answer: it withdraws.
  threads.join();
  for (unsigned item = 0; item < items; ++item) EXPECT_EQ(times[item].load(), 1u) << item;
}

}  // namespace
}  // namespace fencepost::private_deque_tests
