// A policy on which one labelled operation of the library has another order than its source says.
//
//   with_order<P, "worker_sleep.hpp:register=relaxed">
//
// The component is not changed: the policy recognizes the operation by its place in the source. If
// the underlying policy takes source locations, those of the component are passed on.
#pragma once

#include <atomic>
#include <cstdint>

#include "fencepost/models/orders/order_change.hpp"
#include "fencepost/models/reports_places.hpp"
#include "fencepost/source_location.hpp"

namespace fencepost::models {

namespace detail {

// An atomic (or a word of halves), Base, each of whose operations checks where it is called from.
template <class Base, class T, order_change Change>
struct with_order_at : Base {
  using Base::Base;
  using order = std::memory_order;
  using place = source_location;

  T load(order written, place at = place::current()) const {
    return run<operation::load>(written, at, [&, &base = below()](order o, auto... where) {
      return base.load(o, where...);
    });
  }
  void store(T value, order written, place at = place::current()) {
    run<operation::store>(written, at, [&, &base = below()](order o, auto... where) {
      base.store(value, o, where...);
    });
  }
  T exchange(T value, order written, place at = place::current()) {
    return run<operation::exchange>(written, at, [&, &base = below()](order o, auto... where) {
      return base.exchange(value, o, where...);
    });
  }
  T fetch_add(T value, order written, place at = place::current()) {
    return run<operation::fetch_add>(written, at, [&, &base = below()](order o, auto... where) {
      return base.fetch_add(value, o, where...);
    });
  }
  T fetch_sub(T value, order written, place at = place::current()) {
    return run<operation::fetch_sub>(written, at, [&, &base = below()](order o, auto... where) {
      return base.fetch_sub(value, o, where...);
    });
  }
  T fetch_or(T value, order written, place at = place::current()) {
    return run<operation::fetch_or>(written, at, [&, &base = below()](order o, auto... where) {
      return base.fetch_or(value, o, where...);
    });
  }
  bool compare_exchange_weak(T& expected, T desired, order success, order failure,
                             place at = place::current()) {
    const auto exchange = [&, &base = below()](order s, order f, auto... where) {
      return base.compare_exchange_weak(expected, desired, s, f, where...);
    };
    return is_changed<operation::compare_exchange>(at)
               ? call(exchange, at, on_success(), on_failure())
               : call(exchange, at, success, failure);
  }
  bool compare_exchange_strong(T& expected, T desired, order success, order failure,
                               place at = place::current()) {
    const auto exchange = [&, &base = below()](order s, order f, auto... where) {
      return base.compare_exchange_strong(expected, desired, s, f, where...);
    };
    if (!is_changed<operation::compare_exchange>(at)) return call(exchange, at, success, failure);
    if constexpr (Change.part == order_change::part_t::strength)
      return compare_exchange_weak(expected, desired, success, failure, at);
    else
      return call(exchange, at, on_success(), on_failure());
  }

 private:
  const Base& below() const { return *this; }
  Base& below() { return *this; }

  template <operation What>
  static bool is_changed(place at) {
    return Change.place().what == What && Change.place().is_at(at);
  }
  static constexpr order on_success() {
    return Change.part == order_change::part_t::order ? Change.to : Change.place().order;
  }
  static constexpr order on_failure() {
    return Change.part == order_change::part_t::failure ? Change.to : Change.place().failure;
  }

  // The order is a constant on either path: compilers replace one that is not by the strongest.
  template <operation What, class Access>
  [[gnu::always_inline]] static auto run(order written, place at, const Access& access) {
    if constexpr (Change.place().what == What) {
      if (is_changed<What>(at)) return call(access, at, Change.to);
    }
    return call(access, at, written);
  }
  template <class Access, class... Orders>
  [[gnu::always_inline]] static auto call(const Access& access, place at, Orders... orders) {
    if constexpr (reports_places<Base>)
      return access(orders..., at);
    else
      return access(orders...);
  }
};

// Changes the word of halves too, if the policy has one.
template <class P, order_change Change>
struct with_halves : P {};
template <class P, order_change Change>
requires requires { typename P::halves; }
struct with_halves<P, Change> : P {
  using halves = with_order_at<typename P::halves, std::uint64_t, Change>;
};

}  // namespace detail

template <class P, order_change Change>
struct with_order : detail::with_halves<P, Change> {
  template <class T>
  using atomic = detail::with_order_at<typename P::template atomic<T>, T, Change>;

  static void fence(std::memory_order written, source_location at = source_location::current()) {
    if (Change.place().what != operation::fence || !Change.place().is_at(at)) {
      go(written, at);
      return;
    }
    if constexpr (Change.part != order_change::part_t::presence) go(Change.to, at);
  }

 private:
  [[gnu::always_inline]] static void go(std::memory_order order, source_location at) {
    if constexpr (requires { P::fence(order, at); })
      P::fence(order, at);
    else
      P::fence(order);
  }
};

// Several changes.
template <class P, order_change First, order_change... Others>
struct with_orders_of {
  using type = typename with_orders_of<with_order<P, First>, Others...>::type;
};
template <class P, order_change Last>
struct with_orders_of<P, Last> {
  using type = with_order<P, Last>;
};
template <class P, order_change... Changes>
using with_orders = typename with_orders_of<P, Changes...>::type;

}  // namespace fencepost::models
