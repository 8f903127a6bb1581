// The order in which threads are preferred.
#pragma once

#include <algorithm>
#include <vector>

#include "fencepost/verify/result.hpp"
#include "graph/clock.hpp"

namespace fencepost::verify {

class priorities {
 public:
  explicit priorities(const options& o)
      : all_(o.priorities), reads_come_late_(o.priorities.empty()) {
    all_.erase(
        std::remove_if(all_.begin(), all_.end(), [](unsigned t) { return t >= max_threads; }),
        all_.end());
    for (unsigned t = 0; t < max_threads; ++t)
      if (std::find(all_.begin(), all_.end(), t) == all_.end()) all_.push_back(t);
  }

  // All thread numbers, those that the options name first.
  [[nodiscard]] const std::vector<unsigned>& all() const noexcept { return all_; }
  // The numbers that threads have had.
  [[nodiscard]] const std::vector<unsigned>& used() const noexcept { return used_; }
  // True if threads whose next event does not read go before those whose next event does. The
  // sources of a read then more often exist when it is added: a choice of the read instead of a
  // revisit.
  [[nodiscard]] bool reads_come_late() const noexcept { return reads_come_late_; }
  // Sets how many numbers are used.
  void count(unsigned threads) {
    used_.clear();
    for (const unsigned t : all_)
      if (t < threads) used_.push_back(t);
  }

 private:
  std::vector<unsigned> all_;
  std::vector<unsigned> used_{0};
  bool reads_come_late_;
};

}  // namespace fencepost::verify
