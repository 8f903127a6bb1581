// What is known of a claim with load buffering: cycles of program order and reads-from, which rc20
// excludes and xc20 allows.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "run/command_options.hpp"
#include "run/result_store.hpp"

namespace fencepost::cli {

enum class buffered : std::uint8_t {
  no_race,       // no execution under rc20 has a load-buffering race, so xc20 adds none
  in_full,       // explored under xc20: holds
  within_limit,  // explored up to the limit on re-executions: holds
  not_resolved,  // explored, but not everything that follows from some race
  too_large,     // the limit on runs was reached first
  violated,      // explored under xc20: does not hold
  not_explored,  // not requested; or the claim does not hold under rc20
};

// Returns what is known of a claim that holds, given its result, and the one under xc20 if it was
// explored there.
buffered known_under_xc20(const verify::result&, const std::optional<verify::result>& under_xc20);
// "holds within 2 re-executions".
std::string in_words(buffered, const std::optional<verify::result>& under_xc20);

// True if the claim holds under rc20 and has a load-buffering race.
bool is_open_under_xc20(const verify::result&);
// The options for exploring it: `runs` more than under rc20, and no time limit, so that the result
// does not depend on the machine.
verify::options options_under_xc20(const entry&, const common_options&, const limit_options&,
                                   const verify::result& under_rc20, std::uint64_t runs);

}  // namespace fencepost::cli
