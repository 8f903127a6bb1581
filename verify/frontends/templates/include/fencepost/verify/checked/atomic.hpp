// Atomics and futexes under the checker.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "fencepost/atomics/atomic_operators.hpp"
#include "fencepost/verify/checked/handle.hpp"
#include "fencepost/verify/checked/policy.hpp"
#include "fencepost/verify/checked/wide_value.hpp"
#include "fencepost/verify/value_bits.hpp"
#include "fencepost/verify/wait_queue.hpp"

namespace fencepost {

// std::atomic<T>, for a T of at most sixteen bytes.
template <class T>
class checked_atomics::atomic : public atomic_operators<checked_atomics::atomic<T>, T> {
  static_assert(std::is_trivially_copyable_v<T>, "an atomic's type must be trivially copyable");
  static_assert(sizeof(T) <= 16, "the checker explores atomics of at most sixteen bytes");

 public:
  using value_type = T;
  static constexpr bool is_always_lock_free = sizeof(T) <= 8;

  // In a constant expression, constructs a static object, which exists in every check and outside
  // of checks. Each execution begins with its initial value.
  constexpr atomic(source_location where = source_location::current()) noexcept
      : atomic(T(), where) {}
  constexpr atomic(T initial, source_location where = source_location::current()) noexcept
      : initial_(initial),
        at_(std::is_constant_evaluated() ? verify::detail::handle()
                                         : verify::detail::handle(declare(where))) {}
  atomic(const atomic&) = delete;
  atomic& operator=(const atomic&) = delete;

  bool is_lock_free() const noexcept { return true; }

  [[gnu::always_inline]] T load(std::memory_order o = std::memory_order::seq_cst,
                                source_location where = source_location::current()) const {
    verify::detail::require_load_order(o, where);
    return from(
        engine().load(word(where), verify::detail::ordered(verify::access::load, o, where), where));
  }
  [[gnu::always_inline]] void store(T v, std::memory_order o = std::memory_order::seq_cst,
                                    source_location where = source_location::current()) {
    verify::detail::require_store_order(o, where);
    engine().store(word(where), bits(v), verify::detail::ordered(verify::access::store, o, where),
                   where);
  }
  [[gnu::always_inline]] T exchange(T v, std::memory_order o = std::memory_order::seq_cst,
                                    source_location where = source_location::current()) {
    return rmw(verify::operation::exchange, bits(v), o, where);
  }
  [[gnu::always_inline]] bool compare_exchange_strong(
      T& expected, T desired, std::memory_order success, std::memory_order failure,
      source_location where = source_location::current()) {
    return compare_exchange(expected, desired, false, success, failure, where);
  }
  [[gnu::always_inline]] bool compare_exchange_weak(
      T& expected, T desired, std::memory_order success, std::memory_order failure,
      source_location where = source_location::current()) {
    return compare_exchange(expected, desired, true, success, failure, where);
  }
  [[gnu::always_inline]] bool compare_exchange_strong(
      T& expected, T desired, std::memory_order o = std::memory_order::seq_cst,
      source_location where = source_location::current()) {
    return compare_exchange(expected, desired, false, o, failure_order(o), where);
  }
  [[gnu::always_inline]] bool compare_exchange_weak(
      T& expected, T desired, std::memory_order o = std::memory_order::seq_cst,
      source_location where = source_location::current()) {
    return compare_exchange(expected, desired, true, o, failure_order(o), where);
  }

  T fetch_add(T v, std::memory_order o = std::memory_order::seq_cst,
              source_location where = source_location::current()) requires std::is_arithmetic_v<T> {
    if constexpr (std::is_integral_v<T>)
      return rmw(verify::operation::add, bits(v), o, where);
    else
      return custom([](verify::value a, verify::value b) { return bits(from(a) + from(b)); },
                    bits(v), o, where);
  }
  T fetch_sub(T v, std::memory_order o = std::memory_order::seq_cst,
              source_location where = source_location::current()) requires std::is_arithmetic_v<T> {
    if constexpr (std::is_integral_v<T>)
      return rmw(verify::operation::subtract, bits(v), o, where);
    else
      return custom([](verify::value a, verify::value b) { return bits(from(a) - from(b)); },
                    bits(v), o, where);
  }
  T fetch_add(std::ptrdiff_t n, std::memory_order o = std::memory_order::seq_cst,
              source_location where = source_location::current()) requires std::is_pointer_v<T> {
    return rmw(verify::operation::add, scaled(n), o, where);
  }
  T fetch_sub(std::ptrdiff_t n, std::memory_order o = std::memory_order::seq_cst,
              source_location where = source_location::current()) requires std::is_pointer_v<T> {
    return rmw(verify::operation::subtract, scaled(n), o, where);
  }
  T fetch_and(T v, std::memory_order o = std::memory_order::seq_cst,
              source_location where = source_location::current()) requires std::is_integral_v<T> {
    return rmw(verify::operation::bit_and, bits(v), o, where);
  }
  T fetch_or(T v, std::memory_order o = std::memory_order::seq_cst,
             source_location where = source_location::current()) requires std::is_integral_v<T> {
    return rmw(verify::operation::bit_or, bits(v), o, where);
  }
  T fetch_xor(T v, std::memory_order o = std::memory_order::seq_cst,
              source_location where = source_location::current()) requires std::is_integral_v<T> {
    return rmw(verify::operation::bit_xor, bits(v), o, where);
  }

  // C++20's waiting: blocks while the value is `old`; a waiter must be notified.
  void wait(T old, std::memory_order o = std::memory_order::seq_cst,
            source_location where = source_location::current()) const {
    while (bits(load(o, where)) == bits(old))
      verify::detail::wait_while(at(where), this, bits(old), verify::detail::sleeper::atomic, false,
                                 where);
  }
  void notify_one(source_location where = source_location::current()) { notify(1, where); }
  void notify_all(source_location where = source_location::current()) { notify(~0u, where); }

  using atomic_operators<atomic, T>::operator=;

 private:
  friend struct checked_atomics;

  static verify::value bits(const T& v) noexcept {
    if constexpr (sizeof(T) <= sizeof(verify::value))
      return verify::detail::to_value(v);
    else
      return verify::detail::number_of(v);
  }
  static T from(verify::value v) noexcept {
    if constexpr (sizeof(T) <= sizeof(verify::value))
      return verify::detail::from_value<T>(v);
    else
      return verify::detail::numbered<T>(v);
  }
  static verify::engine& engine() { return verify::detail::here(); }
  [[gnu::always_inline]] verify::word word(source_location where) const {
    return verify::word(at(where));
  }
  [[gnu::always_inline]] verify::location at(source_location where) const {
    if (at_.is_static()) [[unlikely]]
      return engine().of_static(this, sizeof(T), bits(initial_), where);
    return at_.get(where);
  }
  verify::location declare(source_location where) const {
    return engine().declare(this, sizeof(T), bits(initial_), where);
  }
  static verify::value scaled(std::ptrdiff_t n) noexcept {
    return static_cast<verify::value>(
        n * static_cast<std::ptrdiff_t>(sizeof(std::remove_pointer_t<T>)));
  }

  static verify::order ordered(std::memory_order o, const source_location& where) {
    return verify::detail::ordered(verify::access::read_modify_write, o, where);
  }
  [[gnu::always_inline]] T rmw(verify::operation op, verify::value operand, std::memory_order o,
                               source_location where) {
    return from(
        engine().read_modify_write(word(where), op, operand, sizeof(T), ordered(o, where), where));
  }
  T custom(verify::value (*f)(verify::value, verify::value), verify::value operand,
           std::memory_order o, source_location where) {
    return from(engine().read_modify_write(word(where), verify::operation::custom, operand,
                                           sizeof(T), ordered(o, where), where, f));
  }
  [[gnu::always_inline]] bool compare_exchange(T& expected, T desired, bool weak,
                                               std::memory_order success, std::memory_order failure,
                                               source_location where) {
    verify::detail::require_load_order(failure, where);
    const verify::asked_for how = verify::detail::exchange_orders(weak, success, failure, where);
    const verify::exchanged done = engine().compare_exchange(
        word(where), bits(expected), bits(desired), how.weak, how.success, how.failure, where);
    if (!done.success) expected = from(done.old);
    return done.success;
  }

  void notify(unsigned count, source_location where) const {
    engine().use(at(where), false, where);
    verify::detail::wake(this, verify::detail::sleeper::atomic, count, where);
  }

  T initial_;
  verify::detail::handle at_;
};

inline bool checked_atomics::futex_wait(const atomic<std::uint32_t>& word, std::uint32_t expected,
                                        time_point until, source_location where) {
  return verify::detail::wait_while(word.at(where), &word, expected, verify::detail::sleeper::futex,
                                    until != time_point::max(), where);
}

// Uses only the address of the word, which may already have been destroyed.
inline void checked_atomics::futex_wake(const atomic<std::uint32_t>& word, unsigned count,
                                        source_location where) {
  verify::detail::wake(&word, verify::detail::sleeper::futex, count, where);
}

}  // namespace fencepost
