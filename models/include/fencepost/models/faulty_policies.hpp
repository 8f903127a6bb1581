// Policies that are wrong on purpose: a policy with one of its guarantees weakened.
//
// A scenario on such a policy must be violated; that shows that the guarantee is needed, and that
// the scenario would find it missing. The components themselves are not touched. Where the policy
// beneath reports source locations, those of the component are passed on.
//
//   weaker<P, operation::load, acquire, relaxed>                    loads that acquire are relaxed
//   weaker<P, operation::store, release, relaxed, std::is_pointer>  ... of pointers only
//   with_orders<P, Rule>                                            any order by a rule of its own
//   without_fence<P, seq_cst>                                       fences of one order do nothing
//   weak_exchanges<P>, torn_exchanges<P>, plain_atomics<P, T>, without_wake<P>
#pragma once

#include <atomic>
#include <cstdint>
#include <type_traits>

#include "fencepost/source_location.hpp"

namespace fencepost::models::faults {

// compare_exchange: of both kinds; its order on success. failed_exchange: its order on failure.
enum class operation : std::uint8_t {
  load,
  store,
  exchange,
  compare_exchange,
  failed_exchange,
  add,
  subtract,
  bit_or,
};

namespace detail {

// Does the policy to which this atomic belongs report source locations?
template <class Base>
inline constexpr bool located = requires(const Base& b, source_location where) {
  b.load(std::memory_order_relaxed, where);
};

// An atomic (or a word of halves), Base, whose orders are what the rule makes of them.
template <class Base, class T, class Rule>
struct reordered : Base {
  using Base::Base;
  using place = source_location;

  T load(std::memory_order o, place at = place::current()) const {
    o = Rule::order(operation::load, o, T{});
    if constexpr (located<Base>)
      return Base::load(o, at);
    else
      return Base::load(o);
  }
  void store(T value, std::memory_order o, place at = place::current()) {
    o = Rule::order(operation::store, o, value);
    if constexpr (located<Base>)
      Base::store(value, o, at);
    else
      Base::store(value, o);
  }
  T exchange(T value, std::memory_order o, place at = place::current()) {
    o = Rule::order(operation::exchange, o, value);
    if constexpr (located<Base>)
      return Base::exchange(value, o, at);
    else
      return Base::exchange(value, o);
  }
  bool compare_exchange_weak(T& expected, T desired, std::memory_order o, std::memory_order failed,
                             place at = place::current()) {
    o = Rule::order(operation::compare_exchange, o, expected);
    failed = Rule::order(operation::failed_exchange, failed, expected);
    if constexpr (located<Base>)
      return Base::compare_exchange_weak(expected, desired, o, failed, at);
    else
      return Base::compare_exchange_weak(expected, desired, o, failed);
  }
  bool compare_exchange_strong(T& expected, T desired, std::memory_order o,
                               std::memory_order failed, place at = place::current()) {
    o = Rule::order(operation::compare_exchange, o, expected);
    failed = Rule::order(operation::failed_exchange, failed, expected);
    if constexpr (located<Base>)
      return Base::compare_exchange_strong(expected, desired, o, failed, at);
    else
      return Base::compare_exchange_strong(expected, desired, o, failed);
  }
  T fetch_add(T value, std::memory_order o, place at = place::current()) {
    o = Rule::order(operation::add, o, value);
    if constexpr (located<Base>)
      return Base::fetch_add(value, o, at);
    else
      return Base::fetch_add(value, o);
  }
  T fetch_sub(T value, std::memory_order o, place at = place::current()) {
    o = Rule::order(operation::subtract, o, value);
    if constexpr (located<Base>)
      return Base::fetch_sub(value, o, at);
    else
      return Base::fetch_sub(value, o);
  }
  T fetch_or(T value, std::memory_order o, place at = place::current()) {
    o = Rule::order(operation::bit_or, o, value);
    if constexpr (located<Base>)
      return Base::fetch_or(value, o, at);
    else
      return Base::fetch_or(value, o);
  }
};

// Strong compare-exchanges may fail for no reason.
template <class Base, class T>
struct weak : Base {
  using Base::Base;
  using place = source_location;
  bool compare_exchange_strong(T& expected, T desired, std::memory_order o,
                               std::memory_order failed, place at = place::current()) {
    if constexpr (located<Base>)
      return Base::compare_exchange_weak(expected, desired, o, failed, at);
    else
      return Base::compare_exchange_weak(expected, desired, o, failed);
  }
};

// Exchanges, strong compare-exchanges and fetch_or are a load and then a store.
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
    if constexpr (located<Base>)
      return Base::load(o, at);
    else
      return Base::load(o);
  }
  void write(T value, std::memory_order o, place at) {
    if (o == std::memory_order_acquire) o = std::memory_order_relaxed;
    if (o == std::memory_order_acq_rel) o = std::memory_order_release;
    if constexpr (located<Base>)
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

// Each access to an atomic<T> has the order Rule::order(operation, order as written, T operand):
// the operand is the value that is stored or added, or that a compare-exchange expects.
template <class P, class Rule>
struct with_orders : P {
  template <class T>
  using atomic = detail::reordered<detail::atomic_of<P, T>, T, Rule>;
};

template <class T>
using every_type = std::true_type;

// One operation, where it has one order, has another.
template <operation Which, std::memory_order From, std::memory_order To,
          template <class> class Concerned = every_type>
struct change {
  template <class T>
  static constexpr std::memory_order order(operation o, std::memory_order written, T /*operand*/) {
    return Concerned<T>::value && o == Which && written == From ? To : written;
  }
};

// Concerned: of which types of value (std::is_pointer, std::is_integral, …).
template <class P, operation Which, std::memory_order From, std::memory_order To,
          template <class> class Concerned = every_type>
using weaker = with_orders<P, change<Which, From, To, Concerned>>;

// Sequentially consistent exchanges of a word of halves are acquire-release ones.
template <class P>
struct acq_rel_exchanges : P {
  using halves = detail::reordered<
      typename P::halves, std::uint64_t,
      change<operation::compare_exchange, std::memory_order_seq_cst, std::memory_order_acq_rel>>;
};

// Fences of this order do nothing.
template <class P, std::memory_order Missing>
struct without_fence : P {
  static void fence(std::memory_order order, source_location where = source_location::current()) {
    if (order == Missing) return;
    if constexpr (requires { P::fence(order, where); })
      P::fence(order, where);
    else
      P::fence(order);
  }
};

// Strong compare-exchanges may fail for no reason.
template <class P, template <class> class Concerned = every_type>
struct weak_exchanges : P {
  template <class T>
  using atomic = std::conditional_t<Concerned<T>::value, detail::weak<detail::atomic_of<P, T>, T>,
                                    detail::atomic_of<P, T>>;
};

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
