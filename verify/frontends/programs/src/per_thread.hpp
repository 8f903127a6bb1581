// An object for each thread.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

#include "fencepost/verify/engine.hpp"
#include "graph/clock.hpp"

namespace fencepost::programs {

// The running thread. Asks the engine of the execution, since engine::current() takes longer.
class running_thread {
 public:
  static void begin_execution(const verify::engine& e) noexcept { engine_ = &e; }
  [[nodiscard]] static unsigned number() noexcept { return engine_->this_thread(); }

 private:
  static inline constinit const verify::engine* engine_ = nullptr;
};

template <class T>
class per_thread {
 public:
  // The running thread's.
  [[nodiscard]] T& here() noexcept { return all_[running_thread::number()]; }
  [[nodiscard]] const T& here() const noexcept { return all_[running_thread::number()]; }
  [[nodiscard]] T& operator[](unsigned thread) noexcept { return all_[thread]; }
  [[nodiscard]] const T& operator[](unsigned thread) const noexcept { return all_[thread]; }

  [[nodiscard]] auto begin() noexcept { return all_.begin(); }
  [[nodiscard]] auto end() noexcept { return all_.end(); }
  [[nodiscard]] auto begin() const noexcept { return all_.begin(); }
  [[nodiscard]] auto end() const noexcept { return all_.end(); }

  // Restores the state at the beginning of an execution.
  void reset() { std::fill(all_.begin(), all_.end(), T()); }

  // For resume points: saves the first `threads` threads. Later ones have their initial state.
  using saved = std::vector<T>;
  void save(saved& s, std::size_t threads) const {
    s.resize(threads);
    std::copy_n(all_.begin(), threads, s.begin());
  }
  // Restores it. Only the first `used` threads may have changed.
  void put_back(const saved& s, std::size_t used) {
    std::copy(s.begin(), s.end(), all_.begin());
    for (std::size_t t = s.size(); t < used; ++t) all_[t] = T();
  }

 private:
  std::array<T, verify::max_threads> all_{};
};

// The same for something that threads rarely have. At resume points it is copied only if some
// thread has had it.
template <class T>
class seldom_per_thread {
 public:
  [[nodiscard]] T& here() noexcept { return all_.here(); }
  [[nodiscard]] const T& here() const noexcept { return all_.here(); }
  // The running thread's, to be changed.
  [[nodiscard]] T& to_add() noexcept {
    any_ = true;
    return all_.here();
  }
  // True if some thread may have something.
  [[nodiscard]] bool any() const noexcept { return any_; }

  void reset() {
    if (any_) all_.reset();
    any_ = false;
  }

  struct saved {
    bool any = false;
    typename per_thread<T>::saved of_threads;
  };
  void save(saved& s, std::size_t threads) const {
    s.any = any_;
    if (any_) all_.save(s.of_threads, threads);
  }
  void put_back(const saved& s, std::size_t used) {
    if (!s.any) return reset();
    any_ = true;
    all_.put_back(s.of_threads, used);
  }

 private:
  per_thread<T> all_;
  bool any_ = false;
};

}  // namespace fencepost::programs
