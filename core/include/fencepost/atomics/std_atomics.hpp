// The atomics policy of production: exactly std::atomic, std::thread and the system's futex.
//
// atomic<T> is std::atomic<T> itself, plain<T> is a T, and every function is one instruction or
// one call, inlined: the audit of the generated code (core/tests/codegen) compares a component on
// this policy with the same code written on std::atomic and requires the same instructions.
// policy.hpp states the contract of each member.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <thread>

#include "fencepost/atomics/mixed_size_word.hpp"
#include "fencepost/atomics/policy.hpp"

namespace fencepost {

namespace detail {
// core/src/futex.cpp
bool futex_wait(const std::atomic<std::uint32_t>& word, std::uint32_t expected, deadline until);
void futex_wake(std::atomic<std::uint32_t>& word, unsigned n);
}  // namespace detail

struct std_atomics {
  template <class T>
  using atomic = std::atomic<T>;

  template <class T>
  class plain {  // Data handed over through atomics: here a bare T.
   public:
    constexpr plain() noexcept = default;  // leaves a trivial T uninitialised, as T itself does
    constexpr explicit plain(T value) noexcept : value_(value) {}

    constexpr T get() const noexcept { return value_; }
    constexpr void set(T value) noexcept { value_ = value; }
    constexpr const T& read() const noexcept { return value_; }
    constexpr T& write() noexcept { return value_; }

    void operator=(T) = delete;  // use set(value), or write() to change it in place

   private:
    T value_;
  };

#ifdef FENCEPOST_HAS_MIXED_SIZE_WORD
  using halves = mixed_size_word;
#endif

  using thread = std::thread;
  using mutex = std::mutex;
  using condition_variable = std::condition_variable;

  static void fence(std::memory_order order) noexcept { std::atomic_thread_fence(order); }

  static void spin_pause() noexcept {
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__) || defined(__arm__)
    asm volatile("yield");
#else
    std::this_thread::yield();
#endif
  }

  static void yield() noexcept { std::this_thread::yield(); }

  // Pauses in the first turns, then yields.
  class back_off {
   public:
    static constexpr std::uint32_t pauses = 16;

    void operator()() noexcept {
      if (turns_ < pauses) {
        ++turns_;
        spin_pause();
      } else {
        yield();
      }
    }

   private:
    std::uint32_t turns_ = 0;
  };

  // Pauses 1, 2, 4, … times, and yields once a pause would exceed `longest`.
  class growing_back_off {
   public:
    static constexpr std::uint32_t longest = 256;

    void operator()() noexcept {
      if (pauses_ > longest) return yield();
      for (std::uint32_t i = 0; i < pauses_; ++i) spin_pause();
      pauses_ *= 2;
    }

   private:
    std::uint32_t pauses_ = 1;
  };

  static bool futex_wait(const atomic<std::uint32_t>& word, std::uint32_t expected,
                         deadline until) {
    return detail::futex_wait(word, expected, until);
  }
  static void futex_wake(atomic<std::uint32_t>& word, unsigned n) { detail::futex_wake(word, n); }
};

static_assert(atomics_policy<std_atomics>);
#ifdef FENCEPOST_HAS_MIXED_SIZE_WORD
static_assert(mixed_size_policy<std_atomics>);
#endif

}  // namespace fencepost
