// The queue of tickets, one step after the other, its memory, and what happens when there is none;
// the scenarios have what happens at once.
#include "fencepost/queue/ticket_queue.hpp"

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
std::atomic<long> bytes_of_slabs{0};        // of all that were allocated
std::atomic<long> slabs_until_refusal{-1};  // how many are granted; -1: all

void* allocate_slab(std::size_t size, std::size_t alignment) noexcept {
  if (slabs_until_refusal == 0) return nullptr;
  if (slabs_until_refusal > 0) --slabs_until_refusal;
  ++slabs_alive;
  ++slabs_allocated;
  bytes_of_slabs += static_cast<long>(size);
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

template <class T>
using small_queue = ticket_queue<T, default_atomics, 4>;

// Pops this many items, which are numbered from `first`.
template <class Queue>
void expect_numbers(Queue& queue, int first, int count) {
  for (int number = first; number < first + count; ++number) {
    const auto item = queue.pop();
    ASSERT_TRUE(item.has_value());
    EXPECT_EQ(*item, number);
  }
}

TEST(ticket_queue, a_slab_of_numbers_has_eight_kibibytes) {
  const long before = bytes_of_slabs;
  const ticket_queue<std::uint64_t> queue;
  EXPECT_EQ(bytes_of_slabs - before, 2 * 8192);
}

TEST(ticket_queue, a_new_queue_is_empty) {
  ticket_queue<int> queue;
  EXPECT_TRUE(queue.empty());
  EXPECT_FALSE(queue.pop().has_value());
}

TEST(ticket_queue, items_come_out_in_the_order_in_which_they_went_in) {
  ticket_queue<int> queue;
  for (int number = 0; number < 2000; ++number) queue.push(int{number});
  EXPECT_FALSE(queue.empty());
  expect_numbers(queue, 0, 2000);
  EXPECT_TRUE(queue.empty());
  EXPECT_FALSE(queue.pop().has_value());
}

TEST(ticket_queue, a_queue_goes_on_after_it_was_empty) {
  small_queue<int> queue;
  for (int number = 0; number < 100; ++number) {
    queue.push(int{number});
    expect_numbers(queue, number, 1);
    EXPECT_TRUE(queue.empty());
  }
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

TEST(ticket_queue, items_may_be_movable_only) {
  small_queue<std::unique_ptr<int>> queue;
  for (int number = 0; number < 10; ++number) queue.push(std::make_unique<int>(number));
  for (int number = 0; number < 10; ++number) EXPECT_EQ(**queue.pop(), number);
}

TEST(ticket_queue, items_may_be_strings_and_over_aligned) {
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

TEST(ticket_queue, an_item_that_was_popped_is_gone_from_the_queue) {
  small_queue<std::shared_ptr<int>> queue;
  const auto shared = std::make_shared<int>(7);
  queue.push(std::shared_ptr<int>(shared));
  EXPECT_EQ(shared.use_count(), 2);
  auto item = queue.pop();
  EXPECT_EQ(shared.use_count(), 2);
  item.reset();
  EXPECT_EQ(shared.use_count(), 1);
}

TEST(ticket_queue, items_that_are_left_are_destroyed_with_the_queue) {
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

TEST(ticket_queue, a_new_queue_takes_two_slabs_of_items_without_allocation) {
  small_queue<int> queue;
  EXPECT_EQ(slabs_alive, 2);
  EXPECT_EQ(pushes_without_allocation(queue), 2 * 4);
  ticket_queue<int> large;
  EXPECT_EQ(pushes_without_allocation(large), 2 * 508);
}

// Whatever went before, a slab of items fits without an allocation, and there is a case in which no
// more do: all slots of the last slab have been used, and it is empty.
TEST(ticket_queue, a_used_queue_takes_a_slab_of_items_without_allocation) {
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

TEST(ticket_queue, two_slabs_take_turns) {
  small_queue<int> queue;
  const long before = slabs_allocated;
  for (int number = 0; number < 1000; ++number) {
    const int count = number % 5;
    for (int i = 0; i < count; ++i) queue.push(int{i});
    expect_numbers(queue, 0, count);
  }
  EXPECT_EQ(slabs_allocated, before);
}

TEST(ticket_queue, after_a_burst_two_slabs_are_left) {
  small_queue<int> queue;
  for (int number = 0; number < 1000; ++number) queue.push(int{number});
  EXPECT_EQ(slabs_alive, 250);
  expect_numbers(queue, 0, 1000);
  EXPECT_EQ(slabs_alive, 2);
}

// An item that does something when it is moved for the first time: in the middle of its push, when
// it has a ticket and is not yet published.
struct slow_item {
  int number = 0;
  std::function<void()> meanwhile;

  slow_item(int n, std::function<void()> f = {}) : number(n), meanwhile(std::move(f)) {}
  slow_item(slow_item&& other) noexcept : number(other.number) {
    if (other.meanwhile) other.meanwhile();
  }
};

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

// The first push of a slab, while that is the last and while another follows.
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

TEST(ticket_queue, a_push_without_memory_changes_nothing) {
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

TEST(ticket_queue, a_queue_without_memory_takes_items_again_when_some_were_popped) {
  small_queue<int> queue;
  for (int number = 0; number < 8; ++number) queue.push(int{number});
  slabs_until_refusal = 0;
  EXPECT_FALSE(queue.try_push(8));
  expect_numbers(queue, 0, 4);  // an empty slab
  EXPECT_TRUE(queue.try_push(8));
  slabs_until_refusal = -1;
  expect_numbers(queue, 4, 5);
}

TEST(ticket_queue, a_queue_that_finds_no_memory_is_not_made) {
  for (const long granted : {0, 1}) {
    slabs_until_refusal = granted;
    EXPECT_THROW(ticket_queue<int>{}, std::bad_alloc);
    slabs_until_refusal = -1;
    EXPECT_EQ(slabs_alive, 0);
  }
}

// The memory of a burst goes back also when many push at once.
TEST(ticket_queue, after_a_burst_of_many_producers_two_slabs_are_left) {
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

}  // namespace
}  // namespace fencepost
