// In which order threads are preferred.
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

  // All numbers that a thread may have, those that the options name first.
  [[nodiscard]] const std::vector<unsigned>& all() const noexcept { return all_; }
  // Those that a thread has had.
  [[nodiscard]] const std::vector<unsigned>& used() const noexcept { return used_; }
  // Does any thread that is to add something else go before one that reads? What a read may read is
  // then more often there when it is added: a choice of the read, and no revisit.
  [[nodiscard]] bool reads_come_late() const noexcept { return reads_come_late_; }
  // So many numbers are used.
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
