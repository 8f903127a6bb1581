// Counts the different graphs that were drawn, and those drawn once or twice: a hash table with
// eight bytes for each graph.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace fencepost::verify {

class tally {
 public:
  // Returns true if the graph is new.
  bool add(std::uint64_t fingerprint) {
    if (2 * (graphs_ + 1) > slots_.size()) grow();
    std::uint64_t& slot = find(fingerprint | 3U);
    const std::uint64_t times = slot & 3U;
    if (times == 3) return false;  // three or more
    slot = (fingerprint | 3U) - 3 + times + 1;
    if (times == 0) ++graphs_;
    if (times < 2) ++(times == 0 ? once_ : twice_);
    if (times == 1) --once_;
    if (times == 2) --twice_;
    return times == 0;
  }
  void clear() { *this = {}; }

  [[nodiscard]] std::uint64_t graphs() const noexcept { return graphs_; }
  [[nodiscard]] std::uint64_t once() const noexcept { return once_; }
  [[nodiscard]] std::uint64_t twice() const noexcept { return twice_; }

 private:
  // The low two bits of a slot are its count (0: empty), the others are those of the fingerprint.
  std::uint64_t& find(std::uint64_t key) {
    std::size_t at = (key * 0x9e3779b97f4a7c15U >> 20U) % slots_.size();
    while (slots_[at] != 0 && (slots_[at] | 3U) != key) at = (at + 1) % slots_.size();
    return slots_[at];
  }
  void grow() {
    std::vector<std::uint64_t> old(slots_.empty() ? 1024 : 2 * slots_.size());
    old.swap(slots_);
    for (const std::uint64_t slot : old)
      if (slot != 0) find(slot | 3U) = slot;
  }

  std::vector<std::uint64_t> slots_;
  std::uint64_t graphs_ = 0, once_ = 0, twice_ = 0;
};

}  // namespace fencepost::verify
