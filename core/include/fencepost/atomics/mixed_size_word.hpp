// A 64-bit atomic word that is also read and written by its two 32-bit halves.
//
// ISO C++ has no such access: it is undefined there. GCC and Clang define it on the targets named
// below, by their __atomic builtins on objects of a may_alias type, as the machines do: a half
// access is single-copy atomic, and a compare-exchange of the whole fails when either half has
// changed. Code that needs no such access uses a std::atomic<std::uint64_t>.
//
// Any thread may call any function. The value of the word is high << 32 | low on machines of either
// byte order. Each operation costs as much as the same operation of std::atomic.
#pragma once

#include <atomic>
#include <bit>
#include <cstdint>

#if (defined(__GNUC__) || defined(__clang__)) &&                              \
    (defined(__x86_64__) || defined(__aarch64__) || defined(__powerpc64__) || \
     (defined(__riscv) && __riscv_xlen == 64))
#define FENCEPOST_HAS_MIXED_SIZE_WORD 1

namespace fencepost {

class mixed_size_word {
 public:
  constexpr mixed_size_word() noexcept = default;
  constexpr mixed_size_word(std::uint32_t low, std::uint32_t high) noexcept
      : word_(std::uint64_t{high} << 32 | low) {}
  mixed_size_word(const mixed_size_word&) = delete;
  mixed_size_word& operator=(const mixed_size_word&) = delete;

  std::uint64_t load(std::memory_order order) const noexcept {
    return __atomic_load_n(&word_, static_cast<int>(order));
  }
  void store(std::uint64_t value, std::memory_order order) noexcept {
    __atomic_store_n(&word_, value, static_cast<int>(order));
  }
  bool compare_exchange_weak(std::uint64_t& expected, std::uint64_t desired,
                             std::memory_order success, std::memory_order failure) noexcept {
    return __atomic_compare_exchange_n(&word_, &expected, desired, true, static_cast<int>(success),
                                       static_cast<int>(failure));
  }
  bool compare_exchange_strong(std::uint64_t& expected, std::uint64_t desired,
                               std::memory_order success, std::memory_order failure) noexcept {
    return __atomic_compare_exchange_n(&word_, &expected, desired, false, static_cast<int>(success),
                                       static_cast<int>(failure));
  }

  std::uint32_t load_low(std::memory_order order) const noexcept {
    return __atomic_load_n(half_of(&word_, low_half), static_cast<int>(order));
  }
  std::uint32_t load_high(std::memory_order order) const noexcept {
    return __atomic_load_n(half_of(&word_, 1 - low_half), static_cast<int>(order));
  }
  void store_low(std::uint32_t value, std::memory_order order) noexcept {
    __atomic_store_n(half_of(&word_, low_half), value, static_cast<int>(order));
  }
  void store_high(std::uint32_t value, std::memory_order order) noexcept {
    __atomic_store_n(half_of(&word_, 1 - low_half), value, static_cast<int>(order));
  }

 private:
  using half = std::uint32_t __attribute__((may_alias));
  static constexpr int low_half = std::endian::native == std::endian::little ? 0 : 1;

  static half* half_of(std::uint64_t* word, int index) noexcept {
    return reinterpret_cast<half*>(word) + index;
  }
  static const half* half_of(const std::uint64_t* word, int index) noexcept {
    return reinterpret_cast<const half*>(word) + index;
  }

  alignas(8) std::uint64_t word_ = 0;
};

static_assert(sizeof(mixed_size_word) == 8 && alignof(mixed_size_word) == 8);

}  // namespace fencepost

#endif
