// Whether the exploration makes progress: two clocks check this, from signal handlers.
#pragma once

#include <cstdint>

namespace fencepost::verify {

class progress_watch {
 public:
  // Called when the program does something that the engine sees.
  void beat() noexcept { ++beats_; }

  // Called once per second of the exploring thread's processor time. True if there was no beat for
  // two of them, while code under test is running (in_body).
  [[nodiscard]] bool computes_alone(bool in_body) noexcept;
  // Called twice per second of wall-clock time. True if the thread has waited in the kernel for two
  // seconds.
  [[nodiscard]] bool waits_outside(bool in_body) noexcept;

 private:
  // What the calling OS thread has used so far.
  struct usage {
    std::uint64_t processor = 0;  // nanoseconds
    long given_up = 0;            // how often it gave the processor up to wait
    long slow_faults = 0;         // how often it waited for a page to be read

    static usage now() noexcept;
  };

  std::uint64_t beats_ = 0;
  std::uint64_t beats_at_tick_ = 0;
  std::uint64_t beats_at_look_ = 0;
  unsigned idle_ticks_ = 0;
  unsigned blocked_looks_ = 0;
  usage usage_;
};

}  // namespace fencepost::verify
