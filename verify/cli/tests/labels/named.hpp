// For the tests of `--weaken FILE:LABEL`: a second file of the same name, with a label of its own.
#pragma once

#include <atomic>

namespace fencepost::cli::labels {

struct named {
  // [send.ready] release, alone: as in the other file.
  void send() { word.store(1, std::memory_order_release); }
  // [reply] relaxed, alone: only here.
  void reply() { word.store(2, std::memory_order_relaxed); }

  std::atomic<int> word{0};
};

}  // namespace fencepost::cli::labels
