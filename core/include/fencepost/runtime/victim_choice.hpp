// Chooses the victim of a worker without work: any other worker, at random; or, on a machine with
// several memory nodes, most of the time one of its own node.
//
// Threads: constructed before the workers start; then any worker, with its own number and attempts.
// Costs: a random number; no division, no allocation.
// Source: the future work of the lace.rs paper (LRS-52).
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <numeric>
#include <utility>
#include <vector>

#include "fencepost/runtime/random_sequence.hpp"

namespace fencepost {

// A worker's record of its attempts. unwatched: the worker's own.
class victim_attempts {
 public:
  explicit victim_attempts(std::uint32_t worker) noexcept : random_{worker} {}

 private:
  friend class victim_choice;
  random_sequence random_;
  std::uint32_t near_ = 0;  // attempts in a row at workers of its node
};

class victim_choice {
 public:
  // `near`: so many attempts at workers of the same node come before one at a worker of another
  // node; if it is 0, or there is only one node, all workers are treated alike. `nodes`: the memory
  // node of each worker; empty if there is only one.
  victim_choice(std::uint32_t workers, std::uint32_t near, const std::vector<std::uint32_t>& nodes);

  // Returns one of the other workers. There must be at least two workers.
  std::uint32_t next(std::uint32_t thief, victim_attempts& own) const noexcept {
    if (homes_.empty()) {
      const std::uint32_t among = own.random_.below(workers_ - 1);
      return among < thief ? among : among + 1;
    }
    return near_or_far(homes_[thief], own);
  }

 private:
  // A worker's own node: the positions in by_node_ of its workers, and of the worker itself.
  struct home {
    std::uint32_t first, size, self;
  };
  std::uint32_t near_or_far(const home& at, victim_attempts& own) const noexcept;

  // unwatched: never changed.
  std::uint32_t workers_;
  std::uint32_t near_;
  std::vector<std::uint32_t> by_node_;  // the workers, those of one node together
  std::vector<home> homes_;             // of each worker; empty: all are alike
};

inline victim_choice::victim_choice(std::uint32_t workers, std::uint32_t near,
                                    const std::vector<std::uint32_t>& nodes)
    : workers_{workers}, near_{near} {
  if (near == 0 || nodes.empty()) return;
  if (std::adjacent_find(nodes.begin(), nodes.end(), std::not_equal_to<>{}) == nodes.end()) return;
  by_node_.resize(workers);
  std::iota(by_node_.begin(), by_node_.end(), std::uint32_t{0});
  const auto node = [&nodes](std::uint32_t worker) { return nodes[worker]; };
  std::sort(by_node_.begin(), by_node_.end(), [&](std::uint32_t a, std::uint32_t b) {
    return std::pair{node(a), a} < std::pair{node(b), b};
  });
  homes_.resize(workers);
  for (std::uint32_t first = 0, end = 0; first < workers; first = end) {
    while (end < workers && node(by_node_[end]) == node(by_node_[first])) ++end;
    for (std::uint32_t self = first; self < end; ++self) {
      homes_[by_node_[self]] = {first, end - first, self};
    }
  }
}

inline std::uint32_t victim_choice::near_or_far(const home& at,
                                                victim_attempts& own) const noexcept {
  if (at.size == 1 || own.near_ == near_) {
    own.near_ = 0;
    const std::uint32_t far = at.first + at.size + own.random_.below(workers_ - at.size);
    return by_node_[far < workers_ ? far : far - workers_];
  }
  ++own.near_;
  const std::uint32_t near = at.first + own.random_.below(at.size - 1);
  return by_node_[near < at.self ? near : near + 1];
}

}  // namespace fencepost
