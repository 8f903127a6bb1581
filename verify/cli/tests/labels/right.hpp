// For the tests of `fencepost labels`: every form of a label, and nothing wrong.
#pragma once

#include <atomic>

namespace fencepost::cli::labels {

struct right {
  void put(int to) {
    // [put] release, with [get], [other_end.hpp/look]: the reader then sees what was before.
    word.store(to, std::memory_order_release);
  }
  int get() { return word.load(std::memory_order_acquire); }  // [get] acquire, with [put]: as there

  // Documented as well.
  // [twice.low], [twice.high] relaxed, alone: two of one sentence, of which the
  // second comes a line later; [put] is named here in passing.
  int twice() {
    const int low = word.load(std::memory_order_relaxed);
    return low + word.load(std::memory_order_relaxed);
  }
  // [sum.left] relaxed, alone: two sentences. [sum.right] seq_cst, alone: of one
  // expression.
  int sum() { return word.load(std::memory_order_relaxed) + word.load(std::memory_order_seq_cst); }
  void raise() {
    int seen = 0;
    // [raise] acq_rel, acquire on failure, with [raise]: of two the later sees the
    // earlier. kept strong: for the test.
    do {
    } while (!word.compare_exchange_strong(seen, seen + 1, std::memory_order_acq_rel,
                                           std::memory_order_acquire));
    do {
      seen = 1;
      // [fence] seq_cst, with [other_end.hpp/fence]: store buffering.
    } while (fence(std::memory_order_seq_cst));
    // [again] relaxed, alone: the same order on failure need not be said.
    word.compare_exchange_weak(seen, 2, std::memory_order_relaxed, std::memory_order_relaxed);
  }
  static bool fence(std::memory_order) { return false; }

  std::atomic<int> word{0};
};

}  // namespace fencepost::cli::labels
