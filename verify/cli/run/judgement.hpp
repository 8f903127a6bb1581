// Compares a result with what its scenario expects.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/usage.hpp"
#include "fencepost/scenario/scenario.hpp"
#include "fencepost/verify/result.hpp"

namespace fencepost::cli {

enum class standing : std::uint8_t {
  as_expected,
  unexpected,  // a violation where none is expected, none where one is, or one of another kind
  incomplete,  // a limit was reached first
};

std::string_view to_string(standing) noexcept;
standing judge(const scenario&, const verify::result&) noexcept;
// "verified", "violated, as expected (data race)", "incomplete: ...".
std::string describe(const scenario&, const verify::result&);
// Adds the numbers; keeps the graph that was rejected first.
void add(verify::rechecked& sum, const verify::rechecked& more);
// "12 of 12 graphs confirmed by a second implementation", and how many it could not hold.
std::string in_words(const verify::rechecked&);
// "to hold", "to be violated (data race)".
std::string expectation(const scenario&);
// The status of the worst: unexpected, then incomplete unless that is accepted, then as expected.
exit_status status_of(const std::vector<standing>&, bool accept_incomplete = false) noexcept;

}  // namespace fencepost::cli
