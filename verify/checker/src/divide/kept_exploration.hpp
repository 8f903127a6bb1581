// An exploration that was stopped, as text.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "divide/ledger.hpp"
#include "explore/search_path.hpp"
#include "fencepost/verify/result.hpp"

namespace fencepost::verify {

struct kept_exploration {
  std::vector<lesson> lessons;  // those known when all of it was explored
  ledger parts;
  double seconds = 0;
  std::optional<estimated> whole;

  // True if it is the whole tree, not a part of it.
  [[nodiscard]] bool is_whole() const { return !parts.from() && parts.end().empty(); }
};

std::string to_text(const kept_exploration&);
// Throws std::invalid_argument, which says what is wrong.
kept_exploration kept_exploration_from(std::string_view text);

}  // namespace fencepost::verify
