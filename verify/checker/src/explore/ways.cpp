// The ways on from a run, for probes: see execute/prober.hpp. No run is needed to count them.

#include <algorithm>

#include "explore/exploration.hpp"

namespace fencepost::verify {

// The runs that changes of the choice lead to, in the order in which the search comes to them: so
// are those of the choices that a revisit adds.
std::uint64_t exploration::count_changes(std::size_t index, std::uint64_t most) {
  drop_choices(index + 1);
  const std::uint64_t expected = choices_.back().total;
  fixed_ = index;
  std::uint64_t n = 0;
  while (n < most && backtrack()) ++n;
  fixed_ = 0;
  drop_choices(index);
  return n < most ? n : std::max(n, expected);
}

bool exploration::change(std::size_t index, std::uint64_t times) {
  if (index >= choices_.size()) return false;
  drop_choices(index + 1);
  fixed_ = index;
  bool changed = true;
  for (; changed && times > 0; --times) changed = backtrack();
  fixed_ = 0;
  return changed;
}

}  // namespace fencepost::verify
