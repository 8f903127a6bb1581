// rl::atomic, rl::atomic_flag, fences, and the memory orders.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "fencepost/compat/relacy/base.hpp"

namespace rl {

using memory_order = std::memory_order;

// With RL_FORCE_SEQ_CST, all orders of the algorithm are seq_cst.
#if defined(RL_FORCE_SEQ_CST)
inline constexpr memory_order memory_order_relaxed = std::memory_order_seq_cst;
inline constexpr memory_order memory_order_consume = std::memory_order_seq_cst;
inline constexpr memory_order memory_order_acquire = std::memory_order_seq_cst;
inline constexpr memory_order memory_order_release = std::memory_order_seq_cst;
inline constexpr memory_order memory_order_acq_rel = std::memory_order_seq_cst;
#else
inline constexpr memory_order memory_order_relaxed = std::memory_order_relaxed;
inline constexpr memory_order memory_order_consume = std::memory_order_consume;
inline constexpr memory_order memory_order_acquire = std::memory_order_acquire;
inline constexpr memory_order memory_order_release = std::memory_order_release;
inline constexpr memory_order memory_order_acq_rel = std::memory_order_acq_rel;
#endif
inline constexpr memory_order memory_order_seq_cst = std::memory_order_seq_cst;

inline constexpr memory_order mo_relaxed = memory_order_relaxed;
inline constexpr memory_order mo_consume = memory_order_consume;
inline constexpr memory_order mo_acquire = memory_order_acquire;
inline constexpr memory_order mo_release = memory_order_release;
inline constexpr memory_order mo_acq_rel = memory_order_acq_rel;
inline constexpr memory_order mo_seq_cst = memory_order_seq_cst;

template <class T>
class atomic;

namespace detail {

// The type of what is added to a T: T, or a difference of pointers.
template <class T>
using difference = std::conditional_t<std::is_pointer_v<T>, std::ptrdiff_t, T>;

template <class T>
T plus(T a, difference<T> b) {
  return static_cast<T>(a + b);
}
template <class T>
T minus(T a, difference<T> b) {
  return static_cast<T>(a - b);
}

}  // namespace detail

// x($): the atomic together with the source location of the access.
template <class T>
class atomic_proxy_const {
 public:
  atomic_proxy_const(const atomic<T>& a, debug_info_param info) : atomic_(a), info_(info) {}
  T load(memory_order o = mo_seq_cst) const { return atomic_.load(o, info_); }
  operator T() const { return load(); }
  void wait(T old, memory_order o = mo_seq_cst) const { atomic_.wait(old, o, info_); }

 private:
  const atomic<T>& atomic_;
  debug_info info_;
};

template <class T>
class atomic_proxy {
 public:
  using difference = detail::difference<T>;

  atomic_proxy(atomic<T>& a, debug_info_param info) : atomic_(a), info_(info) {}
  atomic_proxy(const atomic_proxy&) = default;

  T load(memory_order o = mo_seq_cst) const { return atomic_.load(o, info_); }
  operator T() const { return load(); }
  void store(T v, memory_order o = mo_seq_cst) { atomic_.store(v, o, info_); }
  T exchange(T v, memory_order o = mo_seq_cst) { return atomic_.exchange(v, o, info_); }
  bool compare_exchange_weak(T& expected, T desired, memory_order o = mo_seq_cst) {
    return atomic_.compare_exchange_weak(expected, desired, o, info_);
  }
  bool compare_exchange_weak(T& expected, T desired, memory_order success, memory_order failure) {
    return atomic_.compare_exchange_weak(expected, desired, success, failure, info_);
  }
  bool compare_exchange_strong(T& expected, T desired, memory_order o = mo_seq_cst) {
    return atomic_.compare_exchange_strong(expected, desired, o, info_);
  }
  bool compare_exchange_strong(T& expected, T desired, memory_order success, memory_order failure) {
    return atomic_.compare_exchange_strong(expected, desired, success, failure, info_);
  }
  T fetch_add(difference n, memory_order o = mo_seq_cst) { return atomic_.fetch_add(n, o, info_); }
  T fetch_sub(difference n, memory_order o = mo_seq_cst) { return atomic_.fetch_sub(n, o, info_); }
  T fetch_and(T v, memory_order o = mo_seq_cst) { return atomic_.fetch_and(v, o, info_); }
  T fetch_or(T v, memory_order o = mo_seq_cst) { return atomic_.fetch_or(v, o, info_); }
  T fetch_xor(T v, memory_order o = mo_seq_cst) { return atomic_.fetch_xor(v, o, info_); }
  void wait(T old, memory_order o = mo_seq_cst) const { atomic_.wait(old, o, info_); }
  void notify_one() { atomic_.notify_one(info_); }
  void notify_all() { atomic_.notify_all(info_); }

  T operator=(T v) {
    store(v);
    return v;
  }
  T operator=(const atomic_proxy& other) { return *this = other.load(); }
  T operator++(int) { return fetch_add(1); }
  T operator--(int) { return fetch_sub(1); }
  T operator++() { return detail::plus<T>(fetch_add(1), 1); }
  T operator--() { return detail::minus<T>(fetch_sub(1), 1); }
  T operator+=(difference n) { return detail::plus<T>(fetch_add(n), n); }
  T operator-=(difference n) { return detail::minus<T>(fetch_sub(n), n); }
  T operator&=(T v) { return static_cast<T>(fetch_and(v) & v); }
  T operator|=(T v) { return static_cast<T>(fetch_or(v) | v); }
  T operator^=(T v) { return static_cast<T>(fetch_xor(v) ^ v); }

 private:
  atomic<T>& atomic_;
  debug_info info_;
};

// std::atomic under the checker, with x($) in addition. As in C++20, it is zero by default.
template <class T>
class atomic : public detail::checked_atomics::atomic<T> {
  using base = detail::checked_atomics::atomic<T>;

 public:
  atomic(debug_info_param info = debug_info::current()) noexcept : base(info) {}
  atomic(T initial, debug_info_param info = debug_info::current()) noexcept : base(initial, info) {}
  using base::operator=;

  atomic_proxy_const<T> operator()(debug_info_param info) const { return {*this, info}; }
  atomic_proxy<T> operator()(debug_info_param info) { return {*this, info}; }
};

class atomic_flag {
 public:
  atomic_flag(debug_info_param info = debug_info::current()) noexcept : set_(false, info) {}

  bool test(memory_order o = mo_seq_cst, debug_info_param info = debug_info::current()) const {
    return set_.load(o, info);
  }
  bool test_and_set(memory_order o = mo_seq_cst, debug_info_param info = debug_info::current()) {
    return set_.exchange(true, o, info);
  }
  void clear(memory_order o = mo_seq_cst, debug_info_param info = debug_info::current()) {
    set_.store(false, o, info);
  }
  void wait(bool old, memory_order o = mo_seq_cst,
            debug_info_param info = debug_info::current()) const {
    set_.wait(old, o, info);
  }
  void notify_one(debug_info_param info = debug_info::current()) { set_.notify_one(info); }
  void notify_all(debug_info_param info = debug_info::current()) { set_.notify_all(info); }

 private:
  atomic<bool> set_;
};

#define RL_ATOMIC_FLAG_INIT \
  {}

inline void atomic_thread_fence(memory_order o, debug_info_param info = debug_info::current()) {
  detail::checked_atomics::fence(o, info);
}
// Orders a thread only with its own signal handlers, which are not explored.
inline void atomic_signal_fence(memory_order, debug_info_param = debug_info::current()) {}

using atomic_bool = atomic<bool>;
using atomic_address = atomic<void*>;
using atomic_char = atomic<char>;
using atomic_schar = atomic<signed char>;
using atomic_uchar = atomic<unsigned char>;
using atomic_short = atomic<short>;
using atomic_ushort = atomic<unsigned short>;
using atomic_int = atomic<int>;
using atomic_uint = atomic<unsigned>;
using atomic_long = atomic<long>;
using atomic_ulong = atomic<unsigned long>;
using atomic_llong = atomic<long long>;
using atomic_ullong = atomic<unsigned long long>;
using atomic_wchar_t = atomic<wchar_t>;
using atomic_intptr_t = atomic<std::intptr_t>;
using atomic_uintptr_t = atomic<std::uintptr_t>;
using atomic_size_t = atomic<std::size_t>;
using atomic_ptrdiff_t = atomic<std::ptrdiff_t>;

}  // namespace rl
