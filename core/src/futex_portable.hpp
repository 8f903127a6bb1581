// For systems without a futex: a table of condition variables. Words share buckets, and a wake
// wakes all threads that wait in the bucket, which is allowed: a futex may return early.
#pragma once

#include <array>
#include <condition_variable>
#include <functional>
#include <mutex>

#include "futex_time.hpp"

namespace fencepost::detail::portable_futex {

struct bucket {
  std::mutex mutex;
  std::condition_variable changed;
  std::uint64_t wakes = 0;
};

inline bucket& bucket_of(const void* word) {
  static std::array<bucket, 64> buckets;
  return buckets[std::hash<const void*>{}(word) / 8 % buckets.size()];
}

inline bool wait(const std::atomic<std::uint32_t>& word, std::uint32_t expected, deadline until) {
  bucket& b = bucket_of(&word);
  std::unique_lock lock{b.mutex};
  // [wait.compare] relaxed, alone: the lock orders it. A wake that had the lock before happens
  // before this load, which observes what the waker had stored or read; a later one finds this
  // thread waiting.
  if (word.load(std::memory_order_relaxed) != expected) return true;
  const std::uint64_t before = b.wakes;
  const auto woken = [&] { return b.wakes != before; };
  if (until == no_deadline) {
    b.changed.wait(lock, woken);
    return true;
  }
  return b.changed.wait_until(lock, until, woken);
}

inline void wake(std::atomic<std::uint32_t>& word, unsigned n) {
  if (n == 0) return;
  bucket& b = bucket_of(&word);
  {
    std::lock_guard lock{b.mutex};
    ++b.wakes;
  }
  b.changed.notify_all();
}

}  // namespace fencepost::detail::portable_futex
