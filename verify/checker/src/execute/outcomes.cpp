#include "execute/outcomes.hpp"

#include <algorithm>

namespace fencepost::verify {

void outcomes::join() {
  std::stable_sort(
      recorded_.begin(), recorded_.end(),
      [](const record_of_thread& a, const record_of_thread& b) { return a.thread < b.thread; });
  for (const record_of_thread& r : recorded_) {
    if (!joined_.empty()) joined_ += "; ";
    joined_ += r.text;
  }
}

}  // namespace fencepost::verify
