// How many executions there are, from some of the runs: a search of the tree that leaves most
// branches out at random, and counts each run as many times as there are such runs for each that is
// made.
//
// It goes through the tree as the exploration does. At each change of a choice it decides whether
// to make the run that comes of it; where it does, with odds p, all that comes of the run weighs
// 1/p times as much. Whatever the odds, the sum of the weights of the runs has the number of all
// runs as its mean: such sums go back to D. E. Knuth ("Estimating the efficiency of backtrack
// programs", Mathematics of Computation 29, 1975), who goes down one way at a time. P. C. Chen
// ("Heuristic sampling: a method for predicting the performance of tree searching programs", SIAM
// Journal on Computing 21, 1992) goes down several ways at once, so that those which branch most
// are not missed, and so does this: the odds are such that of the runs at each depth about as many
// are made, with about the same weights. How many there are at each depth is what earlier probes
// came to.
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

  // Estimates how many complete executions there are; what was explored is forgotten. `pause` is
  // called between runs. Nothing: a run has taught how the program waits, and all earlier probes
  // were of another tree.
  std::optional<double> probe(std::uint64_t seed, const std::function<void()>& pause);

 private:
  // A run, on the way to the one that is made: the choices that it began with, and its weight.
  struct node {
    std::size_t choices = 0;
    double weight = 1;
  };
  struct number {
    double asked = 0, made = 0;  // with those that are left out, and without
  };
  std::optional<double> search(const std::function<void()>& pause);
  bool next_run();
  double odds(std::size_t depth, double weight);
  double drawn() { return static_cast<double>(random_() >> 11U) * 0x1p-53; }  // 0 … 1

  exploration& exploration_;
  contention& contention_;
  resuming& resuming_;
  learning& learning_;
  execution_runner& runner_;
  std::mt19937_64 random_;
  // By depth:
  std::vector<node> way_;
  std::vector<double> weights_;  // … of all runs of the probes so far
  std::vector<number> number_;   // … of runs of this probe
  unsigned probes_ = 0;
};

}  // namespace fencepost::verify
