// Reports that a thread has overflowed its stack, before the program ends.
//
// The handler for the fault in the guard below the stack runs on a stack of its own. It is
// installed with the first watched thread, unless the program, or a sanitizer, has a handler
// already, which is then left in place. After the report, and for any other fault, the program
// continues as without a handler: the access faults again, and the signal ends the program at the
// faulting instruction.
#pragma once

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace fencepost::detail {

// A line that is assembled without allocating, and truncated if it is too long.
class signal_safe_line {
 public:
  signal_safe_line& operator<<(std::string_view text) noexcept {
    const std::size_t n = std::min(text.size(), text_.size() - size_);
    std::memcpy(text_.data() + size_, text.data(), n);
    size_ += n;
    return *this;
  }
  signal_safe_line& operator<<(std::size_t number) noexcept {
    std::array<char, 20> digits;
    auto first = digits.end();
    do {
      *--first = static_cast<char>('0' + number % 10);
      number /= 10;
    } while (number != 0);
    return *this << std::string_view{&*first, static_cast<std::size_t>(digits.end() - first)};
  }
  void write_to(int descriptor) const noexcept {
    for (std::size_t at = 0; at < size_;) {
      const ssize_t n = ::write(descriptor, text_.data() + at, size_ - at);
      if (n <= 0) return;
      at += static_cast<std::size_t>(n);
    }
  }

 private:
  std::array<char, 512> text_;
  std::size_t size_ = 0;
};

struct watched_stack {
  const std::byte* low;  // the guard is below
  std::size_t size;
  std::size_t guard;
  const char* thread;  // its name; empty: none

  bool overflowed_at(const void* address) const noexcept {
    const auto at = reinterpret_cast<std::uintptr_t>(address);
    const auto end = reinterpret_cast<std::uintptr_t>(low);
    return at < end && at >= end - guard;
  }
  void report() const noexcept {
    signal_safe_line line;
    line << "fencepost: the thread " << (*thread != '\0' ? thread : "of a worker")
         << " has overflowed its stack of " << size
         << " bytes: its calls are too deep, or their variables too large; set stack to more in "
            "worker_thread_options, or in the options of the pool\n";
    line.write_to(STDERR_FILENO);
  }
};

// The stack of this thread; null if it is not watched.
inline thread_local constinit const watched_stack* own_watched_stack = nullptr;

inline void on_stack_fault(int signal, siginfo_t* what, void*) noexcept {
  const int error = errno;
  const watched_stack* const own = own_watched_stack;
  const bool is_fault = what->si_code > 0;  // and was not sent by a process
  if (is_fault && own != nullptr && own->overflowed_at(what->si_addr)) own->report();
  struct sigaction none {};
  none.sa_handler = SIG_DFL;
  sigaction(signal, &none, nullptr);
  if (!is_fault) ::raise(signal);  // delivered after this handler returns; a fault recurs by itself
  errno = error;
}

// Installs the handler; false if the program has one of its own, or the system refuses.
inline bool handle_stack_fault(int signal) noexcept {
  struct sigaction before {};
  if (sigaction(signal, nullptr, &before) != 0) return false;
  if ((before.sa_flags & SA_SIGINFO) != 0 || before.sa_handler != SIG_DFL) return false;
  struct sigaction ours {};
  ours.sa_sigaction = &on_stack_fault;
  ours.sa_flags = SA_SIGINFO | SA_ONSTACK;
  sigemptyset(&ours.sa_mask);
  return sigaction(signal, &ours, nullptr) == 0;
}

inline bool stack_faults_are_handled() noexcept {
  static const bool handled = [] {
    const bool segv = handle_stack_fault(SIGSEGV);
    return handle_stack_fault(SIGBUS) || segv;  // macOS sends the latter
  }();
  return handled;
}

// Reports an overflow of this thread's stack for as long as it exists. `other`: the handler's
// stack.
class stack_watch {
 public:
  stack_watch(const watched_stack& stack, std::byte* other, std::size_t size) noexcept {
    stack_t before{};
    // An alternate stack that is already set belongs to a sanitizer.
    if (!stack_faults_are_handled() || sigaltstack(nullptr, &before) != 0 ||
        (before.ss_flags & SS_DISABLE) == 0) {
      return;
    }
    stack_t alternate{};
    alternate.ss_sp = other;
    alternate.ss_size = size;
    if (sigaltstack(&alternate, nullptr) != 0) return;
    other_ = other;
    own_watched_stack = &stack;
  }
  ~stack_watch() {
    if (other_ == nullptr) return;
    own_watched_stack = nullptr;
    stack_t now{};
    if (sigaltstack(nullptr, &now) != 0 || now.ss_sp != other_) return;
    now.ss_flags = SS_DISABLE;
    sigaltstack(&now, nullptr);
  }
  stack_watch(const stack_watch&) = delete;
  stack_watch& operator=(const stack_watch&) = delete;

 private:
  void* other_ = nullptr;
};

}  // namespace fencepost::detail
