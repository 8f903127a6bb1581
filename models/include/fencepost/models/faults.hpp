// Policies that are wrong on purpose: a policy with one of its guarantees weakened.
//
// A scenario on such a policy must be violated; that shows that the guarantee is needed, and that
// the scenario would find it missing. The components themselves are not touched. Where the policy
// beneath reports source locations, those of the component are passed on.
#pragma once

#include <atomic>
#include <cstdint>
#include <type_traits>

#include "fencepost/scenario.hpp"
#include "fencepost/source_location.hpp"

namespace fencepost::models::faults {

// Fences of this order do nothing.
template <class P, std::memory_order Missing>
struct without_fence : P {
  static void fence(std::memory_order order, source_location where = source_location::current()) {
    if (order == Missing) return;
    if constexpr (requires { P::fence(order, where); }) {
      P::fence(order, where);
    } else {
      P::fence(order);
    }
  }
};

// Release stores are relaxed.
template <class P>
struct relaxed_stores : P {
  template <class T>
  struct atomic : P::template atomic<T> {
    using base = typename P::template atomic<T>;
    using base::base;
    void store(T value, std::memory_order order,
               source_location where = source_location::current()) {
      if (order == std::memory_order_release) order = std::memory_order_relaxed;
      if constexpr (requires(base & b) { b.store(value, order, where); }) {
        base::store(value, order, where);
      } else {
        base::store(value, order);
      }
    }
  };
};

namespace detail {

// A word, Base, whose weak compare-exchanges of one order have another.
template <class Base, class T, std::memory_order From, std::memory_order To>
struct weaker_exchange : Base {
  using Base::Base;
  bool compare_exchange_weak(T& expected, T desired, std::memory_order success,
                             std::memory_order failure,
                             source_location where = source_location::current()) {
    if (success == From) success = To;
    if constexpr (requires(Base & b) {
                    b.compare_exchange_weak(expected, desired, success, failure, where);
                  }) {
      return Base::compare_exchange_weak(expected, desired, success, failure, where);
    } else {
      return Base::compare_exchange_weak(expected, desired, success, failure);
    }
  }
};

}  // namespace detail

// Acquire exchanges are relaxed.
template <class P>
struct relaxed_exchanges : P {
  template <class T>
  using atomic = detail::weaker_exchange<typename P::template atomic<T>, T,
                                         std::memory_order_acquire, std::memory_order_relaxed>;
};

// Sequentially consistent exchanges of a word of halves are acquire-release ones.
template <class P>
struct acq_rel_exchanges : P {
  using halves = detail::weaker_exchange<typename P::halves, std::uint64_t,
                                         std::memory_order_seq_cst, std::memory_order_acq_rel>;
};

}  // namespace fencepost::models::faults
