// A thread started by _beginthreadex(): the system reserves a stack of the requested size, commits
// it page by page, and guards its end. Compiled and run against fakes of the system's functions
// (core/tests/ports), never on Windows.
#pragma once

#include "windows_api.hpp"
//
#include <process.h>

#include <cerrno>
#include <cstdint>
#include <limits>
#include <string>

#include "fencepost/runtime/worker_thread.hpp"
#include "worker_thread_error.hpp"

namespace fencepost::detail {

class system_thread {
 public:
  explicit system_thread(const worker_thread_options& options) {
    if (options.stack > std::numeric_limits<unsigned>::max()) {
      refuse(ENOMEM, "no address space for a stack of " + std::to_string(options.stack) +
                         " bytes: set worker_thread_options::stack to less than 4 GiB");
    }
  }

  void start(const worker_thread_options& options, void (*enter)(void*) noexcept, void* argument) {
    enter_ = enter;
    argument_ = argument;
    const std::uintptr_t handle =
        _beginthreadex(nullptr, static_cast<unsigned>(options.stack), &run, this,
                       STACK_SIZE_PARAM_IS_A_RESERVATION, &id_);
    if (handle == 0) {
      refuse(errno,
             "the system has no room for another thread, or for its stack: start fewer, or "
             "set worker_thread_options::stack to less");
    }
    handle_ = reinterpret_cast<HANDLE>(handle);
  }

  bool is_this_thread() const noexcept { return id_ == GetCurrentThreadId(); }

  void join() {
    if (WaitForSingleObject(handle_, INFINITE) != WAIT_OBJECT_0) {
      refuse(EINVAL, "join() failed");
    }
    CloseHandle(handle_);
  }

 private:
  static unsigned __stdcall run(void* self) noexcept {
    const auto& thread = *static_cast<system_thread*>(self);
    thread.enter_(thread.argument_);
    return 0;
  }

  void (*enter_)(void*) noexcept = nullptr;
  void* argument_ = nullptr;
  HANDLE handle_ = nullptr;
  unsigned id_ = 0;
};

}  // namespace fencepost::detail
