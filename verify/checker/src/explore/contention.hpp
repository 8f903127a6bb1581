// Locations whose accesses, in turns of loops that were left out, may race: over all executions.
#pragma once

#include <cstdint>
#include <vector>

#include "fencepost/verify/engine.hpp"

namespace fencepost::verify {

class contention {
 public:
  using threads = std::uint64_t;  // a bit each

  [[nodiscard]] bool at(location l) const noexcept {
    return l < all_.size() && (all_[l].left_out & all_[l].meanwhile) != 0;
  }
  // These access it in idle turns that were left out. True if it is contended only now.
  bool add_left_out(location l, threads t, bool write) {
    // Another thread that reads it may race as well.
    return add(l, {t, write ? t : 0});
  }
  // Another thread writes it, or ends its lifetime, neither before these begin nor after their end.
  bool add_meanwhile(location l, threads t) { return add(l, {0, t}); }

 private:
  struct entry {
    threads left_out = 0;
    threads meanwhile = 0;
  };
  bool add(location l, entry more) {
    if (l >= all_.size()) all_.resize(l + std::size_t{1});
    const bool before = at(l);
    all_[l].left_out |= more.left_out;
    all_[l].meanwhile |= more.meanwhile;
    return !before && at(l);
  }

  std::vector<entry> all_;
};

}  // namespace fencepost::verify
