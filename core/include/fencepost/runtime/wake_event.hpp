// An event that ends a poll(): an eventfd on Linux, a pipe elsewhere.
//
// A signal stays until clear(), and any number of signals are one. Defining
// FENCEPOST_PIPE_WAKE_EVENT when core/src/wake_event.cpp is compiled makes it a pipe on Linux too,
// as the tests do.
//
// Threads: signal, any thread; the rest, the one that polls.
// Progress: neither blocks. Costs: a system call each; one or two descriptors.
#pragma once

namespace fencepost {

class wake_event {
 public:
  // Throws std::system_error: no descriptor is to be had.
  wake_event();
  ~wake_event();
  wake_event(const wake_event&) = delete;
  wake_event& operator=(const wake_event&) = delete;

  // The descriptor to poll: readable after a signal.
  [[nodiscard]] int descriptor() const noexcept { return read_; }
  void signal() noexcept;
  // Takes back the signals that have been.
  void clear() noexcept;

 private:
  int read_;
  int write_;
};

}  // namespace fencepost
