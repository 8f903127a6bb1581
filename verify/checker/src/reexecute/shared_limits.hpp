// The limits of options, for all explorations of an xc20 check together.
#pragma once

#include <chrono>
#include <cstdint>

#include "fencepost/verify/options.hpp"

namespace fencepost::verify {

class shared_limits {
 public:
  using clock = std::chrono::steady_clock;

  explicit shared_limits(clock::time_point began = clock::now()) : began_(began) {}

  // Counts so many more runs, complete or blocked.
  void count(std::uint64_t runs) noexcept { runs_ += runs; }
  [[nodiscard]] double seconds() const {
    return std::chrono::duration<double>(clock::now() - began_).count();
  }
  [[nodiscard]] clock::time_point began() const noexcept { return began_; }

  // Reduces the limits to what is left of them; or, if nothing is, returns the one that was
  // reached.
  [[nodiscard]] const char* reduce(options& o) const {
    if (o.max_executions != 0) {
      if (runs_ >= o.max_executions) return "max_executions";
      o.max_executions -= runs_;
    }
    if (o.timeout.count() != 0) {
      const double left = static_cast<double>(o.timeout.count()) - seconds() * 1000;
      if (left < 1) return "timeout";
      o.timeout = std::chrono::milliseconds(static_cast<long>(left));
    }
    return nullptr;
  }

 private:
  const clock::time_point began_;
  std::uint64_t runs_ = 0;
};

}  // namespace fencepost::verify
