// What the queues made of slabs have in common: their operations one step at a time, their memory,
// and what happens when there is none. The scenarios cover what happens concurrently.
#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <new>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "counted_slabs.hpp"
#include "fencepost/queue/slab_queue.hpp"
#include "fencepost/queue/ticket_queue.hpp"

namespace fencepost {
namespace {

struct of_slabs {
  template <class T>
  using small =
      slab_queue<T, default_atomics, slab_shape{.slots = 4, .word_bits = 2, .buckets = 2}>;
  using large = slab_queue<int>;
  static constexpr long slots_of_large = 512;
};
struct of_tickets {
  template <class T>
  using small = ticket_queue<T, default_atomics, 4>;
  using large = ticket_queue<int>;
  static constexpr long slots_of_large = 508;
};
template <class>
class queues_of_slabs : public testing::Test {};
using both = testing::Types<of_slabs, of_tickets>;
TYPED_TEST_SUITE(queues_of_slabs, both, );

// The number of pushes until one allocates.
template <class Queue>
long pushes_without_allocation(Queue& queue) {
  const long before = slabs_allocated;
  for (long pushes = 0;; ++pushes) {
    queue.push(0);
    if (slabs_allocated != before) return pushes;
  }
}

TYPED_TEST(queues_of_slabs, a_new_queue_is_empty) {
  typename TypeParam::large queue;
  EXPECT_TRUE(queue.empty());
  EXPECT_FALSE(queue.pop().has_value());
}

TYPED_TEST(queues_of_slabs, items_come_out_in_the_order_in_which_they_went_in) {
  typename TypeParam::large queue;
  for (int number = 0; number < 2000; ++number) queue.push(int{number});
  EXPECT_FALSE(queue.empty());
  expect_numbers(queue, 0, 2000);
  EXPECT_TRUE(queue.empty());
  EXPECT_FALSE(queue.pop().has_value());
}

TYPED_TEST(queues_of_slabs, a_queue_goes_on_after_it_was_empty) {
  typename TypeParam::template small<int> queue;
  for (int number = 0; number < 100; ++number) {
    queue.push(int{number});
    expect_numbers(queue, number, 1);
    EXPECT_TRUE(queue.empty());
  }
}

TYPED_TEST(queues_of_slabs, items_may_be_movable_only) {
  typename TypeParam::template small<std::unique_ptr<int>> queue;
  for (int number = 0; number < 10; ++number) queue.push(std::make_unique<int>(number));
  for (int number = 0; number < 10; ++number) EXPECT_EQ(**queue.pop(), number);
}

TYPED_TEST(queues_of_slabs, items_may_be_strings_and_over_aligned) {
  struct alignas(128) wide {
    std::string text;
  };
  typename TypeParam::template small<wide> queue;
  for (int number = 0; number < 10; ++number) {
    queue.push({"a string that does not fit in place, " + std::to_string(number)});
  }
  for (int number = 0; number < 10; ++number) {
    const auto item = queue.pop();
    EXPECT_EQ(item->text, "a string that does not fit in place, " + std::to_string(number));
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(&*item) % 128, 0u);
  }
}

TYPED_TEST(queues_of_slabs, an_item_that_was_popped_is_gone_from_the_queue) {
  typename TypeParam::template small<std::shared_ptr<int>> queue;
  const auto shared = std::make_shared<int>(7);
  queue.push(std::shared_ptr<int>(shared));
  EXPECT_EQ(shared.use_count(), 2);
  auto item = queue.pop();
  EXPECT_EQ(shared.use_count(), 2);
  item.reset();
  EXPECT_EQ(shared.use_count(), 1);
}

TYPED_TEST(queues_of_slabs, items_that_are_left_are_destroyed_with_the_queue) {
  const auto shared = std::make_shared<int>(7);
  {
    typename TypeParam::template small<std::shared_ptr<int>> queue;
    for (int number = 0; number < 11; ++number) queue.push(std::shared_ptr<int>(shared));
    for (int number = 0; number < 3; ++number) EXPECT_TRUE(queue.pop().has_value());
    EXPECT_EQ(shared.use_count(), 9);
  }
  EXPECT_EQ(shared.use_count(), 1);
  EXPECT_EQ(slabs_alive, 0);
}

TYPED_TEST(queues_of_slabs, a_new_queue_takes_two_slabs_of_items_without_allocation) {
  typename TypeParam::template small<int> queue;
  EXPECT_EQ(slabs_alive, 2);
  EXPECT_EQ(pushes_without_allocation(queue), 2 * 4);
  typename TypeParam::large large;
  EXPECT_EQ(pushes_without_allocation(large), 2 * TypeParam::slots_of_large);
}

// Whatever happened before, a slab of items fits without an allocation. In one case no more fit:
// all slots of the last slab have been used, and it is empty.
TYPED_TEST(queues_of_slabs, a_used_queue_takes_a_slab_of_items_without_allocation) {
  long fewest = 1000;
  for (int phase = 0; phase < 16; ++phase) {
    for (int left = 0; left <= 4; ++left) {
      typename TypeParam::template small<int> queue;
      for (int number = 0; number < phase + left; ++number) queue.push(0);
      for (int number = 0; number < phase; ++number) EXPECT_TRUE(queue.pop().has_value());
      if (slabs_alive > 2) continue;  // the burst is not over
      const long fit = left + pushes_without_allocation(queue);
      EXPECT_GE(fit, 4) << phase << " popped, " << left << " left";
      if (fit < fewest) fewest = fit;
    }
  }
  EXPECT_EQ(fewest, 4);
}

TYPED_TEST(queues_of_slabs, two_slabs_take_turns) {
  typename TypeParam::template small<int> queue;
  const long before = slabs_allocated;
  for (int number = 0; number < 1000; ++number) {
    const int count = number % 5;
    for (int i = 0; i < count; ++i) queue.push(int{i});
    expect_numbers(queue, 0, count);
  }
  EXPECT_EQ(slabs_allocated, before);
}

TYPED_TEST(queues_of_slabs, after_a_burst_two_slabs_are_left) {
  typename TypeParam::template small<int> queue;
  for (int number = 0; number < 1000; ++number) queue.push(int{number});
  EXPECT_EQ(slabs_alive, 250);
  expect_numbers(queue, 0, 1000);
  EXPECT_EQ(slabs_alive, 2);
}

TYPED_TEST(queues_of_slabs, a_push_without_memory_changes_nothing) {
  typename TypeParam::template small<std::unique_ptr<int>> queue;
  for (int number = 0; number < 8; ++number) queue.push(std::make_unique<int>(number));
  auto item = std::make_unique<int>(8);

  slabs_until_refusal = 0;
  for (int attempt = 0; attempt < 3; ++attempt) {
    EXPECT_FALSE(queue.try_push(std::move(item)));
    EXPECT_THROW(queue.push(std::move(item)), std::bad_alloc);
    ASSERT_NE(item, nullptr) << "an item that is refused stays where it is";
  }
  slabs_until_refusal = -1;

  EXPECT_TRUE(queue.try_push(std::move(item)));
  EXPECT_EQ(item, nullptr);
  for (int number = 0; number < 9; ++number) EXPECT_EQ(**queue.pop(), number);
  EXPECT_TRUE(queue.empty());
}

TYPED_TEST(queues_of_slabs, a_queue_without_memory_takes_items_again_when_some_were_popped) {
  typename TypeParam::template small<int> queue;
  for (int number = 0; number < 8; ++number) queue.push(int{number});
  slabs_until_refusal = 0;
  EXPECT_FALSE(queue.try_push(8));
  expect_numbers(queue, 0, 4);  // leaves an empty slab
  EXPECT_TRUE(queue.try_push(8));
  slabs_until_refusal = -1;
  expect_numbers(queue, 4, 5);
}

TYPED_TEST(queues_of_slabs, a_queue_that_finds_no_memory_is_not_made) {
  for (const long granted : {0, 1}) {
    slabs_until_refusal = granted;
    EXPECT_THROW(typename TypeParam::large{}, std::bad_alloc);
    slabs_until_refusal = -1;
    EXPECT_EQ(slabs_alive, 0);
  }
}

// The memory of a burst is also returned after concurrent pushes.
TYPED_TEST(queues_of_slabs, after_a_burst_of_many_producers_two_slabs_are_left) {
  constexpr int producers = 4, each = 2000;
  typename TypeParam::template small<int> queue;
  std::vector<std::thread> threads;
  for (int producer = 0; producer < producers; ++producer) {
    threads.emplace_back([&queue, producer] {
      for (int number = 0; number < each; ++number) queue.push(producer * each + number);
    });
  }
  std::vector<int> next(producers, 0);
  for (int popped = 0; popped < producers * each;) {
    const auto item = queue.pop();
    if (!item) {
      std::this_thread::yield();
      continue;
    }
    ++popped;
    EXPECT_EQ(*item % each, next[static_cast<std::size_t>(*item / each)]++);
  }
  for (auto& thread : threads) thread.join();
  EXPECT_TRUE(queue.empty());
  EXPECT_EQ(slabs_alive, 2);
}

}  // namespace
}  // namespace fencepost
