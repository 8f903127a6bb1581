// For the tests of `fencepost labels`: orders on failure that are not those in the code.
#pragma once

#include <atomic>

namespace fencepost::cli::labels {

struct wrong_failure {
  void take(int seen) {
    // [other] acq_rel, acquire on failure, alone: it is relaxed.
    word.compare_exchange_strong(seen, 1, std::memory_order_acq_rel, std::memory_order_relaxed);
    // [unsaid] acq_rel, alone: the order on failure is another one, and is not said.
    word.compare_exchange_strong(seen, 1, std::memory_order_acq_rel, std::memory_order_relaxed);
    // [store] release, relaxed on failure, alone: a store does not fail.
    word.store(1, std::memory_order_release);
  }

  std::atomic<int> word{0};
};

}  // namespace fencepost::cli::labels
