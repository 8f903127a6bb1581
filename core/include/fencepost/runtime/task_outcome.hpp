// The outcome of a call, kept until it is taken: its result, or the exception that left it.
//
// Threads: one thread that runs, then one that takes; the caller orders the two.
#pragma once

#include <memory>
#include <optional>
#include <type_traits>
#include <utility>
#include <variant>

#include "fencepost/exceptions.hpp"

namespace fencepost {

namespace detail {

// A result R as it is kept until it is taken: a reference as a pointer, void as a monostate.
template <class R>
using kept_result = std::conditional_t<
    std::is_void_v<R>, std::monostate,
    std::conditional_t<std::is_reference_v<R>, std::add_pointer_t<R>, std::remove_cv_t<R>>>;
template <class R, class F>
kept_result<R> call_and_keep(F&& f) {
  if constexpr (std::is_void_v<R>) {
    f();
    return {};
  } else if constexpr (std::is_reference_v<R>) {
    auto&& result = f();
    return std::addressof(result);
  } else {
    return f();
  }
}
template <class R>
R give([[maybe_unused]] kept_result<R>& kept) {
  if constexpr (std::is_reference_v<R>) {
    return static_cast<R>(*kept);
  } else if constexpr (!std::is_void_v<R>) {
    return std::move(kept);
  }
}

}  // namespace detail

template <class R>
class task_outcome {
 public:
  // Calls f(), which returns an R, and keeps what it returns or throws.
  template <class F>
  void keep_of(F&& f) noexcept {
    detail::attempt([&] { result_.emplace(detail::call_and_keep<R>(std::forward<F>(f))); },
                    [&] { error_ = std::current_exception(); });
  }
  // After that, once: returns the result, or rethrows the exception.
  R take() {
    if (error_) std::rethrow_exception(std::exchange(error_, nullptr));
    return detail::give<R>(*result_);
  }

 private:
  std::optional<detail::kept_result<R>> result_;
  std::exception_ptr error_;
};

}  // namespace fencepost
