// A callable with its arguments, as std::async and std::thread keep them: decayed copies, each
// moved into the call. std::ref() passes an argument by reference.
#pragma once

#include <functional>
#include <tuple>
#include <type_traits>
#include <utility>
#include <version>

#if defined(__cpp_lib_jthread)
#include <stop_token>
#endif

namespace fencepost {

// Called once, as an rvalue; with a stop token as well, if F takes one as its first argument.
template <class F, class... Args>
class bound_call {
 public:
  template <class G, class... A>
  explicit bound_call(std::in_place_t, G&& f, A&&... args)
      : callable_{std::forward<G>(f)}, arguments_{std::forward<A>(args)...} {}

  decltype(auto) operator()() && requires(std::is_invocable_v<F, Args...>) {
    return std::apply(
        [this](Args&... args) -> decltype(auto) {
          return static_cast<owned<std::invoke_result_t<F, Args...>>>(
              std::invoke(std::move(callable_), std::move(args)...));
        },
        arguments_);
  }
#if defined(__cpp_lib_jthread)
  decltype(auto) operator()(std::stop_token token) &&
      requires(std::is_invocable_v<F, std::stop_token, Args...>) {
    return std::apply(
        [this, &token](Args&... args) -> decltype(auto) {
          return static_cast<owned<std::invoke_result_t<F, std::stop_token, Args...>>>(
              std::invoke(std::move(callable_), std::move(token), std::move(args)...));
        },
        arguments_);
  }
#endif

 private:
  // The type of the result: a value instead of an rvalue reference, which may refer to an argument
  // that is kept here and does not outlive the job.
  template <class R>
  using owned = std::conditional_t<std::is_rvalue_reference_v<R>, std::remove_reference_t<R>, R>;

  F callable_;
  std::tuple<Args...> arguments_;
};

// F itself, if there are no arguments.
template <class F, class... Args>
using bound_call_of = std::conditional_t<sizeof...(Args) == 0, std::decay_t<F>,
                                         bound_call<std::decay_t<F>, std::decay_t<Args>...>>;

// Whether f(args...) can be kept and called, and there are arguments at all.
template <class F, class... Args>
concept called_with =
    sizeof...(Args) != 0 && std::is_invocable_v<std::decay_t<F>, std::decay_t<Args>...>;

}  // namespace fencepost
