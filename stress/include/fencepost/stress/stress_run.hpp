// Runs a scenario on real threads: again and again for a given time, and counts what it comes to.
//
// Many instances a round. The threads of a team construct them, meet, run the scenario's threads
// over them one after the other, meet, and end them. How they run over them differs from round to
// round: all in step, so that they meet in each instance, with a delay of its own for each; or
// freely; and where they run differs too (placement). What is chosen is chosen by the seed; what
// comes of it is the machine's, and no two runs are alike.
//
// The run is in a process of its own: a scenario that crashes, hangs or spoils the memory is
// reported as that, with what it came to before.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "fencepost/stress/processors.hpp"
#include "fencepost/stress/subject.hpp"

namespace fencepost::stress {

struct options {
  double seconds = 1;
  std::uint64_t seed = 1;
  unsigned threads = 0;  // run at once, by as many teams as have room; 0: one a processor
  std::vector<placement> placements = {};  // in turn; none: those that the machine has
  double stuck_after = 10;                 // seconds without an instance begun or ended
  const std::atomic<bool>* stop = nullptr;
};

struct seen_outcome {
  std::string result;
  std::uint64_t count = 0;
};

// A claim that did not hold.
struct broken_claim {
  violation kind = violation::assertion;
  std::string what = {};  // at the first time
  std::string file = {};
  std::string function = {};
  unsigned line = 0;
  std::uint64_t count = 0;
  double after = 0;  // seconds until the first time
};

struct result {
  std::uint64_t samples = 0;  // instances that were run to their end
  double seconds = 0;
  std::uint64_t seed = 0;
  std::vector<seen_outcome> outcomes;
  std::vector<broken_claim> broken;
};

// on_progress: with the samples so far, about ten times a second.
result run(const subject&, const options&,
           const std::function<void(std::uint64_t samples)>& on_progress = {});

}  // namespace fencepost::stress
