// For the tests of `fencepost labels`: sentences that cannot be parsed.
#pragma once

#include <atomic>

namespace fencepost::cli::labels {

struct malformed {
  void put() {
    // [no_order] with [put]: the order is missing.
    word.store(1, std::memory_order_relaxed);
    // [unknown_order] strong, alone: there is no such order.
    word.store(1, std::memory_order_relaxed);
    // [no_partners]: relaxed, since.
    word.store(1, std::memory_order_relaxed);
    // [no_end] relaxed: neither partners nor alone.
    word.store(1, std::memory_order_relaxed);
    // [some_end] relaxed, together: neither partners nor alone.
    word.store(1, std::memory_order_relaxed);
    // [no_names] relaxed, with get(): names stand in brackets.
    word.store(1, std::memory_order_relaxed);
    // [no_colon] relaxed, alone. Where is the reason?
    word.store(1, std::memory_order_relaxed);
    // [no_reason] relaxed, alone:
    word.store(1, std::memory_order_relaxed);
    // [Upper] relaxed, alone: lower-case words only.
    word.store(1, std::memory_order_relaxed);
    // [2nd] relaxed, alone: a letter first: it is no line number.
    word.store(1, std::memory_order_relaxed);
    // [bad_partner] relaxed, with [the/file]: a file has an ending.
    word.store(1, std::memory_order_relaxed);
    // [same_twice] relaxed, with [same_twice], [same_twice]: once is enough.
    word.store(1, std::memory_order_relaxed);
    // [no_failure] relaxed, relaxed, alone: of what is the second?
    word.store(1, std::memory_order_relaxed);
  }

  std::atomic<int> word{0};
};

}  // namespace fencepost::cli::labels
