// The beginnings that are still to be explored.
//
// Those with the same promises are explored at once: they differ in what the kept events have got,
// and the explorations would differ in little else. A run counts if it is one that one of them
// would have.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <vector>

#include "reexecute/beginning.hpp"
#include "reexecute/path_to_beginning.hpp"

namespace fencepost::verify {

struct start {
  beginning from;
  unsigned depth = 1;
  const start* found_from = nullptr;  // none: the first exploration
  met_race met;                       // … where it was met
};

// By number; a set of them is a bit for each.
using batch = std::vector<const start*>;
using batch_set = std::uint64_t;
inline constexpr std::size_t most_of_batch = 64;

class batches {
 public:
  void clear();
  void add(start);
  [[nodiscard]] std::size_t size() const noexcept { return all_.size(); }
  // The one that was found first and is not explored yet, and others with its promises, which are
  // explored now. Empty: there is none.
  batch take();

 private:
  struct waiting {
    const start* what;
    std::size_t group;
  };
  std::deque<start> all_;  // they stay where they are
  std::deque<waiting> left_;
  std::vector<std::deque<const start*>> groups_;  // of those that are left
  std::map<std::vector<std::uint64_t>, std::size_t> group_of_;
};

}  // namespace fencepost::verify
