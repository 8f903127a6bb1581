// What is known of a claim where load buffering is allowed: cycles of program order and reads-from,
// which rc20 excludes and xc20 does not.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "run/command_options.hpp"
#include "run/result_store.hpp"

namespace fencepost::cli {

enum class buffered : std::uint8_t {
  no_race,       // no execution under rc20 has a load-buffering race: there are no others
  in_full,       // explored under xc20: holds
  within_limit,  // … within so many re-executions, one upon the other: holds
  not_resolved,  // … and of some race not everything was explored
  too_large,     // … and the limit on runs came first
  violated,      // … and something is wrong
  not_explored,  // nobody asked; or the claim does not hold under rc20
};

// Of a claim that holds: its result, and the one under xc20, if it was explored.
buffered known_under_xc20(const verify::result&, const std::optional<verify::result>& under_xc20);
// "holds within 2 re-executions".
std::string in_words(buffered, const std::optional<verify::result>& under_xc20);

// Is it worth exploring under xc20?
bool is_open_under_xc20(const verify::result&);
// Options under which it is explored: `runs` more than under rc20, and no limit of time, so that
// the result does not depend on the machine.
verify::options options_under_xc20(const entry&, const common_options&, const limit_options&,
                                   const verify::result& under_rc20, std::uint64_t runs);

}  // namespace fencepost::cli
