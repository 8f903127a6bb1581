// Looks for the path by which a violation is found again: from the first exploration, the races
// that lead to the start of its run, and the run. See path_to_beginning.
//
// The run belonged to a batch, so its number is not that of the run from its start alone: what
// leads there is explored once more, from each start alone.
#pragma once

#include <functional>
#include <optional>

#include "fencepost/verify/options.hpp"
#include "fencepost/verify/result.hpp"
#include "reexecute/batch_explorer.hpp"
#include "reexecute/batches.hpp"
#include "reexecute/open_races.hpp"
#include "reexecute/path_to_beginning.hpp"
#include "reexecute/race_beginnings.hpp"
#include "reexecute/shared_limits.hpp"

namespace fencepost::verify {

class path_search {
 public:
  // Searches in the time that is left.
  path_search(const options&, const std::function<void()>& body, const shared_limits&);

  // Names the path of a violation in a run from that start, or says why it has none.
  void name(counterexample&, const start&);

 private:
  result explore_from(const start&);

  const options options_;
  shared_limits limits_;
  open_races open_;
  race_beginnings beginnings_;
  batch_explorer explorer_;
};

}  // namespace fencepost::verify
