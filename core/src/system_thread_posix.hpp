// A thread started by pthread_create(), on a stack allocated by mmap().
#pragma once

#include <pthread.h>
#include <unistd.h>
#if defined(__FreeBSD__)
#include <pthread_np.h>
#endif

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <limits>
#include <stdexcept>
#include <string>

#include "fencepost/exceptions.hpp"
#include "fencepost/runtime/placement.hpp"
#include "fencepost/runtime/worker_thread.hpp"
#include "stack_overflow_posix.hpp"
#include "virtual_memory.hpp"
#include "worker_thread_error.hpp"

namespace fencepost::detail {

inline constexpr std::size_t guard_size = std::size_t{64} << 10;  // and at least a page

inline std::size_t page_up(std::size_t size) noexcept {
  const std::size_t page = virtual_memory::page_size();
  return (size + (page - 1)) & ~(page - 1);
}

// The smallest stack that the system accepts, which includes what the system uses itself.
inline std::size_t smallest_stack() noexcept {
  const long smallest = sysconf(_SC_THREAD_STACK_MIN);
  return page_up(smallest > 0 ? static_cast<std::size_t>(smallest) : std::size_t{16} << 10);
}

// The size of the fault handler's stack. The number that the system gives may be too small for the
// state that the processor stores there.
inline std::size_t size_of_handler_stack() noexcept {
  std::size_t size = std::size_t{32} << 10;
#if defined(_SC_SIGSTKSZ)
  const long wanted = sysconf(_SC_SIGSTKSZ);
  if (wanted > 0) size = std::max(size, static_cast<std::size_t>(wanted));
#endif
  return page_up(size);
}

// Sets the name that debuggers and ps show; errors are ignored. Linux shows the first 15
// characters.
inline void name_this_thread(const std::string& name) noexcept {
  if (name.empty()) return;
#if defined(__APPLE__)
  pthread_setname_np(name.c_str());
#elif defined(__FreeBSD__)
  pthread_set_name_np(pthread_self(), name.c_str());
#elif defined(__linux__)
  std::array<char, 16> cut{};
  name.copy(cut.data(), cut.size() - 1);
  pthread_setname_np(pthread_self(), cut.data());
#endif
}

// Address space for a stack, with its guard below and the handler's stack above; empty for a size
// of 0.
class stack_space {
 public:
  explicit stack_space(std::size_t size) {
    if (size == 0) return;
    const std::size_t smallest = smallest_stack();
    if (size < smallest) {
      detail::raise<std::invalid_argument>("worker_thread: a stack of " + std::to_string(size) +
                                           " bytes is too small for a thread: set "
                                           "worker_thread_options::stack to at least " +
                                           std::to_string(smallest) +
                                           ", or to 0 for the system's default");
    }
    guard_ = page_up(guard_size);
    constexpr std::size_t most = std::numeric_limits<std::size_t>::max();
    const bool too_large =
        size > most - guard_ - size_of_handler_stack() - virtual_memory::page_size();
    size_ = too_large ? 0 : page_up(size);
    whole_ = guard_ + size_ + size_of_handler_stack();
    base_ = too_large ? nullptr : static_cast<std::byte*>(virtual_memory::reserve(whole_));
    if (base_ == nullptr) {
      refuse(too_large ? ENOMEM : virtual_memory::system_error(),
             "no address space for a stack of " + std::to_string(size) +
                 " bytes: set worker_thread_options::stack to less, or raise the limit "
                 "(ulimit -v)");
    }
    if (!virtual_memory::commit(low(), size_ + handler_size())) {
      const int error = virtual_memory::system_error();
      virtual_memory::release(base_, whole_);
      refuse(error, "no memory for a stack of " + std::to_string(size) +
                        " bytes: set worker_thread_options::stack to less, or look at the "
                        "limits of the process (ulimit -d, -v) and of the system");
    }
  }
  ~stack_space() {
    if (base_ != nullptr) virtual_memory::release(base_, whole_);
  }
  stack_space(const stack_space&) = delete;
  stack_space& operator=(const stack_space&) = delete;

  explicit operator bool() const noexcept { return base_ != nullptr; }
  std::byte* low() const noexcept { return base_ + guard_; }
  std::size_t size() const noexcept { return size_; }
  std::size_t guard() const noexcept { return guard_; }
  std::byte* handler_low() const noexcept { return low() + size_; }
  std::size_t handler_size() const noexcept { return whole_ - guard_ - size_; }

 private:
  std::byte* base_ = nullptr;  // the low end of the guard
  std::size_t guard_ = 0;
  std::size_t size_ = 0;
  std::size_t whole_ = 0;
};

class attributes {
 public:
  attributes() {
    if (const int error = pthread_attr_init(&all_); error != 0) {
      refuse(error, "no memory for a thread's attributes");
    }
  }
  ~attributes() { pthread_attr_destroy(&all_); }
  attributes(const attributes&) = delete;
  attributes& operator=(const attributes&) = delete;
  pthread_attr_t* get() noexcept { return &all_; }

 private:
  pthread_attr_t all_;
};

class system_thread {
 public:
  explicit system_thread(const worker_thread_options& options) : stack_(options.stack) {}

  void start(const worker_thread_options& options, void (*enter)(void*) noexcept, void* argument) {
    enter_ = enter;
    argument_ = argument;
    name_ = options.name;
    attributes attributes;
    int error = 0;
    if (stack_) {
      // Before pthread_create(), which is the first to touch the high end of the stack.
      if (options.pin_to) placement::bind_memory(stack_.low(), stack_.size(), *options.pin_to);
      error = pthread_attr_setstack(attributes.get(), stack_.low(), stack_.size());
    }
    if (error == 0) error = pthread_create(&id_, attributes.get(), &run, this);
    if (error == EINVAL) {
      detail::raise<std::invalid_argument>(
          "worker_thread: a stack of " + std::to_string(options.stack) +
          " bytes is too small for a thread of this program, whose thread-local variables are on "
          "it: set worker_thread_options::stack to more");
    }
    if (error != 0) {
      refuse(error,
             "the system has no room for another thread: start fewer, or raise the limits "
             "on threads and memory (ulimit -u, -v)");
    }
  }

  bool is_this_thread() const noexcept { return pthread_equal(id_, pthread_self()) != 0; }

  // Once pthread_join() has returned, the thread no longer runs on its stack, not even in the
  // kernel.
  void join() {
    if (const int error = pthread_join(id_, nullptr); error != 0) {
      refuse(error, "join() failed");
    }
  }

 private:
  static void* run(void* self) noexcept {
    const auto& thread = *static_cast<system_thread*>(self);
    name_this_thread(thread.name_);
    if (thread.stack_) {
      thread.run_watched();
    } else {
      thread.enter_(thread.argument_);
    }
    return nullptr;
  }
  void run_watched() const noexcept {
    const watched_stack own{stack_.low(), stack_.size(), stack_.guard(), name_.c_str()};
    const stack_watch watch{own, stack_.handler_low(), stack_.handler_size()};
    enter_(argument_);
  }

  stack_space stack_;
  std::string name_;
  void (*enter_)(void*) noexcept = nullptr;
  void* argument_ = nullptr;
  pthread_t id_{};
};

}  // namespace fencepost::detail
