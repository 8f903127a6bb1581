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

// The orders that accesses to an atomic<T> get in place of the ones that they ask for: as they are.
// A rule derives from this, and hides what it changes.
struct orders_as_they_are {
  template <class T>
  static constexpr std::memory_order load(std::memory_order order) {
    return order;
  }
  template <class T>
  static constexpr std::memory_order exchange(std::memory_order order) {
    return order;
  }
  // The order on success, where the value is to be `expected`.
  template <class T>
  static constexpr std::memory_order compare_exchange(std::memory_order order, T /*expected*/) {
    return order;
  }
  template <class T>
  static constexpr std::memory_order fetch_add(std::memory_order order) {
    return order;
  }
  template <class T>
  static constexpr std::memory_order fetch_sub(std::memory_order order) {
    return order;
  }
  template <class T>
  static constexpr std::memory_order fetch_or(std::memory_order order) {
    return order;
  }
};

// Orders are what the rule makes of them.
template <class P, class Rule>
struct with_orders : P {
  template <class T>
  struct atomic : P::template atomic<T> {
    using base = typename P::template atomic<T>;
    using base::base;

    T load(std::memory_order order, source_location where = source_location::current()) const {
      order = Rule::template load<T>(order);
      if constexpr (requires(const base& b) { b.load(order, where); }) {
        return base::load(order, where);
      } else {
        return base::load(order);
      }
    }
    T exchange(T value, std::memory_order order,
               source_location where = source_location::current()) {
      order = Rule::template exchange<T>(order);
      if constexpr (requires(base & b) { b.exchange(value, order, where); }) {
        return base::exchange(value, order, where);
      } else {
        return base::exchange(value, order);
      }
    }
    bool compare_exchange_strong(T& expected, T desired, std::memory_order success,
                                 std::memory_order failure,
                                 source_location where = source_location::current()) {
      success = Rule::template compare_exchange<T>(success, expected);
      if constexpr (requires(base & b) {
                      b.compare_exchange_strong(expected, desired, success, failure, where);
                    }) {
        return base::compare_exchange_strong(expected, desired, success, failure, where);
      } else {
        return base::compare_exchange_strong(expected, desired, success, failure);
      }
    }
    T fetch_add(T operand, std::memory_order order,
                source_location where = source_location::current()) {
      order = Rule::template fetch_add<T>(order);
      if constexpr (requires(base & b) { b.fetch_add(operand, order, where); }) {
        return base::fetch_add(operand, order, where);
      } else {
        return base::fetch_add(operand, order);
      }
    }
    T fetch_sub(T operand, std::memory_order order,
                source_location where = source_location::current()) {
      order = Rule::template fetch_sub<T>(order);
      if constexpr (requires(base & b) { b.fetch_sub(operand, order, where); }) {
        return base::fetch_sub(operand, order, where);
      } else {
        return base::fetch_sub(operand, order);
      }
    }
    T fetch_or(T operand, std::memory_order order,
               source_location where = source_location::current()) {
      order = Rule::template fetch_or<T>(order);
      if constexpr (requires(base & b) { b.fetch_or(operand, order, where); }) {
        return base::fetch_or(operand, order, where);
      } else {
        return base::fetch_or(operand, order);
      }
    }
  };
};

}  // namespace fencepost::models::faults
