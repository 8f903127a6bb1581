// Threads by pthread_create, on stacks by mmap.
#include <pthread.h>
#include <unistd.h>

#include <cerrno>
#include <exception>
#include <limits>
#include <stdexcept>
#include <string>
#include <system_error>

#include "fencepost/runtime/placement.hpp"
#include "fencepost/runtime/worker_thread.hpp"
#include "virtual_memory.hpp"

namespace fencepost {

namespace vm = detail::virtual_memory;

namespace {

constexpr std::size_t guard_size = std::size_t{64} << 10;  // and at least a page

std::size_t page_up(std::size_t size) noexcept {
  const std::size_t page = vm::page_size();
  return (size + (page - 1)) & ~(page - 1);
}

// What the system takes for itself is part of it.
std::size_t smallest_stack() noexcept {
  const long smallest = sysconf(_SC_THREAD_STACK_MIN);
  return page_up(smallest > 0 ? static_cast<std::size_t>(smallest) : std::size_t{16} << 10);
}

std::system_error refused(int error, const std::string& what) {
  return {error, std::generic_category(), "worker_thread: " + what};
}

// Address space for a stack with its guard below; nothing, for a size of 0.
class stack_space {
 public:
  explicit stack_space(std::size_t size) {
    if (size == 0) return;
    const std::size_t smallest = smallest_stack();
    if (size < smallest) {
      throw std::invalid_argument("worker_thread: a stack of " + std::to_string(size) +
                                  " bytes is too small for a thread: set "
                                  "worker_thread_options::stack to at least " +
                                  std::to_string(smallest) + ", or to 0 for the system's default");
    }
    guard_ = page_up(guard_size);
    constexpr std::size_t most = std::numeric_limits<std::size_t>::max();
    const bool too_large = size > most - guard_ - vm::page_size();
    whole_ = too_large ? 0 : guard_ + page_up(size);
    base_ = too_large ? nullptr : static_cast<std::byte*>(vm::reserve(whole_));
    if (base_ == nullptr) {
      throw refused(too_large ? ENOMEM : vm::system_error(),
                    "no address space for a stack of " + std::to_string(size) +
                        " bytes: set worker_thread_options::stack to less, or raise the limit "
                        "(ulimit -v)");
    }
    if (!vm::commit(low(), this->size())) {
      const int error = vm::system_error();
      vm::release(base_, whole_);
      throw refused(error, "no memory for a stack of " + std::to_string(size) +
                               " bytes: set worker_thread_options::stack to less, or look at the "
                               "limits of the process (ulimit -d, -v) and of the system");
    }
  }
  ~stack_space() {
    if (base_ != nullptr) vm::release(base_, whole_);
  }
  stack_space(const stack_space&) = delete;
  stack_space& operator=(const stack_space&) = delete;

  explicit operator bool() const noexcept { return base_ != nullptr; }
  std::byte* low() const noexcept { return base_ + guard_; }
  std::size_t size() const noexcept { return whole_ - guard_; }

 private:
  std::byte* base_ = nullptr;  // of the guard
  std::size_t guard_ = 0;
  std::size_t whole_ = 0;
};

class attributes {
 public:
  attributes() {
    if (const int error = pthread_attr_init(&all_); error != 0) {
      throw refused(error, "no memory for a thread's attributes");
    }
  }
  ~attributes() { pthread_attr_destroy(&all_); }
  attributes(const attributes&) = delete;
  attributes& operator=(const attributes&) = delete;
  pthread_attr_t* get() noexcept { return &all_; }

 private:
  pthread_attr_t all_;
};

}  // namespace

struct worker_thread::running {
  running(const worker_thread_options& options, std::unique_ptr<callable> b)
      : stack(options.stack), pin_to(options.pin_to), body(std::move(b)) {}

  // Noexcept: what leaves the callable ends the program here.
  static void* enter(void* self) noexcept {
    auto& thread = *static_cast<running*>(self);
    if (thread.pin_to) placement::pin_this_thread(*thread.pin_to);
    thread.body->run();
    thread.body.reset();  // on this thread, as std::thread does
    return nullptr;
  }

  stack_space stack;
  std::optional<std::uint32_t> pin_to;
  std::unique_ptr<callable> body;
  pthread_t id{};
};

worker_thread::worker_thread() noexcept = default;

worker_thread::worker_thread(const worker_thread_options& options, std::unique_ptr<callable> body)
    : running_(std::make_unique<running>(options, std::move(body))) {
  attributes attributes;
  int error = 0;
  if (stack_space& stack = running_->stack) {
    // Before pthread_create, which is the first to touch its high end.
    if (options.pin_to) placement::bind_memory(stack.low(), stack.size(), *options.pin_to);
    error = pthread_attr_setstack(attributes.get(), stack.low(), stack.size());
  }
  if (error == 0) {
    error = pthread_create(&running_->id, attributes.get(), &running::enter, running_.get());
  }
  if (error == EINVAL) {
    throw std::invalid_argument(
        "worker_thread: a stack of " + std::to_string(options.stack) +
        " bytes is too small for a thread of this program, whose thread-local variables are on it: "
        "set worker_thread_options::stack to more");
  }
  if (error != 0) {
    throw refused(error,
                  "the system has no room for another thread: start fewer, or raise the limits on "
                  "threads and memory (ulimit -u, -v)");
  }
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

// When pthread_join() has returned the thread no longer runs on its stack, not even in the kernel.
void worker_thread::join() {
  if (!joinable()) throw refused(EINVAL, "join() without a thread: it was joined, or moved from");
  if (pthread_equal(running_->id, pthread_self()) != 0) {
    throw refused(EDEADLK,
                  "join() by the thread itself, which would wait forever: join it from "
                  "the thread that started it");
  }
  if (const int error = pthread_join(running_->id, nullptr); error != 0) {
    throw refused(error, "join() failed");
  }
  running_.reset();
}

}  // namespace fencepost
