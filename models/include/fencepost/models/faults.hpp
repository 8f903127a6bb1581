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

// Which accesses weakened<> weakens.
enum class access : std::uint8_t { load, store, exchange };  // exchange: compare_exchange_strong

namespace detail {

// An atomic, Base, whose accesses of one kind and order have another order. That of an exchange is
// its order on success.
template <class Base, class T, access Kind, std::memory_order From, std::memory_order To>
struct weakened_atomic : Base {
  using Base::Base;

  T load(std::memory_order order, source_location where = source_location::current()) const {
    if constexpr (requires(const Base& b) { b.load(order, where); }) {
      return Base::load(changed<access::load>(order), where);
    } else {
      return Base::load(changed<access::load>(order));
    }
  }
  void store(T value, std::memory_order order, source_location where = source_location::current()) {
    if constexpr (requires(Base & b) { b.store(value, order, where); }) {
      Base::store(value, changed<access::store>(order), where);
    } else {
      Base::store(value, changed<access::store>(order));
    }
  }
  bool compare_exchange_strong(T& expected, T desired, std::memory_order success,
                               std::memory_order failure,
                               source_location where = source_location::current()) {
    success = changed<access::exchange>(success);
    if constexpr (requires(Base & b) {
                    b.compare_exchange_strong(expected, desired, success, failure, where);
                  }) {
      return Base::compare_exchange_strong(expected, desired, success, failure, where);
    } else {
      return Base::compare_exchange_strong(expected, desired, success, failure);
    }
  }

 private:
  template <access Now>
  static std::memory_order changed(std::memory_order order) {
    return Now == Kind && order == From ? To : order;
  }
};

}  // namespace detail

// Accesses of one kind with the order From have the order To, on atomics of the types that Of<> is
// true of (std::is_pointer, std::is_integral).
template <class P, template <class> class Of, access Kind, std::memory_order From,
          std::memory_order To>
struct weakened : P {
  template <class T>
  using atomic =
      std::conditional_t<Of<T>::value,
                         detail::weakened_atomic<typename P::template atomic<T>, T, Kind, From, To>,
                         typename P::template atomic<T>>;
};

// Atomics of the type Plain are plain objects that can be loaded and stored.
template <class P, class Plain>
struct plain_atomics : P {
  class unprotected {
   public:
    static constexpr bool is_always_lock_free = true;
    explicit unprotected(Plain value = Plain()) : value_(value) {}

    Plain load(std::memory_order, source_location where = source_location::current()) const {
      if constexpr (requires { value_.get(where); }) {
        return value_.get(where);
      } else {
        return value_.get();
      }
    }
    void store(Plain value, std::memory_order, source_location where = source_location::current()) {
      if constexpr (requires { value_.set(value, where); }) {
        value_.set(value, where);
      } else {
        value_.set(value);
      }
    }

   private:
    typename P::template plain<Plain> value_;
  };

  template <class T>
  using atomic =
      std::conditional_t<std::is_same_v<T, Plain>, unprotected, typename P::template atomic<T>>;
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
