// A component for the tests of `fencepost necessity`: more executions with a weaker order.
#pragma once

#include <atomic>

namespace fencepost::cli::parts {

template <class P>
class wide {
 public:
  int meet(unsigned i) {
    flags_[i].store(1, std::memory_order_seq_cst);  // kept seq_cst: in case somebody asks
    return flags_[1 - i].load(std::memory_order_seq_cst);
  }

 private:
  typename P::template atomic<int> flags_[2]{0, 0};
};

}  // namespace fencepost::cli::parts
