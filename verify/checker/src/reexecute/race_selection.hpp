// Which of the load-buffering races of an exploration become beginnings: all; or one, for a replay;
// or none, to learn where one is met. Races are counted as they are met: see path_to_beginning.
#pragma once

#include <cstdint>
#include <optional>

#include "reexecute/path_to_beginning.hpp"

namespace fencepost::verify {

class race_selection {
 public:
  void select(met_race only) noexcept { only_ = only; }
  // Selects none, and notes where this beginning is met.
  void look_for(std::uint64_t fingerprint) noexcept {
    looked_for_ = fingerprint;
    found_at_.reset();
  }
  void select_none() noexcept { look_for(0); }
  [[nodiscard]] const std::optional<met_race>& found_at() const noexcept { return found_at_; }

  void begin_exploration() noexcept { met_ = {}; }
  void begin_execution() noexcept { met_ = {met_.execution + 1, 0}; }
  // Counts the next race that is met. Returns true if it may be selected.
  [[nodiscard]] bool meet() noexcept {
    ++met_.number;
    return !only_ || met_ == *only_;
  }
  // Returns true if the race, which leads to this beginning, is selected.
  [[nodiscard]] bool selects(std::uint64_t fingerprint) noexcept {
    if (!looked_for_) return true;
    if (!found_at_ && fingerprint == *looked_for_) found_at_ = met_;
    return false;
  }
  [[nodiscard]] bool selects_one() const noexcept { return only_.has_value(); }
  [[nodiscard]] met_race met() const noexcept { return met_; }

 private:
  met_race met_;  // the race met last in the exploration
  std::optional<met_race> only_;
  std::optional<std::uint64_t> looked_for_;
  std::optional<met_race> found_at_;
};

}  // namespace fencepost::verify
