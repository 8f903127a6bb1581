#include "execute/outcomes.hpp"

#include <algorithm>

namespace fencepost::verify {

void outcomes::join() {
  in_order_.clear();
  for (const record_of_thread& r : recorded_) in_order_.push_back(&r);
  std::stable_sort(in_order_.begin(), in_order_.end(),
                   [](const auto* a, const auto* b) { return a->thread < b->thread; });
  for (const record_of_thread* r : in_order_) {
    if (!joined_.empty()) joined_ += "; ";
    joined_ += r->text;
  }
}

}  // namespace fencepost::verify
