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

// One kind of operation of atomics, where it has one order, has another; for all types of value, or
// for those that Concerned says.
enum class operation : std::uint8_t { load, store, exchange, compare_exchange, add, subtract };

template <class T>
using every_type = std::true_type;

namespace detail {

// Calls f(where), or f() where the policy beneath knows nothing of locations.
template <class F>
decltype(auto) call(F&& f, source_location where) {
  if constexpr (requires { f(where); }) {
    return f(where);
  } else {
    return f();
  }
}

// What follows hides the functions of an atomic, Base; those that are not named stay as they are.
template <class Base, class T, operation Which, std::memory_order From, std::memory_order To>
struct weaker_atomic : Base {
  using Base::Base;

  T load(std::memory_order o, source_location where = source_location::current()) const {
    o = weakened<operation::load>(o);
    const Base& self = *this;
    return call([&](auto... at) -> decltype(self.load(o, at...)) { return self.load(o, at...); },
                where);
  }
  void store(T v, std::memory_order o, source_location where = source_location::current()) {
    o = weakened<operation::store>(o);
    Base& self = *this;
    call([&](auto... at) -> decltype(self.store(v, o, at...)) { self.store(v, o, at...); }, where);
  }
  T exchange(T v, std::memory_order o, source_location where = source_location::current()) {
    o = weakened<operation::exchange>(o);
    Base& self = *this;
    return call([&](auto... at) -> decltype(self.exchange(
                                    v, o, at...)) { return self.exchange(v, o, at...); },
                where);
  }
  bool compare_exchange_strong(T& e, T v, std::memory_order o, std::memory_order failure,
                               source_location where = source_location::current()) {
    o = weakened<operation::compare_exchange>(o);
    Base& self = *this;
    return call(
        [&](auto... at) -> decltype(self.compare_exchange_strong(e, v, o, failure, at...)) {
          return self.compare_exchange_strong(e, v, o, failure, at...);
        },
        where);
  }
  T fetch_add(T v, std::memory_order o, source_location where = source_location::current()) {
    o = weakened<operation::add>(o);
    Base& self = *this;
    return call([&](auto... at) -> decltype(self.fetch_add(
                                    v, o, at...)) { return self.fetch_add(v, o, at...); },
                where);
  }
  T fetch_sub(T v, std::memory_order o, source_location where = source_location::current()) {
    o = weakened<operation::subtract>(o);
    Base& self = *this;
    return call([&](auto... at) -> decltype(self.fetch_sub(
                                    v, o, at...)) { return self.fetch_sub(v, o, at...); },
                where);
  }

 private:
  template <operation Operation>
  static std::memory_order weakened(std::memory_order o) {
    return Operation == Which && o == From ? To : o;
  }
};

// Exchanges, and strong compare-exchanges, are a load and then a store.
template <class Base, class T>
struct torn_atomic : Base {
  using Base::Base;

  T exchange(T v, std::memory_order o, source_location where = source_location::current()) {
    const T seen = read(o, where);
    write(v, o, where);
    return seen;
  }
  bool compare_exchange_strong(T& e, T v, std::memory_order o, std::memory_order,
                               source_location where = source_location::current()) {
    const T seen = read(o, where);
    if (seen == e) {
      write(v, o, where);
      return true;
    }
    e = seen;
    return false;
  }

 private:
  T read(std::memory_order o, source_location where) {
    if (o == std::memory_order_release) o = std::memory_order_relaxed;
    const Base& self = *this;
    return call([&](auto... at) -> decltype(self.load(o, at...)) { return self.load(o, at...); },
                where);
  }
  void write(T v, std::memory_order o, source_location where) {
    if (o == std::memory_order_acquire) o = std::memory_order_relaxed;
    Base& self = *this;
    call([&](auto... at) -> decltype(self.store(v, o, at...)) { self.store(v, o, at...); }, where);
  }
};

// Strong compare-exchanges are weak.
template <class Base, class T>
struct weak_atomic : Base {
  using Base::Base;
  bool compare_exchange_strong(T& e, T v, std::memory_order o, std::memory_order failure,
                               source_location where = source_location::current()) {
    Base& self = *this;
    return call(
        [&](auto... at) -> decltype(self.compare_exchange_weak(e, v, o, failure, at...)) {
          return self.compare_exchange_weak(e, v, o, failure, at...);
        },
        where);
  }
};

}  // namespace detail

template <class P, operation Which, std::memory_order From, std::memory_order To,
          template <class> class Concerned = every_type>
struct weaker : P {
  template <class T>
  using atomic =
      std::conditional_t<Concerned<T>::value,
                         detail::weaker_atomic<typename P::template atomic<T>, T, Which, From, To>,
                         typename P::template atomic<T>>;
};

// Read-modify-writes that exchange are not atomic.
template <class P>
struct torn_exchanges : P {
  template <class T>
  using atomic = detail::torn_atomic<typename P::template atomic<T>, T>;
};

// Strong compare-exchanges of pointers may fail for no reason.
template <class P>
struct weak_exchanges_of_pointers : P {
  template <class T>
  using atomic = std::conditional_t<std::is_pointer_v<T>,
                                    detail::weak_atomic<typename P::template atomic<T>, T>,
                                    typename P::template atomic<T>>;
};

// The system's wake does nothing.
template <class P>
struct without_wake : P {
  template <class Word>
  static void futex_wake(Word&, unsigned) {}
};

}  // namespace fencepost::models::faults
