// What the C library keeps for each thread of the program, and the program can see: errno, how much
// time has passed for it, and whether and when it may be cancelled. It is in no memory of the
// program's own.
#pragma once

#include <span>

#include "per_thread.hpp"

namespace fencepost::programs {

class library_state {
  struct of_thread {
    int error = 0;  // errno
    int cancel_state = 0, cancel_type = 0;
    long long time = 0;
  };

 public:
  // A program that looks at no clock cannot see the time: its loops that sleep are what they were.
  explicit library_state(bool has_clock) noexcept : has_clock_(has_clock) {}

  void begin_execution() { of_threads_.reset(); }

  [[nodiscard]] int& error_number() noexcept { return of_threads_.here().error; }
  [[nodiscard]] int& cancel_state() noexcept { return of_threads_.here().cancel_state; }
  [[nodiscard]] int& cancel_type() noexcept { return of_threads_.here().cancel_type; }
  // In nanoseconds.
  [[nodiscard]] long long time() const noexcept { return of_threads_.here().time; }
  void let_pass(long long nanoseconds) noexcept {
    if (has_clock_) of_threads_.here().time += nanoseconds;
  }

  // For resume points, of so many threads.
  using saved = per_thread<of_thread>::saved;
  void save(saved& s, std::size_t threads) const { of_threads_.save(s, threads); }
  void put_back(const saved& s, std::size_t used) { of_threads_.put_back(s, used); }

  // Compared with the program's variables, where turns of loops are.
  [[nodiscard]] std::span<char> bytes_of_this_thread() noexcept {
    return {reinterpret_cast<char*>(&of_threads_.here()), sizeof of_threads_.here()};
  }

 private:
  bool has_clock_;
  per_thread<of_thread> of_threads_;
};

}  // namespace fencepost::programs
