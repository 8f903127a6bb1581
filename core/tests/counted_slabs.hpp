// Shared by the tests of queues of slabs. Only slabs are over-aligned there: they are counted, and
// their allocation can be made to fail.
#pragma once

#include <gtest/gtest.h>

#include <atomic>
#include <functional>
#include <utility>

namespace fencepost {

inline std::atomic<long> slabs_alive{0};
inline std::atomic<long> slabs_allocated{0};
inline std::atomic<long> bytes_of_slabs{0};        // of all slabs that were allocated
inline std::atomic<long> slabs_until_refusal{-1};  // how many allocations succeed; -1: all

// Pops `count` items, which must be numbered from `first` on.
template <class Queue>
void expect_numbers(Queue& queue, int first, int count) {
  for (int number = first; number < first + count; ++number) {
    const auto item = queue.pop();
    ASSERT_TRUE(item.has_value());
    EXPECT_EQ(*item, number);
  }
}

// An item that calls a function when it is moved for the first time, which is in the middle of its
// push: it has a slot that is not yet published.
struct slow_item {
  int number = 0;
  std::function<void()> meanwhile;

  slow_item(int n, std::function<void()> f = {}) : number(n), meanwhile(std::move(f)) {}
  slow_item(slow_item&& other) noexcept : number(other.number) {
    if (other.meanwhile) other.meanwhile();
  }
};

}  // namespace fencepost
