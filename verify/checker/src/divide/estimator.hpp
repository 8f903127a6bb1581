// A process that makes probes while others explore; the probes have no effect on the exploration.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>

#include "fencepost/verify/result.hpp"

namespace fencepost::verify {

class estimator {
 public:
  // See explorer::probe().
  using probe =
      std::function<std::optional<double>(std::uint64_t seed, const std::function<void()>& pause)>;

  // Forks. If that is impossible, nothing is estimated.
  explicit estimator(const probe&);
  ~estimator();  // kills it
  estimator(const estimator&) = delete;
  estimator& operator=(const estimator&) = delete;

  // Sets how much processor time the process may use in all; it sleeps once it has used that.
  void allow(std::chrono::duration<double>) noexcept;
  // Waits until there are so many probes, that time has passed, or the process has ended.
  void wait(std::size_t wanted, std::chrono::duration<double> patience) const;
  [[nodiscard]] std::optional<estimated> now() const;

 private:
  struct shared;
  [[nodiscard]] std::size_t probes() const noexcept;

  shared* shared_ = nullptr;
  pid_t process_ = -1;
};

}  // namespace fencepost::verify
