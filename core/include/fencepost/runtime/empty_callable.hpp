// Whether a callable is one of those that can be empty, and is: a null pointer, an empty
// std::function. A class that can be empty is constructible from nullptr and converts to bool.
// The first property alone does not suffice: an aggregate whose first member is a pointer is
// constructible from nullptr as well.
#pragma once

#include <cstddef>
#include <type_traits>

namespace fencepost {

template <class F>
[[nodiscard]] constexpr bool is_empty_callable(const F& f) noexcept {
  if constexpr (std::is_pointer_v<F> || std::is_member_pointer_v<F>) {
    return f == nullptr;
  } else if constexpr (!std::is_function_v<F> && std::is_constructible_v<F, std::nullptr_t> &&
                       std::is_constructible_v<bool, const F&>) {
    return !static_cast<bool>(f);
  } else {
    return false;
  }
}

}  // namespace fencepost
