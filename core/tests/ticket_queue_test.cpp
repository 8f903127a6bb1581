// The queue of tickets, one step at a time; queues_of_slabs_test.cpp covers what it shares with
// other queues.
#include "fencepost/queue/ticket_queue.hpp"

#include <gtest/gtest.h>

#include <cstdint>

#include "counted_slabs.hpp"

namespace fencepost::ticket_queue_tests {
namespace {

template <class T>
using small_queue = ticket_queue<T, default_atomics, 4>;

TEST(ticket_queue, a_slab_of_numbers_has_eight_kibibytes) {
  const long before = bytes_of_slabs;
  const ticket_queue<std::uint64_t> queue;
  EXPECT_EQ(bytes_of_slabs - before, 2 * 8192);
}

// The slabs of a task_runner: marks, items of 64 bytes and the other members, in whole kibibytes.
TEST(ticket_queue, a_slab_of_large_items_has_a_byte_more_for_each) {
  struct large {
    std::uint64_t words[8];
  };
  const long before = bytes_of_slabs;
  const ticket_queue<large, default_atomics, 512> queue;
  EXPECT_EQ(bytes_of_slabs - before, 2 * (64 + 512 * (1 + 64) + 448));
}

TEST(ticket_queue, slabs_may_have_any_number_of_slots) {
  ticket_queue<int, default_atomics, 1> one;
  ticket_queue<int, default_atomics, 3> three;
  ticket_queue<int, default_atomics, 64> many;
  for (int number = 0; number < 200; ++number) {
    one.push(int{number});
    three.push(int{number});
    many.push(int{number});
  }
  expect_numbers(one, 0, 200);
  expect_numbers(three, 0, 200);
  expect_numbers(many, 0, 200);
}

TEST(ticket_queue, a_push_that_is_not_done_keeps_back_the_items_after_it) {
  small_queue<slow_item> queue;
  queue.push(0);
  queue.push({1, [&queue] {
                for (int number = 2; number < 30; ++number) queue.push(int{number});
                EXPECT_EQ(queue.pop()->number, 0);
                EXPECT_FALSE(queue.ready());
                EXPECT_FALSE(queue.pop().has_value());
                EXPECT_FALSE(queue.empty());
              }});
  for (int number = 1; number < 30; ++number) {
    EXPECT_TRUE(queue.ready());
    EXPECT_EQ(queue.pop()->number, number);
  }
  EXPECT_TRUE(queue.empty());
  EXPECT_FALSE(queue.ready());
  EXPECT_EQ(slabs_alive, 2);
}

// The first push to a slab, while that is the last slab and after another has followed.
TEST(ticket_queue, a_push_that_is_not_done_keeps_back_its_slab) {
  small_queue<slow_item> queue;
  for (int number = 0; number < 4; ++number) queue.push(int{number});
  queue.push({4, [&queue] {
                for (int number = 0; number < 4; ++number) EXPECT_EQ(queue.pop()->number, number);
                EXPECT_FALSE(queue.pop().has_value());
                EXPECT_FALSE(queue.empty());
                for (int number = 5; number < 13; ++number) queue.push(int{number});
                EXPECT_FALSE(queue.pop().has_value());
              }});
  for (int number = 4; number < 13; ++number) EXPECT_EQ(queue.pop()->number, number);
  EXPECT_TRUE(queue.empty());
  EXPECT_EQ(slabs_alive, 2);
}

}  // namespace
}  // namespace fencepost::ticket_queue_tests
