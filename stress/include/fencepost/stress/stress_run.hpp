// Runs a scenario on real threads, again and again for a given time, and counts its outcomes.
//
// Each round has many instances of the scenario. The threads of a team construct them, meet, run
// the scenario's threads on one instance after the other, meet, and destroy them. Rounds differ in
// how the threads pass through the instances: in step, so that they meet in each instance, each
// with a delay of its own; or freely. They also differ in where the threads run (placement). The
// seed determines these choices; their results depend on the machine, and no two runs are alike.
//
// The run is in a process of its own: a scenario that crashes, hangs or corrupts memory is reported
// as such, with the results up to then.
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
  unsigned threads = 0;  // that run at once, in as many teams as fit; 0: one per processor
  std::vector<placement> placements = {};  // used in turn; empty: those that the machine has
  double stuck_after = 10;                 // seconds in which no instance begins or ends
  const std::atomic<bool>* stop = nullptr;
};

struct seen_outcome {
  std::string result;
  std::uint64_t count = 0;
};

// A claim that did not hold.
struct broken_claim {
  violation kind = violation::assertion;
  std::string what = {};  // this and the next three: of the first failure
  std::string file = {};
  std::string function = {};
  unsigned line = 0;
  std::uint64_t count = 0;
  double after = 0;  // seconds until the first failure
};

struct result {
  std::uint64_t samples = 0;  // instances that were run to their end
  double seconds = 0;
  std::uint64_t seed = 0;
  std::vector<seen_outcome> outcomes;
  std::vector<broken_claim> broken;
};

// Calls on_progress with the number of samples so far, about ten times a second.
result run(const subject&, const options&,
           const std::function<void(std::uint64_t samples)>& on_progress = {});

}  // namespace fencepost::stress
