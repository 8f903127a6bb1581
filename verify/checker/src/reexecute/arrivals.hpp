// When the events of a run arrived in it, by thread and number.
#pragma once

#include <vector>

namespace fencepost::verify {

class arrivals {
 public:
  void clear() noexcept {
    for (auto& thread : times_) thread.clear();
    clock_ = 0;
  }
  // Notes that all events of the thread up to this one are there; those not marked before arrive
  // now.
  void mark(unsigned thread, unsigned number) {
    if (times_.size() <= thread) times_.resize(thread + 1);
    times_[thread].resize(number, ++clock_);
  }
  // Forgets what follows this event of the thread.
  void cut(unsigned thread, unsigned number) {
    if (times_.size() > thread && times_[thread].size() > number) times_[thread].resize(number);
  }
  [[nodiscard]] const std::vector<std::vector<unsigned>>& times() const noexcept { return times_; }

 private:
  std::vector<std::vector<unsigned>> times_;
  unsigned clock_ = 0;
};

}  // namespace fencepost::verify
