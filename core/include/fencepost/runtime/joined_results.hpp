// The results of callables that fork_join_worker::join() runs, as a tuple.
#pragma once

#include <tuple>
#include <type_traits>
#include <variant>

namespace fencepost::detail {

// R, or std::monostate as a value for void.
template <class R>
using value_of = std::conditional_t<std::is_void_v<R>, std::monostate, R>;
template <class R, class F>
value_of<R> call_for_value(F&& f) {
  if constexpr (std::is_void_v<R>) {
    f();
    return {};
  } else {
    return f();
  }
}
template <class Tuple>
inline constexpr bool has_value = true;
template <class... Values>
inline constexpr bool has_value<std::tuple<Values...>> =
    !(std::is_same_v<Values, std::monostate> && ...);

template <class Value, class First, class... Rest>
std::tuple<First, Value, Rest...> insert_second(std::tuple<First, Rest...>&& values,
                                                Value&& value) {
  return std::apply(
      [&value](First& first, Rest&... rest) {
        return std::tuple<First, Value, Rest...>{
            static_cast<First&&>(first), static_cast<Value&&>(value), static_cast<Rest&&>(rest)...};
      },
      values);
}

}  // namespace fencepost::detail
