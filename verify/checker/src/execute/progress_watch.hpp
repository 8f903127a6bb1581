// Whether the exploration makes progress: asked by two clocks, from signal handlers.
#pragma once

#include <cstdint>

namespace fencepost::verify {

class progress_watch {
 public:
  // The program does something that the engine sees.
  void beat() noexcept { ++beats_; }

  // Once a second of the exploring thread's time: was there no beat for two of them? in_body: code
  // under test is running.
  [[nodiscard]] bool computes_alone(bool in_body) noexcept;
  // Twice a second, by the clock on the wall: has the thread waited in the kernel for two seconds?
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
