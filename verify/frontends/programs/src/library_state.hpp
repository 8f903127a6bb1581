// What the C library keeps for each thread and the program can observe, but has in no memory of its
// own: errno, how much time has passed for the thread, and whether and when it may be cancelled.
#pragma once

#include <algorithm>
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
  // A program that reads no clock cannot observe the time. So time does not pass, and does not
  // change the state of loops that sleep.
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

  // Time that has passed for a thread before this one has passed for this one as well.
  void let_pass_until(long long time) noexcept {
    of_thread& here = of_threads_.here();
    here.time = std::max(here.time, time);
  }
  [[nodiscard]] long long time_of(unsigned thread) const noexcept {
    return of_threads_[thread].time;
  }

  // For resume points: the state of the first `threads` threads.
  using saved = per_thread<of_thread>::saved;
  void save(saved& s, std::size_t threads) const { of_threads_.save(s, threads); }
  void put_back(const saved& s, std::size_t used) { of_threads_.put_back(s, used); }

  // Compared together with the program's variables, to recognize idle turns of loops.
  [[nodiscard]] std::span<char> bytes_of_this_thread() noexcept {
    return {reinterpret_cast<char*>(&of_threads_.here()), sizeof of_threads_.here()};
  }

 private:
  bool has_clock_;
  per_thread<of_thread> of_threads_;
};

}  // namespace fencepost::programs
