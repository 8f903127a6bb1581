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

// Which order an access gets: as written. A rule derives from it and hides what it changes; the
// template parameter is the value's type, by which it tells one atomic from another.
struct as_written {
  template <class T>
  static constexpr std::memory_order load(std::memory_order order) {
    return order;
  }
  template <class T>
  static constexpr std::memory_order store(std::memory_order order) {
    return order;
  }
  template <class T>
  static constexpr std::memory_order exchange(std::memory_order order) {
    return order;
  }
  template <class T>
  static constexpr std::memory_order add(std::memory_order order) {  // and subtract
    return order;
  }
  template <class T>
  static constexpr std::memory_order compare_exchange(std::memory_order order) {  // on success
    return order;
  }
  template <class T>
  static constexpr std::memory_order failed_exchange(std::memory_order order) {
    return order;
  }
};

// Orders as the rule has them, compare-exchanges of both kinds included.
template <class P, class Rule>
struct reordered : P {
  template <class T>
  struct atomic : P::template atomic<T> {
    using base = typename P::template atomic<T>;
    using base::base;
    using from_here = source_location;

    T load(std::memory_order order, from_here where = from_here::current()) const {
      order = Rule::template load<T>(order);
      if constexpr (requires(const base& b) { b.load(order, where); }) {
        return base::load(order, where);
      } else {
        return base::load(order);
      }
    }
    void store(T value, std::memory_order order, from_here where = from_here::current()) {
      order = Rule::template store<T>(order);
      if constexpr (requires(base & b) { b.store(value, order, where); }) {
        base::store(value, order, where);
      } else {
        base::store(value, order);
      }
    }
    T exchange(T value, std::memory_order order, from_here where = from_here::current()) {
      order = Rule::template exchange<T>(order);
      if constexpr (requires(base & b) { b.exchange(value, order, where); }) {
        return base::exchange(value, order, where);
      } else {
        return base::exchange(value, order);
      }
    }
    T fetch_add(T value, std::memory_order order, from_here where = from_here::current()) {
      order = Rule::template add<T>(order);
      if constexpr (requires(base & b) { b.fetch_add(value, order, where); }) {
        return base::fetch_add(value, order, where);
      } else {
        return base::fetch_add(value, order);
      }
    }
    T fetch_sub(T value, std::memory_order order, from_here where = from_here::current()) {
      order = Rule::template add<T>(order);
      if constexpr (requires(base & b) { b.fetch_sub(value, order, where); }) {
        return base::fetch_sub(value, order, where);
      } else {
        return base::fetch_sub(value, order);
      }
    }
    bool compare_exchange_weak(T& expected, T desired, std::memory_order success,
                               std::memory_order failure, from_here where = from_here::current()) {
      success = Rule::template compare_exchange<T>(success);
      failure = Rule::template failed_exchange<T>(failure);
      if constexpr (requires(base & b) {
                      b.compare_exchange_weak(expected, desired, success, failure, where);
                    }) {
        return base::compare_exchange_weak(expected, desired, success, failure, where);
      } else {
        return base::compare_exchange_weak(expected, desired, success, failure);
      }
    }
    bool compare_exchange_strong(T& expected, T desired, std::memory_order success,
                                 std::memory_order failure,
                                 from_here where = from_here::current()) {
      success = Rule::template compare_exchange<T>(success);
      failure = Rule::template failed_exchange<T>(failure);
      if constexpr (requires(base & b) {
                      b.compare_exchange_strong(expected, desired, success, failure, where);
                    }) {
        return base::compare_exchange_strong(expected, desired, success, failure, where);
      } else {
        return base::compare_exchange_strong(expected, desired, success, failure);
      }
    }
  };
};

// Strong compare-exchanges are weak ones.
template <class P>
struct weak_exchanges : P {
  template <class T>
  struct atomic : P::template atomic<T> {
    using base = typename P::template atomic<T>;
    using base::base;
    bool compare_exchange_strong(T& expected, T desired, std::memory_order success,
                                 std::memory_order failure,
                                 source_location where = source_location::current()) {
      if constexpr (requires(base & b) {
                      b.compare_exchange_weak(expected, desired, success, failure, where);
                    }) {
        return base::compare_exchange_weak(expected, desired, success, failure, where);
      } else {
        return base::compare_exchange_weak(expected, desired, success, failure);
      }
    }
  };
};

}  // namespace fencepost::models::faults
