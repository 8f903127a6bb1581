// A callable that is called unless its std::stop_token has been asked to stop before.
//
// This header is empty where the library has no std::stop_token (__cpp_lib_jthread).
#pragma once

#include <version>

#if defined(__cpp_lib_jthread)
#include <functional>
#include <stop_token>
#include <type_traits>
#include <utility>

namespace fencepost {

// Called without arguments, as an rvalue, once. F may take the token, to check it while it runs.
template <class F>
class unless_stopped {
  static constexpr bool takes_token = std::is_invocable_v<F, std::stop_token>;

 public:
  using result = typename std::conditional_t<takes_token, std::invoke_result<F, std::stop_token>,
                                             std::invoke_result<F>>::type;

  template <class G>
  unless_stopped(std::stop_token token, G&& f)
      : token_{std::move(token)}, callable_{std::forward<G>(f)} {}

  bool stopped() const noexcept { return token_.stop_requested(); }

  result operator()() && {
    if constexpr (takes_token) {
      return std::invoke(std::move(callable_), std::move(token_));
    } else {
      return std::invoke(std::move(callable_));
    }
  }

 private:
  std::stop_token token_;
  F callable_;
};

template <class F>
concept stoppable =
    std::is_invocable_v<std::decay_t<F>, std::stop_token> || std::is_invocable_v<std::decay_t<F>>;

// For a caller that expects no result: a callable that does nothing if it has been asked to stop.
template <class F>
class dropped_when_stopped {
 public:
  using drops_itself = void;  // small_function.hpp

  template <class G>
  dropped_when_stopped(std::stop_token token, G&& f) : job_{std::move(token), std::forward<G>(f)} {}

  bool stopped() const noexcept { return job_.stopped(); }
  // Once.
  void operator()() {
    if (!stopped()) static_cast<void>(std::move(job_)());
  }

 private:
  unless_stopped<F> job_;
};
template <stoppable F>
auto dropped_if_stopped(std::stop_token token, F&& f) {
  return dropped_when_stopped<std::decay_t<F>>{std::move(token), std::forward<F>(f)};
}

}  // namespace fencepost
#endif
