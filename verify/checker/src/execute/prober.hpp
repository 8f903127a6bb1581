// Estimates how many executions there are: a search of the tree that leaves out most branches at
// random, and gives each run that it makes the weight of those that it represents.
//
// A probe walks the tree as the exploration does. At each change of a choice it decides whether to
// make the run that follows; a run made with probability p, and all that follows from it, weighs
// 1/p times as much. Whatever the probabilities, the mean of the sum of the weights is the number
// of all runs. D. E. Knuth ("Estimating the efficiency of backtrack programs", Mathematics of
// Computation 29, 1975) takes one path from the root at a time. P. C. Chen ("Heuristic sampling: a
// method for predicting the performance of tree searching programs", SIAM Journal on Computing 21,
// 1992) takes several at once, so that the parts which branch most are not missed. So does the
// prober: it chooses the probabilities so that at each depth about the same number of runs is made,
// with about the same weights. The number of runs at each depth is estimated by earlier probes.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <random>
#include <vector>

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

  // Estimates how many complete executions there are, and discards what was explored. `pause` is
  // called before each run. Returns nothing if a run has restarted the exploration because of what
  // it taught about the program: all earlier probes were of another tree.
  std::optional<double> probe(std::uint64_t seed, const std::function<void()>& pause);

 private:
  // A run on the path to the current one: the number of choices that it began with, and its weight.
  struct node {
    std::size_t choices = 0;
    double weight = 1;
  };
  struct number {
    double asked = 0, made = 0;  // with the runs that are left out, and without
  };
  std::optional<double> search(const std::function<void()>& pause);
  bool next_run();
  double odds(std::size_t depth, double weight);
  double drawn() { return static_cast<double>(random_() >> 11U) * 0x1p-53; }  // in [0, 1)

  exploration& exploration_;
  contention& contention_;
  resuming& resuming_;
  learning& learning_;
  execution_runner& runner_;
  std::mt19937_64 random_;
  // Indexed by depth:
  std::vector<node> way_;
  std::vector<double> weights_;  // the sum over all runs of the probes so far
  std::vector<number> number_;   // the numbers of runs of this probe
  unsigned probes_ = 0;
};

}  // namespace fencepost::verify
