// How many executions there are, from a few runs: Knuth's probes (D. E. Knuth, "Estimating the
// efficiency of backtrack programs", Mathematics of Computation 29, 1975).
//
// A probe goes down the search tree. At each choice of a run, from the oldest to the youngest, it
// takes one of the ways on with equal odds: to leave the choice as it is, or one of the runs that
// come of changing it. A run to which it comes with probability p stands for 1/p of them; the sum
// over the runs of a probe has the number of all runs as its mean.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <random>

#include "execute/execution_runner.hpp"
#include "execute/learning.hpp"
#include "execute/resuming.hpp"
#include "explore/contention.hpp"
#include "explore/exploration.hpp"

namespace fencepost::verify {

class prober {
 public:
  struct parts {
    exploration& tree;
    contention& contended;
    resuming& resumption;
    learning& learned;
    execution_runner& runner;
  };
  explicit prober(const parts& p)
      : exploration_(p.tree),
        contention_(p.contended),
        resuming_(p.resumption),
        learning_(p.learned),
        runner_(p.runner) {}

  // Estimates how many complete executions there are; what was explored is forgotten. `pause` is
  // called between runs, and between choices, of which there may be many. Nothing: a run has
  // taught how the program waits, and all earlier probes were of another tree.
  std::optional<double> probe(std::uint64_t seed, const std::function<void()>& pause);

 private:
  struct way {
    std::size_t choice = 0;
    std::uint64_t change = 0;  // 0: none
    double weight = 1;         // how many ways it stands for
  };
  way draw(const execution_runner::extent& before, const std::function<void()>& pause);
  std::uint64_t below(std::uint64_t n) { return random_() % n; }

  exploration& exploration_;
  contention& contention_;
  resuming& resuming_;
  learning& learning_;
  execution_runner& runner_;
  std::mt19937_64 random_;
};

}  // namespace fencepost::verify
