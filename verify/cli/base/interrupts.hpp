// Signals that ask the program to end: SIGINT, SIGTERM, SIGHUP.
#pragma once

#include <atomic>
#include <csignal>
#include <cstddef>
#include <cstdint>

namespace fencepost::cli {

// The number of signals received; those that arrive at once with the first count as one. While a
// guard exists, the first signal does not end the program, which must poll this function.
int interrupts_seen() noexcept;
inline bool interrupted() noexcept { return interrupts_seen() != 0; }
// Set by the first signal.
const std::atomic<bool>& interrupt_flag() noexcept;

class interrupt_guard {
 public:
  enum class second : std::uint8_t { is_counted, ends_the_program };

  explicit interrupt_guard(second);
  interrupt_guard(const interrupt_guard&) = delete;
  interrupt_guard& operator=(const interrupt_guard&) = delete;
  ~interrupt_guard();

 private:
  static constexpr int numbers[] = {SIGINT, SIGTERM, SIGHUP};
  struct sigaction before_[sizeof numbers / sizeof *numbers]{};
};

}  // namespace fencepost::cli
