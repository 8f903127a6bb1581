// What is chosen of a fork-join runtime at compile time.
#pragma once

#include <cstdint>

namespace fencepost {

// The word that a worker's deque shares with thieves; deque/split_word.hpp has both.
enum class fork_join_word : std::uint8_t {
  whole,   // iso_split_word: moves the split by a locked instruction. ISO C++
  halves,  // lace_split_word: raises it by a store, lowers it by a store and a sequentially
           // consistent fence. Needs a policy with halves: mixed_size_word.hpp says where
};

struct fork_join_features {
  bool statistics = false;         // counts, which costs something
  std::uint32_t submissions = 64;  // outside calls of run() not yet taken by a worker; more wait
  fork_join_word word = fork_join_word::whole;
  bool trace = false;  // records what the workers do, which costs something: worker_trace.hpp
};

}  // namespace fencepost
