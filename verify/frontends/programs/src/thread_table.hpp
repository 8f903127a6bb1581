// The threads of an execution: what each is to run, where it continues when it leaves that early,
// and how it has ended.
#pragma once

#include <unwind.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "graph/clock.hpp"
#include "per_thread.hpp"

namespace fencepost::programs {

struct thread_start {
  void* (*function)(void*) = nullptr;
  int (*c_function)(void*) = nullptr;  // for thrd_create(), instead of function
  void* argument = nullptr;
  void* result = nullptr;
  long long time = 0;  // that has passed (library_state)
};

struct thread_end {
  void* result = nullptr;
  enum { joinable, joined, detached } state = joinable;
};

// Where a thread continues that ends before its function returns (departure.cpp).
struct way_out {
  void* buffer[5];
  const void* frame;
  _Unwind_Exception unwinding;
};

class thread_table {
 public:
  void begin_execution() {
    created_ = 0;
    ends_.reset();
    ways_out_.reset();
    has_exited_ = false;
  }

  // The start of the thread that is being created. It stays at its address.
  [[nodiscard]] thread_start& next_start() { return starts_[created_++ % starts_.size()]; }
  [[nodiscard]] std::size_t created() const noexcept { return created_; }
  // Includes the thread of main(). A thread beyond the limit is not counted.
  [[nodiscard]] std::size_t size() const noexcept {
    return std::min<std::size_t>(created_ + 1, verify::max_threads);
  }

  [[nodiscard]] thread_end& end_of(unsigned thread) { return ends_[thread]; }
  [[nodiscard]] thread_end& end_here() { return ends_.here(); }
  // True if all of these threads, one bit each, are detached.
  [[nodiscard]] bool are_detached(std::uint64_t threads) {
    for (unsigned t = 0; t < verify::max_threads; ++t)
      if ((threads >> t & 1U) != 0 && ends_[t].state != thread_end::detached) return false;
    return true;
  }

  // The running thread's. Null if it does not run its function yet, or is ending already.
  void set_way_out(way_out* w) { ways_out_.here() = w; }
  [[nodiscard]] const way_out* way() const { return ways_out_.here(); }
  way_out* take_way_out() { return std::exchange(ways_out_.here(), nullptr); }

  // main() has called exit().
  void exit() noexcept { has_exited_ = true; }
  [[nodiscard]] bool has_exited() const noexcept { return has_exited_; }

  // For resume points.
  struct saved {
    std::vector<thread_start> starts;
    per_thread<thread_end>::saved ends;
    per_thread<way_out*>::saved ways_out;
    bool has_exited = false;
  };
  void save(saved& s) const {
    s.starts.assign(starts_.begin(), starts_.begin() + static_cast<std::ptrdiff_t>(created_));
    ends_.save(s.ends, size());
    ways_out_.save(s.ways_out, size());
    s.has_exited = has_exited_;
  }
  void put_back(const saved& s) {
    std::copy(s.starts.begin(), s.starts.end(), starts_.begin());
    ends_.put_back(s.ends, size());
    ways_out_.put_back(s.ways_out, size());
    created_ = s.starts.size();
    has_exited_ = s.has_exited;
  }

 private:
  std::array<thread_start, verify::max_threads> starts_{};
  std::size_t created_ = 0;
  per_thread<thread_end> ends_;
  per_thread<way_out*> ways_out_;
  bool has_exited_ = false;
};

}  // namespace fencepost::programs
