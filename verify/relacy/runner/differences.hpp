// Where Relacy and the checker are known to differ, and the rule that decides each case.
// docs/second-opinion.md explains the rules at length.
#pragma once

#include <span>
#include <string_view>

namespace fencepost::relacy {

struct rule {
  std::string_view key;   // the heading in the page, to which the table links
  std::string_view text;  // one sentence
};

struct difference {
  std::string_view scenario;  // its name
  std::string_view rule;      // a key
};

std::span<const rule> rules() noexcept;
std::span<const difference> differences() noexcept;

// Returns the rule that explains why Relacy disagrees about this scenario; null if none is known.
const rule* rule_for(std::string_view scenario) noexcept;

}  // namespace fencepost::relacy
