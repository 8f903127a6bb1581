// The queue of slabs, one step after the other, its memory, and what happens when there is none;
// the scenarios have what happens at once.
#include "fencepost/queue/slab_queue.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <memory>
#include <new>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace {

// Slabs are all that is over-aligned here: they are counted, and can be refused.
std::atomic<long> slabs_alive{0};
std::atomic<long> slabs_allocated{0};
std::atomic<long> slabs_until_refusal{-1};  // how many are granted; -1: all

void* allocate_slab(std::size_t size, std::size_t alignment) noexcept {
  if (slabs_until_refusal == 0) return nullptr;
  if (slabs_until_refusal > 0) --slabs_until_refusal;
  ++slabs_alive;
  ++slabs_allocated;
  return std::aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
}
void release_slab(void* slab) noexcept {
  if (slab == nullptr) return;
  --slabs_alive;
  std::free(slab);
}

}  // namespace

void* operator new(std::size_t size, std::align_val_t alignment) {
  void* const slab = allocate_slab(size, static_cast<std::size_t>(alignment));
  if (slab == nullptr) throw std::bad_alloc();
  return slab;
}
void* operator new(std::size_t size, std::align_val_t alignment, const std::nothrow_t&) noexcept {
  return allocate_slab(size, static_cast<std::size_t>(alignment));
}
void operator delete(void* slab, std::align_val_t) noexcept { release_slab(slab); }
void operator delete(void* slab, std::size_t, std::align_val_t) noexcept { release_slab(slab); }
void operator delete(void* slab, std::align_val_t, const std::nothrow_t&) noexcept {
  release_slab(slab);
}

namespace fencepost {
namespace {

constexpr slab_shape small{.slots = 4, .word_bits = 2, .buckets = 2};

template <class T>
using small_queue = slab_queue<T, default_atomics, small>;

// Pops this many items, which are numbered from `first`.
template <class Queue>
void expect_numbers(Queue& queue, int first, int count) {
  for (int number = first; number < first + count; ++number) {
    const auto item = queue.pop();
    ASSERT_TRUE(item.has_value());
    EXPECT_EQ(*item, number);
  }
}

TEST(slab_queue, a_new_queue_is_empty) {
  slab_queue<int> queue;
  EXPECT_TRUE(queue.empty());
  EXPECT_FALSE(queue.pop().has_value());
}

TEST(slab_queue, items_come_out_in_the_order_in_which_they_went_in) {
  slab_queue<int> queue;
  for (int number = 0; number < 2000; ++number) queue.push(int{number});
  EXPECT_FALSE(queue.empty());
  expect_numbers(queue, 0, 2000);
  EXPECT_TRUE(queue.empty());
  EXPECT_FALSE(queue.pop().has_value());
}

TEST(slab_queue, a_queue_goes_on_after_it_was_empty) {
  small_queue<int> queue;
  for (int number = 0; number < 100; ++number) {
    queue.push(int{number});
    expect_numbers(queue, number, 1);
    EXPECT_TRUE(queue.empty());
  }
}

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

TEST(slab_queue, items_may_be_movable_only) {
  small_queue<std::unique_ptr<int>> queue;
  for (int number = 0; number < 10; ++number) queue.push(std::make_unique<int>(number));
  for (int number = 0; number < 10; ++number) EXPECT_EQ(**queue.pop(), number);
}

TEST(slab_queue, items_may_be_strings_and_over_aligned) {
  struct alignas(128) wide {
    std::string text;
  };
  small_queue<wide> queue;
  for (int number = 0; number < 10; ++number) {
    queue.push({"a string that does not fit in place, " + std::to_string(number)});
  }
  for (int number = 0; number < 10; ++number) {
    const auto item = queue.pop();
    EXPECT_EQ(item->text, "a string that does not fit in place, " + std::to_string(number));
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(&*item) % 128, 0u);
  }
}

TEST(slab_queue, an_item_that_was_popped_is_gone_from_the_queue) {
  small_queue<std::shared_ptr<int>> queue;
  const auto shared = std::make_shared<int>(7);
  queue.push(std::shared_ptr<int>(shared));
  EXPECT_EQ(shared.use_count(), 2);
  auto item = queue.pop();
  EXPECT_EQ(shared.use_count(), 2);
  item.reset();
  EXPECT_EQ(shared.use_count(), 1);
}

TEST(slab_queue, items_that_are_left_are_destroyed_with_the_queue) {
  const auto shared = std::make_shared<int>(7);
  {
    small_queue<std::shared_ptr<int>> queue;
    for (int number = 0; number < 11; ++number) queue.push(std::shared_ptr<int>(shared));
    for (int number = 0; number < 3; ++number) EXPECT_TRUE(queue.pop().has_value());
    EXPECT_EQ(shared.use_count(), 9);
  }
  EXPECT_EQ(shared.use_count(), 1);
  EXPECT_EQ(slabs_alive, 0);
}

// How many pushes in a row do not allocate.
template <class Queue>
long pushes_without_allocation(Queue& queue) {
  const long before = slabs_allocated;
  for (long pushes = 0;; ++pushes) {
    queue.push(0);
    if (slabs_allocated != before) return pushes;
  }
}

TEST(slab_queue, a_new_queue_takes_two_slabs_of_items_without_allocation) {
  small_queue<int> queue;
  EXPECT_EQ(slabs_alive, 2);
  EXPECT_EQ(pushes_without_allocation(queue), 2 * 4);
  slab_queue<int> large;
  EXPECT_EQ(pushes_without_allocation(large), 2 * 512);
}

// Whatever went before, a slab of items fits without an allocation, and there is a case in which no
// more do: all slots of the last slab have been used, and it is empty.
TEST(slab_queue, a_used_queue_takes_a_slab_of_items_without_allocation) {
  long fewest = 1000;
  for (int phase = 0; phase < 16; ++phase) {
    for (int left = 0; left <= 4; ++left) {
      small_queue<int> queue;
      for (int number = 0; number < phase + left; ++number) queue.push(0);
      for (int number = 0; number < phase; ++number) EXPECT_TRUE(queue.pop().has_value());
      if (slabs_alive > 2) continue;  // a burst that is not over
      const long fit = left + pushes_without_allocation(queue);
      EXPECT_GE(fit, 4) << phase << " popped, " << left << " left";
      if (fit < fewest) fewest = fit;
    }
  }
  EXPECT_EQ(fewest, 4);
}

TEST(slab_queue, two_slabs_take_turns) {
  small_queue<int> queue;
  const long before = slabs_allocated;
  for (int number = 0; number < 1000; ++number) {
    const int count = number % 5;
    for (int i = 0; i < count; ++i) queue.push(int{i});
    expect_numbers(queue, 0, count);
  }
  EXPECT_EQ(slabs_allocated, before);
}

TEST(slab_queue, after_a_burst_two_slabs_are_left) {
  small_queue<int> queue;
  for (int number = 0; number < 1000; ++number) queue.push(int{number});
  EXPECT_EQ(slabs_alive, 250);
  expect_numbers(queue, 0, 1000);
  EXPECT_EQ(slabs_alive, 2);
}

// An item that does something when it is moved for the first time: in the middle of its push, when
// it has a slot that is not yet published.
struct slow_item {
  int number = 0;
  std::function<void()> meanwhile;

  slow_item(int n, std::function<void()> f = {}) : number(n), meanwhile(std::move(f)) {}
  slow_item(slow_item&& other) noexcept : number(other.number) {
    if (other.meanwhile) other.meanwhile();
  }
};

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

TEST(slab_queue, a_push_without_memory_changes_nothing) {
  small_queue<std::unique_ptr<int>> queue;
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

TEST(slab_queue, a_queue_without_memory_takes_items_again_when_some_were_popped) {
  small_queue<int> queue;
  for (int number = 0; number < 8; ++number) queue.push(int{number});
  slabs_until_refusal = 0;
  EXPECT_FALSE(queue.try_push(8));
  expect_numbers(queue, 0, 4);  // an empty slab
  EXPECT_TRUE(queue.try_push(8));
  slabs_until_refusal = -1;
  expect_numbers(queue, 4, 5);
}

TEST(slab_queue, a_queue_that_finds_no_memory_is_not_made) {
  for (const long granted : {0, 1}) {
    slabs_until_refusal = granted;
    EXPECT_THROW(slab_queue<int>{}, std::bad_alloc);
    slabs_until_refusal = -1;
    EXPECT_EQ(slabs_alive, 0);
  }
}

// The memory of a burst goes back also when many push at once.
TEST(slab_queue, after_a_burst_of_many_producers_two_slabs_are_left) {
  constexpr int producers = 4, each = 2000;
  small_queue<int> queue;
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

// Addresses of slabs are multiples of something: neighbours must not share.
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
