#include "differences.hpp"

#include <algorithm>

namespace fencepost::relacy {
namespace {

constexpr rule all_rules[] = {
    {"x", "y"},
};

constexpr difference all_differences[] = {
    {"x", "x"},
};

}  // namespace

std::span<const rule> rules() noexcept { return all_rules; }
std::span<const difference> differences() noexcept { return all_differences; }

const rule* rule_for(std::string_view scenario) noexcept {
  const auto* const known = std::ranges::find(all_differences, scenario, &difference::scenario);
  if (known == std::end(all_differences)) return nullptr;
  const auto* const found = std::ranges::find(all_rules, known->rule, &rule::key);
  return found == std::end(all_rules) ? nullptr : found;
}

}  // namespace fencepost::relacy
