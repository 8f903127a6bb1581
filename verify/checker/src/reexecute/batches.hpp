// The beginnings that are still to be explored.
//
// Those with the same promises are explored together: they differ in the values that the kept
// events got, and their explorations would differ in little else. A run counts if the exploration
// of one of them alone would include it.
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
  const start* found_from = nullptr;  // null: found by the first exploration
  met_race met;                       // the race that leads here, as met there
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
  // Takes the one that was found first of those that are left, and others with its promises. Empty
  // if none is left.
  batch take();

 private:
  struct waiting {
    const start* what;
    std::size_t group;
  };
  std::deque<start> all_;  // never moved: a batch points to them
  std::deque<waiting> left_;
  std::vector<std::deque<const start*>> groups_;  // those that are left, by their promises
  std::map<std::vector<std::uint64_t>, std::size_t> group_of_;
};

}  // namespace fencepost::verify
