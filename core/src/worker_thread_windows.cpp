// Threads by _beginthreadex: the system reserves a stack of the size that it is asked for, commits
// it page by page, and guards its end. Compiled and run against stand-ins for the system's
// functions (core/tests/ports), never on Windows.
#if !defined(NOMINMAX)
#define NOMINMAX
#endif
#if !defined(WIN32_LEAN_AND_MEAN)
#define WIN32_LEAN_AND_MEAN
#endif
#include <windows.h>
//
#include <process.h>

#include <cerrno>
#include <exception>
#include <limits>
#include <string>
#include <system_error>

#include "fencepost/runtime/placement.hpp"
#include "fencepost/runtime/worker_thread.hpp"

namespace fencepost {

namespace {

std::system_error refused(int error, const std::string& what) {
  return {error, std::generic_category(), "worker_thread: " + what};
}

}  // namespace

struct worker_thread::running {
  // Noexcept: what leaves the callable ends the program here.
  static unsigned __stdcall enter(void* self) noexcept {
    auto& thread = *static_cast<running*>(self);
    if (thread.pin_to) placement::pin_this_thread(*thread.pin_to);
    thread.body->run();
    thread.body.reset();
    return 0;
  }

  std::optional<std::uint32_t> pin_to;
  std::unique_ptr<callable> body;
  HANDLE handle = nullptr;
  unsigned id = 0;
};

worker_thread::worker_thread() noexcept = default;

worker_thread::worker_thread(const worker_thread_options& options, std::unique_ptr<callable> body)
    : running_(std::make_unique<running>()) {
  if (options.stack > std::numeric_limits<unsigned>::max()) {
    throw refused(ENOMEM, "no address space for a stack of " + std::to_string(options.stack) +
                              " bytes: set worker_thread_options::stack to less than 4 GiB");
  }
  running_->pin_to = options.pin_to;
  running_->body = std::move(body);
  const std::uintptr_t handle =
      _beginthreadex(nullptr, static_cast<unsigned>(options.stack), &running::enter, running_.get(),
                     STACK_SIZE_PARAM_IS_A_RESERVATION, &running_->id);
  if (handle == 0) {
    throw refused(errno,
                  "the system has no room for another thread, or for its stack: start fewer, or "
                  "set worker_thread_options::stack to less");
  }
  running_->handle = reinterpret_cast<HANDLE>(handle);
}

worker_thread::worker_thread(worker_thread&& other) noexcept = default;

worker_thread& worker_thread::operator=(worker_thread&& other) noexcept {
  if (joinable()) std::terminate();
  running_ = std::move(other.running_);
  return *this;
}

worker_thread::~worker_thread() {
  if (joinable()) std::terminate();
}

void worker_thread::join() {
  if (!joinable()) throw refused(EINVAL, "join() without a thread: it was joined, or moved from");
  if (running_->id == GetCurrentThreadId()) {
    throw refused(EDEADLK,
                  "join() by the thread itself, which would wait forever: join it from "
                  "the thread that started it");
  }
  if (WaitForSingleObject(running_->handle, INFINITE) != WAIT_OBJECT_0) {
    throw refused(EINVAL, "join() failed");
  }
  CloseHandle(running_->handle);
  running_.reset();
}

}  // namespace fencepost
