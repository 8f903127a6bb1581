// Lace's movesplit and allstolen, as published: plain bytes that owner and thieves read and write.
//
// Lace marks the functions concerned as not to be instrumented by ThreadSanitizer; in C11 and in
// C++20 they race. The kit's deque has relaxed atomics in their place.
#pragma once

#include <atomic>
#include <type_traits>

#include "fencepost/source_location.hpp"

namespace fencepost::models::as_published {

// A policy whose atomic<bool> is plain.
template <class P>
struct lace_flags : P {
  class flag {
   public:
    explicit flag(bool value) : value_(value) {}

    bool load(std::memory_order, source_location where = source_location::current()) const {
      if constexpr (requires { value_.get(where); }) {
        return value_.get(where);
      } else {
        return value_.get();
      }
    }
    void store(bool value, std::memory_order, source_location where = source_location::current()) {
      if constexpr (requires { value_.set(value, where); }) {
        value_.set(value, where);
      } else {
        value_.set(value);
      }
    }

   private:
    typename P::template plain<bool> value_;
  };

  template <class T>
  using atomic = std::conditional_t<std::is_same_v<T, bool>, flag, typename P::template atomic<T>>;
};

}  // namespace fencepost::models::as_published
