// Coroutines for tests. They begin at once; their frames are destroyed when they end.
#pragma once

#include <version>

#if defined(__cpp_lib_coroutine)
#include <coroutine>
#include <exception>
#include <future>
#include <utility>

namespace fencepost::test {

// A coroutine that nobody waits for.
struct forgotten {
  struct promise_type {
    forgotten get_return_object() noexcept { return {}; }
    std::suspend_never initial_suspend() noexcept { return {}; }
    std::suspend_never final_suspend() noexcept { return {}; }
    void return_void() noexcept {}
    void unhandled_exception() noexcept { std::terminate(); }
  };
};

// Reports the end of a coroutine by a future.
template <class T>
struct reported_end {
  std::promise<T> end;
  void return_value(T value) { end.set_value(std::move(value)); }
};
template <>
struct reported_end<void> {
  std::promise<void> end;
  void return_void() { end.set_value(); }
};
template <class T>
struct reported {
  struct promise_type : reported_end<T> {
    reported get_return_object() { return {this->end.get_future()}; }
    std::suspend_never initial_suspend() noexcept { return {}; }
    std::suspend_never final_suspend() noexcept { return {}; }
    void unhandled_exception() { this->end.set_exception(std::current_exception()); }
  };
  std::future<T> end;
};

}  // namespace fencepost::test
#endif
