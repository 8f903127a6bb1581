// The rest of std::atomic's interface, for the atomics of a policy: the operators, each of which is
// sequentially consistent, and the order of a failed compare-exchange for which only one order is
// given.
//
//   template <class T>
//   class atomic : public atomic_operators<atomic<T>, T> { ... using base::operator=; };
#pragma once

#include <atomic>
#include <cstddef>
#include <type_traits>

namespace fencepost {

constexpr std::memory_order failure_order(std::memory_order success) noexcept {
  if (success == std::memory_order_acq_rel) return std::memory_order_acquire;
  if (success == std::memory_order_release) return std::memory_order_relaxed;
  return success;
}

template <class Atomic, class T>
class atomic_operators {
  using difference = std::conditional_t<std::is_pointer_v<T>, std::ptrdiff_t, T>;

 public:
  operator T() const { return static_cast<const Atomic*>(this)->load(); }
  T operator=(T v) {
    self().store(v);
    return v;
  }
  T operator++() { return static_cast<T>(self().fetch_add(1) + 1); }
  T operator++(int) { return self().fetch_add(1); }
  T operator--() { return static_cast<T>(self().fetch_sub(1) - 1); }
  T operator--(int) { return self().fetch_sub(1); }
  T operator+=(difference v) { return static_cast<T>(self().fetch_add(v) + v); }
  T operator-=(difference v) { return static_cast<T>(self().fetch_sub(v) - v); }
  T operator&=(T v) { return static_cast<T>(self().fetch_and(v) & v); }
  T operator|=(T v) { return static_cast<T>(self().fetch_or(v) | v); }
  T operator^=(T v) { return static_cast<T>(self().fetch_xor(v) ^ v); }

 private:
  Atomic& self() { return *static_cast<Atomic*>(this); }
};

}  // namespace fencepost
