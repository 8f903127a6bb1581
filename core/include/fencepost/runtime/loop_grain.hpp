// The grain of a parallel loop: the smallest number of elements that is worth a task.
//
// Constructed implicitly from any integer, so that callers write a number of their own type. A
// negative number is refused: as an unsigned number it would be a grain that no loop reaches, and
// the loop would run on one worker without a word.
//
// Threads: a value. Costs: a comparison, none for a constant.
#pragma once

#include <concepts>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <type_traits>
#include <utility>

#include "fencepost/exceptions.hpp"

namespace fencepost {

class loop_grain {
  // An integer after promotion: also an unscoped enumerator or a std::integral_constant.
  template <class I>
  using promoted = decltype(+std::declval<const I&>());

 public:
  // 0 is treated as 1. Throws std::invalid_argument for a negative number.
  template <class I>
  requires(std::integral<promoted<I>> &&
           !std::same_as<I, bool>) constexpr loop_grain(const I& elements)
      : elements_{checked(+elements)} {}

  // At least 1.
  constexpr std::uint64_t elements() const noexcept { return elements_; }

 private:
  template <class I>
  static constexpr std::uint64_t checked(I elements) {
    if (std::cmp_less(elements, 1)) {
      if (std::cmp_less(elements, 0)) {
        detail::raise<std::invalid_argument>(
            "parallel loop: the grain is negative; give the smallest number of elements that is "
            "worth a task, or leave it out");
      }
      return 1;
    }
    return static_cast<std::uint64_t>(elements);
  }

  std::uint64_t elements_;
};

}  // namespace fencepost
