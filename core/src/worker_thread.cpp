// Worker threads, on the threads of this system. FENCEPOST_WINDOWS_THREADS selects those of Windows
// on another system, as the tests do, with fakes of its functions.
#include "fencepost/runtime/worker_thread.hpp"

#include <cerrno>
#include <exception>
#include <memory>
#include <utility>

#include "fencepost/runtime/placement.hpp"
#include "worker_thread_error.hpp"

#if defined(_WIN32) || defined(FENCEPOST_WINDOWS_THREADS)
#include "system_thread_windows.hpp"
#else
#include "system_thread_posix.hpp"
#endif

namespace fencepost {

struct worker_thread::running {
  running(const worker_thread_options& options, std::unique_ptr<callable> b)
      : pin_to(options.pin_to), body(std::move(b)), thread(options) {}

  // Noexcept: an exception that leaves the callable ends the program here.
  static void enter(void* self) noexcept {
    auto& running = *static_cast<worker_thread::running*>(self);
    if (running.pin_to) placement::pin_this_thread(*running.pin_to);
    running.body->run();
    running.body.reset();  // on this thread, as std::thread does
  }

  std::optional<std::uint32_t> pin_to;
  std::unique_ptr<callable> body;
  detail::system_thread thread;
};

worker_thread::worker_thread() noexcept = default;

worker_thread::worker_thread(const worker_thread_options& options, std::unique_ptr<callable> body)
    : running_(std::make_unique<running>(options, std::move(body))) {
  running_->thread.start(options, &running::enter, running_.get());
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

void worker_thread::abandon() noexcept { static_cast<void>(running_.release()); }

void worker_thread::join() {
  if (!joinable()) {
    detail::refuse(EINVAL, "join() without a thread: it was joined, or moved from");
  }
  if (running_->thread.is_this_thread()) {
    detail::refuse(EDEADLK,
                   "join() by the thread itself, which would wait forever: join it from "
                   "the thread that started it");
  }
  running_->thread.join();
  running_.reset();
}

}  // namespace fencepost
