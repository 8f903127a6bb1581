// The atomics policy for ThreadSanitizer, which does not model fences: std_atomics, except that
// accesses ordered by its fences are not reported as races. tsan_clocks.hpp says how. In builds
// without ThreadSanitizer it is another name for std_atomics.
//
// Objects have the size and alignment of those of std_atomics. An operation takes 0.1 to 0.2 us
// (docs/guide/sanitizers.md); spinning yields the processor.
// Not for signal handlers: the operation that a handler interrupts may hold a lock.
#pragma once

#include "fencepost/atomics/std_atomics.hpp"
#include "fencepost/atomics/tsan_clocks.hpp"

#ifndef FENCEPOST_THREAD_SANITIZER

namespace fencepost {
using tsan_atomics = std_atomics;
}  // namespace fencepost

#else

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <thread>
#include <type_traits>

#include "fencepost/atomics/atomic_operators.hpp"

namespace fencepost {

namespace detail {

// ThreadSanitizer sees each operation as relaxed, and records the access; the tsan_step around it
// reports what the operation orders. The step's lock is a full barrier on either side, so the
// machine orders all operations.
inline constexpr std::memory_order untold = std::memory_order_relaxed;

template <class T>
class tsan_atomic : public atomic_operators<tsan_atomic<T>, T> {
  static constexpr std::memory_order by_default = std::memory_order_seq_cst;

 public:
  using value_type = T;
  static constexpr bool is_always_lock_free = std::atomic<T>::is_always_lock_free;

  constexpr tsan_atomic() noexcept = default;
  constexpr tsan_atomic(T value) noexcept : value_{value} {}  // implicit, as std::atomic's
  tsan_atomic(const tsan_atomic&) = delete;
  tsan_atomic& operator=(const tsan_atomic&) = delete;

  T load(std::memory_order order = by_default) const noexcept {
    const tsan_step step{this};
    const T value = value_.load(untold);
    step.acquire(this, order);
    return value;
  }
  void store(T value, std::memory_order order = by_default) noexcept {
    const tsan_step step{this};
    value_.store(value, untold);
    step.replace(this, order);
  }
  T exchange(T value, std::memory_order order = by_default) noexcept {
    return change(order, [&] { return value_.exchange(value, untold); });
  }

  bool compare_exchange_weak(T& expected, T desired, std::memory_order success,
                             std::memory_order failure) noexcept {
    const tsan_step step{this};
    return exchanged(success, failure, value_.compare_exchange_weak(expected, desired, untold));
  }
  bool compare_exchange_weak(T& expected, T desired,
                             std::memory_order order = by_default) noexcept {
    return compare_exchange_weak(expected, desired, order, of_failure(order));
  }
  bool compare_exchange_strong(T& expected, T desired, std::memory_order success,
                               std::memory_order failure) noexcept {
    const tsan_step step{this};
    return exchanged(success, failure, value_.compare_exchange_strong(expected, desired, untold));
  }
  bool compare_exchange_strong(T& expected, T desired,
                               std::memory_order order = by_default) noexcept {
    return compare_exchange_strong(expected, desired, order, of_failure(order));
  }

  // For integers; fetch_add() and fetch_sub() for pointers too.
  using difference = std::conditional_t<std::is_pointer_v<T>, std::ptrdiff_t, T>;
  T fetch_add(difference n, std::memory_order order = by_default) noexcept {
    return change(order, [&] { return value_.fetch_add(n, untold); });
  }
  T fetch_sub(difference n, std::memory_order order = by_default) noexcept {
    return change(order, [&] { return value_.fetch_sub(n, untold); });
  }
  T fetch_and(T bits, std::memory_order order = by_default) noexcept {
    return change(order, [&] { return value_.fetch_and(bits, untold); });
  }
  T fetch_or(T bits, std::memory_order order = by_default) noexcept {
    return change(order, [&] { return value_.fetch_or(bits, untold); });
  }
  T fetch_xor(T bits, std::memory_order order = by_default) noexcept {
    return change(order, [&] { return value_.fetch_xor(bits, untold); });
  }

  void wait(T old, std::memory_order order = by_default) const noexcept {
    // Compares bytes, as std::atomic does.
    for (T now = load(order); std::memcmp(&now, &old, sizeof(T)) == 0; now = load(order))
      value_.wait(old, untold);
  }
  void notify_one() noexcept { value_.notify_one(); }
  void notify_all() noexcept { value_.notify_all(); }

  using atomic_operators<tsan_atomic, T>::operator=;

  // For system calls, which wait for the word by its address.
  const std::atomic<T>& word() const noexcept { return value_; }
  std::atomic<T>& word() noexcept { return value_; }

 private:
  static constexpr std::memory_order of_failure(std::memory_order order) noexcept {
    return acquires(order) ? std::memory_order_acquire : std::memory_order_relaxed;
  }

  template <class F>
  T change(std::memory_order order, F f) noexcept {
    const tsan_step step{this};
    const T before = f();
    step.acquire(this, order);
    step.release(this, order);
    return before;
  }
  bool exchanged(std::memory_order success, std::memory_order failure, bool done) noexcept {
    tsan_step::acquire(this, done ? success : failure);
    if (done) tsan_step::release(this, success);
    return done;
  }

  std::atomic<T> value_{};
};

#ifdef FENCEPOST_HAS_MIXED_SIZE_WORD
// Each half has a clock of its own; an access to the whole word uses both.
class tsan_mixed_size_word {
 public:
  constexpr tsan_mixed_size_word() noexcept = default;
  constexpr tsan_mixed_size_word(std::uint32_t low, std::uint32_t high) noexcept
      : word_{low, high} {}

  std::uint64_t load(std::memory_order order) const noexcept {
    const tsan_step step{this};
    const std::uint64_t value = word_.load(untold);
    step.acquire(low(), order);
    step.acquire(high(), order);
    return value;
  }
  void store(std::uint64_t value, std::memory_order order) noexcept {
    const tsan_step step{this};
    word_.store(value, untold);
    step.replace(low(), order);
    step.replace(high(), order);
  }
  bool compare_exchange_weak(std::uint64_t& expected, std::uint64_t desired,
                             std::memory_order success, std::memory_order failure) noexcept {
    const tsan_step step{this};
    return exchanged(success, failure,
                     word_.compare_exchange_weak(expected, desired, untold, untold));
  }
  bool compare_exchange_strong(std::uint64_t& expected, std::uint64_t desired,
                               std::memory_order success, std::memory_order failure) noexcept {
    const tsan_step step{this};
    return exchanged(success, failure,
                     word_.compare_exchange_strong(expected, desired, untold, untold));
  }

  std::uint32_t load_low(std::memory_order order) const noexcept {
    const tsan_step step{this};
    const std::uint32_t value = word_.load_low(untold);
    step.acquire(low(), order);
    return value;
  }
  std::uint32_t load_high(std::memory_order order) const noexcept {
    const tsan_step step{this};
    const std::uint32_t value = word_.load_high(untold);
    step.acquire(high(), order);
    return value;
  }
  void store_low(std::uint32_t value, std::memory_order order) noexcept {
    const tsan_step step{this};
    word_.store_low(value, untold);
    step.replace(low(), order);
  }
  void store_high(std::uint32_t value, std::memory_order order) noexcept {
    const tsan_step step{this};
    word_.store_high(value, untold);
    step.replace(high(), order);
  }

 private:
  // The addresses identify the clocks. On a big-endian machine each is the address of the other
  // half, which makes no difference.
  const void* low() const noexcept { return this; }
  const void* high() const noexcept { return reinterpret_cast<const char*>(this) + 4; }
  void* low() noexcept { return this; }
  void* high() noexcept { return reinterpret_cast<char*>(this) + 4; }

  bool exchanged(std::memory_order success, std::memory_order failure, bool done) noexcept {
    for (void* half : {low(), high()}) {
      tsan_step::acquire(half, done ? success : failure);
      if (done) tsan_step::release(half, success);
    }
    return done;
  }

  mixed_size_word word_;
};
#endif

}  // namespace detail

struct tsan_atomics : std_atomics {
  template <class T>
  using atomic = detail::tsan_atomic<T>;

#ifdef FENCEPOST_HAS_MIXED_SIZE_WORD
  using halves = detail::tsan_mixed_size_word;
#endif

  static void fence(std::memory_order order) noexcept { detail::tsan_fence(order); }

  static void spin_pause() noexcept { std::this_thread::yield(); }

  static bool futex_wait(const atomic<std::uint32_t>& word, std::uint32_t expected,
                         deadline until) {
    return detail::futex_wait(word.word(), expected, until);
  }
  static void futex_wake(atomic<std::uint32_t>& word, unsigned n) {
    detail::futex_wake(word.word(), n);
  }
};

static_assert(sizeof(tsan_atomics::atomic<std::uint32_t>) == 4 &&
              alignof(tsan_atomics::atomic<std::uint64_t>) == alignof(std::atomic<std::uint64_t>));

}  // namespace fencepost

#endif

namespace fencepost {
static_assert(atomics_policy<tsan_atomics>);
#ifdef FENCEPOST_HAS_MIXED_SIZE_WORD
static_assert(mixed_size_policy<tsan_atomics>);
#endif
}  // namespace fencepost
