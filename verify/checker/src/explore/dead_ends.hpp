// What a loop that waits does with each value that it may read.
//
// A turn that is nothing but a load depends on the value that it reads, and on nothing else. So
// older sources of the load are tried, one after the other, before it reads the latest: those with
// which its turn is idle are dead ends, and need no run of their own. This holds as long as the
// thread takes no other step. See docs/checker.md, "Loops that wait".
#pragma once

#include <algorithm>
#include <vector>

#include "graph/graph.hpp"

namespace fencepost::verify {

class dead_ends {
 public:
  // At most so many older sources are tried, counted from the latest down.
  static constexpr int most = 64;
  enum class kind : std::uint8_t {
    untried,
    open,  // its turn is idle, but does more than the load
    dead,
  };

  void forget() noexcept {
    load_ = tried_ = 0;
    known_.clear();
  }
  // Begins with this load, and forgets what is known of any other.
  void begin(event_id load) noexcept {
    if (load_ != load) forget();
    load_ = load;
    tried_ = 0;
  }
  [[nodiscard]] kind of(value v) const noexcept {
    const auto at = std::find_if(known_.begin(), known_.end(),
                                 [&](const known_value& k) { return k.read == v; });
    return at == known_.end() ? kind::untried : at->is;
  }
  // The load now reads an older source, to try it.
  void begin_try() noexcept { tried_ = load_; }
  [[nodiscard]] bool tries(event_id load) const noexcept { return load != 0 && tried_ == load; }
  // Notes that the load's turn is idle with this value, and is taken back.
  void note(event_id load, value v, kind k) {
    begin(load);
    if (of(v) == kind::untried) known_.push_back({v, k});
  }

 private:
  struct known_value {
    value read;
    kind is;
  };
  event_id load_ = 0;
  event_id tried_ = 0;
  std::vector<known_value> known_;
};

}  // namespace fencepost::verify
