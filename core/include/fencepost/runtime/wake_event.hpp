// An event that ends a poll(): an eventfd on Linux, an event object on Windows, a pipe elsewhere.
//
// A signal stays until clear(), and any number of signals are one. Defining
// FENCEPOST_PIPE_WAKE_EVENT when core/src/wake_event_posix.cpp is compiled makes it a pipe on Linux
// too, as the tests do.
//
// Threads: signal, any thread; the rest, the thread that polls.
// Progress: neither blocks. Costs: a system call each; one or two descriptors.
#pragma once

namespace fencepost {

class wake_event {
 public:
#if defined(_WIN32)
  using waitable = void*;  // a HANDLE
#else
  using waitable = int;  // a file descriptor
#endif

  // Throws std::system_error if there is no descriptor.
  wake_event();
  ~wake_event();
  wake_event(const wake_event&) = delete;
  wake_event& operator=(const wake_event&) = delete;

  // What to poll: it is readable, or signalled, after a signal.
  [[nodiscard]] waitable descriptor() const noexcept { return read_; }
  void signal() noexcept;
  // Discards the signals so far.
  void clear() noexcept;

 private:
  waitable read_;
#if !defined(_WIN32)
  waitable write_;
#endif
};

}  // namespace fencepost
