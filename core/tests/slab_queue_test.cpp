// The queue of slabs, one step at a time; queues_of_slabs_test.cpp covers what it shares with other
// queues.
#include "fencepost/queue/slab_queue.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "counted_slabs.hpp"

namespace fencepost {
namespace {

constexpr slab_shape small{.slots = 4, .word_bits = 2, .buckets = 2};

template <class T>
using small_queue = slab_queue<T, default_atomics, small>;

TEST(slab_queue, slabs_may_have_one_slot_and_words_one_bit) {
  slab_queue<int, default_atomics, slab_shape{.slots = 1, .word_bits = 1, .buckets = 1}> one;
  slab_queue<int, default_atomics, slab_shape{.slots = 3, .word_bits = 1, .buckets = 1}> three;
  slab_queue<int, default_atomics, slab_shape{.slots = 64, .word_bits = 64, .buckets = 1}> word;
  for (int number = 0; number < 200; ++number) {
    one.push(int{number});
    three.push(int{number});
    word.push(int{number});
  }
  expect_numbers(one, 0, 200);
  expect_numbers(three, 0, 200);
  expect_numbers(word, 0, 200);
}

TEST(slab_queue, a_push_that_is_not_done_keeps_back_no_other_item_and_one_slab) {
  small_queue<slow_item> queue;
  queue.push(0);
  queue.push({1, [&queue] {
                for (int number = 2; number < 30; ++number) queue.push(int{number});
                EXPECT_EQ(queue.pop()->number, 0);
                for (int number = 2; number < 30; ++number) EXPECT_EQ(queue.pop()->number, number);
                EXPECT_TRUE(queue.empty());
                EXPECT_EQ(slabs_alive, 3) << "its own, the last one, and the spare one";
              }});
  EXPECT_FALSE(queue.empty());
  EXPECT_EQ(queue.pop()->number, 1);
  EXPECT_TRUE(queue.empty());
  EXPECT_EQ(slabs_alive, 2);
}

TEST(refcount_buckets, an_object_that_is_held_is_not_idle) {
  refcount_buckets<> buckets;
  const int object = 0;
  EXPECT_TRUE(buckets.idle(&object));
  auto& first = buckets.hold(&object);
  auto& second = buckets.hold(&object);
  EXPECT_FALSE(buckets.idle(&object));
  refcount_buckets<>::drop(first);
  EXPECT_FALSE(buckets.idle(&object));
  refcount_buckets<>::drop(second);
  EXPECT_TRUE(buckets.idle(&object));
}

TEST(refcount_buckets, objects_that_share_a_bucket_are_held_together) {
  refcount_buckets<default_atomics, 1> buckets;
  const int objects[2] = {};
  auto& held = buckets.hold(&objects[0]);
  EXPECT_FALSE(buckets.idle(&objects[1]));
  refcount_buckets<default_atomics, 1>::drop(held);
  EXPECT_TRUE(buckets.idle(&objects[1]));
}

TEST(refcount_buckets, the_hash_is_the_last_step_of_splitmix64) {
  static_assert(hash_of_address(0) == 0);
  static_assert(hash_of_address(1) == 0x5692'161d'100b'05e5);
}

TEST(refcount_buckets, the_top_byte_of_an_address_does_not_count) {
  EXPECT_EQ(hash_of_address(0xab00'1234'5678'9abc), hash_of_address(0x0000'1234'5678'9abc));
}

// Slabs lie at regular distances; their addresses must still spread over the buckets.
TEST(refcount_buckets, addresses_spread_over_the_buckets) {
  for (const std::uint64_t distance : {64u, 4096u, 4352u, 8448u, 65536u}) {
    std::vector<unsigned> objects(32, 0);
    for (std::uint64_t i = 0; i < 3200; ++i) {
      ++objects[hash_of_address(0x7f12'3456'0040 + i * distance) % 32];
    }
    for (const unsigned count : objects) {
      EXPECT_GT(count, 50u) << distance;
      EXPECT_LT(count, 150u) << distance;
    }
  }
}

}  // namespace
}  // namespace fencepost
