// The path by which a counterexample with load buffering is found again: a load-buffering race that
// the first exploration meets, a race that the exploration from its beginning meets, and so on; and
// the run of the last exploration. "xc20:0-12.5-1:3.1" is the twelfth race, from there the first
// race of the fifth complete execution, and from there the run 3.1.
//
// Races are counted as they are met, whether they lead to a new beginning or not: so the path does
// not depend on what was explored before.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fencepost::verify {

struct met_race {
  std::uint64_t execution = 0;  // 0 in the first exploration, which does not count executions
  std::uint64_t number = 0;     // 1, 2, ...

  friend bool operator==(const met_race&, const met_race&) = default;
};

struct path_to_beginning {
  std::vector<met_race> races;
  std::string run;
};

std::string to_text(const path_to_beginning&);
// Nothing if the text is not such a path.
std::optional<path_to_beginning> path_to_beginning_from(std::string_view);

}  // namespace fencepost::verify
