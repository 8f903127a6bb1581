// Probes of programs whose number of executions is known.
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "execute/explorer.hpp"
#include "explore/estimate.hpp"
#include "fencepost/verify/check.hpp"
#include "known_programs.hpp"
#include "programs.hpp"
#include "random_programs.hpp"

namespace fencepost::verify::testing {

// Probes the tree that the explorer has once it has learned how the program waits.
inline std::vector<double> probed(const known_program& p, std::size_t count, std::uint64_t seed) {
  explorer e(p.bounds, p.body);
  std::vector<double> all;
  while (all.size() < count) {
    const std::optional<double> executions = e.probe(seed++, [] {});
    if (executions)
      all.push_back(*executions);
    else
      all.clear();
  }
  return all;
}

// Returns what is wrong with the mean of many probes, or "".
inline std::string wrong_on_average(const known_program& p, std::size_t probes = 200) {
  constexpr std::uint64_t most_executions = 2'000;
  const result r = check(p.bounds, p.body);
  const auto known = static_cast<double>(r.executions);
  if (r.violation || r.executions > most_executions) return "";
  double mean = 0, squares = 0;
  const std::vector<double> all = probed(p, probes, 1);
  for (const double x : all) mean += x / static_cast<double>(probes);
  for (const double x : all) squares += (x - mean) * (x - mean);
  const double error = std::sqrt(squares) / static_cast<double>(probes);
  if (std::abs(mean - known) <= 4 * error + 0.1 * known + 1e-6) return "";
  return p.name + ": " + std::to_string(mean) + " on average, not " + std::to_string(r.executions);
}

// Once a run has taught that another thread writes what a loop has read, the tree is another one,
// and no probe may count what it has found in both. Returns what is wrong, or "".
inline std::string wrong_where_the_tree_changes() {
  const auto body = [] {
    checked::atomic<int> open{0}, left{0};
    checked::plain<int> data{0};
    concurrently(
        [&] {
          while (open.load(acquire) == 0) static_cast<void>(data.get());
          left.store(1, release);
        },
        [&] {
          while (left.load(acquire) == 0) checked::spin_pause();
          data.set(1);
        },
        [&] { open.store(1, release); });
  };
  explorer e({}, body);
  for (int lessons = 0; lessons < 9; ++lessons)
    if (e.probe(1, [] {})) return lessons > 0 ? "" : "a probe goes on in another tree";
  return "there is always more to learn";
}

// Nine of ten intervals should hold what they estimate. Returns how many do not, if too many, or
// "".
inline std::string wrong_intervals(unsigned programs) {
  unsigned intervals = 0, low = 0, high = 0;
  for (unsigned seed = 0; seed < programs; ++seed) {
    const known_program p = random_program(seed);
    const result r = check(p.bounds, p.body);
    const auto known = static_cast<double>(r.executions);
    if (r.violation || r.executions < 30) continue;
    for (const unsigned probes : {20U, 50U, 100U}) {
      const std::optional<estimated> e = estimate_from(probed(p, probes, 1'000 * seed + 1));
      if (!e) continue;
      ++intervals;
      if (e->at_most < known) ++low;
      if (e->at_least > known) ++high;
    }
  }
  if (intervals >= programs && 100 * (low + high) <= 15 * intervals) return "";
  return std::to_string(low) + " intervals of " + std::to_string(intervals) + " are too low, and " +
         std::to_string(high) + " too high";
}

}  // namespace fencepost::verify::testing
