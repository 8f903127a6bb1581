// Policies that are wrong on purpose: a policy with one of its guarantees weakened.
//
// A scenario on such a policy must be violated; that shows that the guarantee is needed, and that
// the scenario would detect its absence. The components themselves are not changed. If the
// underlying policy takes source locations, those of the component are passed on.
//
//   torn_exchanges<P>, plain_atomics<P, T>, without_wake<P>
//
// To weaken a single order, see orders/with_order.hpp.
#pragma once

#include <atomic>
#include <type_traits>

#include "fencepost/models/reports_places.hpp"
#include "fencepost/source_location.hpp"

namespace fencepost::models::faults {

namespace detail {

// Performs exchanges, strong compare-exchanges and fetch_or as a load and then a store.
template <class Base, class T>
struct torn : Base {
  using Base::Base;
  using place = source_location;

  T exchange(T value, std::memory_order o, place at = place::current()) {
    const T seen = read(o, at);
    write(value, o, at);
    return seen;
  }
  bool compare_exchange_strong(T& expected, T desired, std::memory_order o, std::memory_order,
                               place at = place::current()) {
    const T seen = read(o, at);
    if (seen != expected) {
      expected = seen;
      return false;
    }
    write(desired, o, at);
    return true;
  }
  T fetch_or(T value, std::memory_order o, place at = place::current()) {
    const T seen = read(o, at);
    write(seen | value, o, at);
    return seen;
  }

 private:
  T read(std::memory_order o, place at) const {
    if (o == std::memory_order_release) o = std::memory_order_relaxed;
    if (o == std::memory_order_acq_rel) o = std::memory_order_acquire;
    if constexpr (reports_places<Base>)
      return Base::load(o, at);
    else
      return Base::load(o);
  }
  void write(T value, std::memory_order o, place at) {
    if (o == std::memory_order_acquire) o = std::memory_order_relaxed;
    if (o == std::memory_order_acq_rel) o = std::memory_order_release;
    if constexpr (reports_places<Base>)
      Base::store(value, o, at);
    else
      Base::store(value, o);
  }
};

// A plain object that can be loaded and stored.
template <class Plain, class T>
class unprotected {
 public:
  using place = source_location;
  static constexpr bool is_always_lock_free = true;
  explicit unprotected(T value = T()) : value_(value) {}

  T load(std::memory_order, place at = place::current()) const {
    if constexpr (requires { value_.get(at); })
      return value_.get(at);
    else
      return value_.get();
  }
  void store(T value, std::memory_order, place at = place::current()) {
    if constexpr (requires { value_.set(value, at); })
      value_.set(value, at);
    else
      value_.set(value);
  }

 private:
  Plain value_;
};

template <class P, class T>
using atomic_of = typename P::template atomic<T>;

}  // namespace detail

// Exchanges, strong compare-exchanges and fetch_or are not atomic.
template <class P>
struct torn_exchanges : P {
  template <class T>
  using atomic = detail::torn<detail::atomic_of<P, T>, T>;
};

// Atomics of the type Plain are plain objects that can be loaded and stored.
template <class P, class Plain>
struct plain_atomics : P {
  template <class T>
  using atomic = std::conditional_t<std::is_same_v<T, Plain>,
                                    detail::unprotected<typename P::template plain<Plain>, Plain>,
                                    detail::atomic_of<P, T>>;
};

// The system's wake does nothing.
template <class P>
struct without_wake : P {
  template <class Word>
  static void futex_wake(Word&, unsigned) {}
};

}  // namespace fencepost::models::faults
