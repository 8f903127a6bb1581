// A coroutine that nobody waits for, for the examples.
#pragma once

#include <version>

#if defined(__cpp_lib_coroutine)
#include <coroutine>
#include <exception>

// [coroutine_type]
struct detached {  // asio::detached; when it ends, so does its frame
  struct promise_type {
    detached get_return_object() noexcept { return {}; }
    std::suspend_never initial_suspend() noexcept { return {}; }
    std::suspend_never final_suspend() noexcept { return {}; }
    void return_void() noexcept {}
    void unhandled_exception() noexcept { std::terminate(); }
  };
};
// [coroutine_type]
#endif
