// How a counterexample with load buffering is come to again: which of the load-buffering races that
// the first exploration meets is the beginning of another, which of those that this one meets …,
// and the run of the last one. "xc20:0-12.5-1:3.1": the twelfth race, there the first one of the
// fifth execution that is complete, and there the run 3.1.
//
// Races are counted as they are met, those that have no beginning of their own among them: what is
// known from elsewhere makes no difference.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fencepost::verify {

struct met_race {
  std::uint64_t execution = 0;  // 0: in the first exploration, which does not count them
  std::uint64_t number = 0;     // 1, 2, ...

  friend bool operator==(const met_race&, const met_race&) = default;
};

struct path_to_beginning {
  std::vector<met_race> races;
  std::string run;
};

std::string to_text(const path_to_beginning&);
// Nothing: it is no such path.
std::optional<path_to_beginning> path_to_beginning_from(std::string_view);

}  // namespace fencepost::verify
