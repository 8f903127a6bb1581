// Plain data under the checker, which finds races on it.
#pragma once

#include <type_traits>
#include <utility>

#include "fencepost/verify/checked/handle.hpp"
#include "fencepost/verify/checked/policy.hpp"

namespace fencepost {

// A T whose conflicting accesses race unless happens-before orders them. A default-constructed
// trivial T has no value: its bytes are the same in every execution, and reading it is reported.
template <class T>
class checked_atomics::plain {
 public:
  plain(source_location where = source_location::current()) : plain(T(), where) {
    if constexpr (std::is_trivially_default_constructible_v<T>)
      verify::detail::here().begins_without_value(at_.get());
  }
  plain(T initial, source_location where = source_location::current())
      : value_(std::move(initial)),
        at_(verify::detail::here().declare_plain(this, sizeof(T), std::is_scalar_v<T>, where)) {}
  plain(const plain&) = delete;
  plain& operator=(const plain&) = delete;  // use set(other.get())
  void operator=(T) = delete;               // use set(value), or write() to change it in place

  T get(source_location where = source_location::current()) const { return read(where); }
  void set(T v, source_location where = source_location::current()) { write(where) = std::move(v); }
  const T& read(source_location where = source_location::current()) const {
    verify::detail::here().plain_read(at_.get(where), where);
    return value_;
  }
  T& write(source_location where = source_location::current()) {
    verify::detail::here().plain_write(at_.get(where), where);
    return value_;
  }

 private:
  T value_;
  verify::detail::handle at_;
};

}  // namespace fencepost
