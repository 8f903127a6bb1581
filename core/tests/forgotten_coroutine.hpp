// A coroutine for tests that begins at once, and whose frame goes when it ends.
#pragma once

#include <version>

#if defined(__cpp_lib_coroutine)
#include <coroutine>
#include <exception>

namespace fencepost::test {

struct forgotten {
  struct promise_type {
    forgotten get_return_object() noexcept { return {}; }
    std::suspend_never initial_suspend() noexcept { return {}; }
    std::suspend_never final_suspend() noexcept { return {}; }
    void return_void() noexcept {}
    void unhandled_exception() noexcept { std::terminate(); }
  };
};

}  // namespace fencepost::test
#endif
