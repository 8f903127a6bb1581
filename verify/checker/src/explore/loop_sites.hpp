// Reads in the source to which a thread has returned: where turns of loops begin.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "fencepost/source_location.hpp"

namespace fencepost::verify {

class loop_sites {
 public:
  [[nodiscard]] bool empty() const noexcept { return sites_.empty(); }
  [[nodiscard]] bool contains(const source_location& where) const noexcept {
    return find(where) != nullptr;
  }
  // True if this is the read of a loop that waits.
  [[nodiscard]] bool waits_at(const source_location& where) const noexcept {
    const site* const s = find(where);
    return s != nullptr && s->waits;
  }
  void add(const source_location& where) { sites_.push_back({where}); }
  // Returns true if that was not known before.
  bool add_wait(const source_location& where) noexcept {
    const auto s = std::find_if(sites_.begin(), sites_.end(),
                                [&](const site& known) { return known.where == where; });
    return s != sites_.end() && !std::exchange(s->waits, true);
  }
  // True if there are idle turns that take a mutex.
  [[nodiscard]] bool lock() const noexcept { return lock_; }
  // Returns true if that was not known before.
  bool add_lock() noexcept { return !std::exchange(lock_, true); }
  // Whether turns that change an atomic object and change it back may be idle. They are not until
  // there is such a turn, and no longer once it is known that others may wait for the change.
  enum class undone : std::uint8_t { not_met, idle, awaited };
  [[nodiscard]] bool undo() const noexcept { return undone_ == undone::idle; }
  [[nodiscard]] bool may_undo() const noexcept { return undone_ == undone::not_met; }
  void set_undone(undone u) noexcept { undone_ = u; }
  // Where idle turns that were left out change such an object. Returns true if that was not known.
  bool add_change(const source_location& where) {
    if (changes_at(where)) return false;
    changes_.push_back(where);
    return true;
  }
  [[nodiscard]] bool changes_at(const source_location& where) const noexcept {
    return std::any_of(changes_.begin(), changes_.end(),
                       [&](const source_location& known) { return known == where; });
  }

 private:
  struct site {
    source_location where;
    bool waits = false;
  };
  [[nodiscard]] const site* find(const source_location& where) const noexcept {
    for (const site& s : sites_)
      if (s.where == where) return &s;
    return nullptr;
  }

  std::vector<site> sites_;
  std::vector<source_location> changes_;
  bool lock_ = false;
  undone undone_ = undone::not_met;
};

}  // namespace fencepost::verify
