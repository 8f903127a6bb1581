#include "explore/estimate.hpp"

#include <algorithm>
#include <cmath>

namespace fencepost::verify {

// Most probes underestimate the number, and a few overestimate it many times. So the interval is
// one of the logarithm, in multiples of the relative error of the mean, and its upper side is the
// longer one, above all after few probes. The multiples are those with which nine of ten intervals
// hold the number, for programs whose number of executions is known (verify_probes): a twentieth
// lies beyond each end.
std::optional<estimated> estimate_from(const std::vector<double>& probes) {
  if (probes.size() < least_probes) return {};
  const auto n = static_cast<double>(probes.size());
  double mean = 0, squares = 0;
  for (const double x : probes) mean += x / n;
  for (const double x : probes) squares += (x - mean) * (x - mean);
  if (!(mean > 0) || !std::isfinite(squares)) return {};
  const double error = std::sqrt(squares / (n - 1) / n) / mean;
  const double below = 1.8, above = 2.2 + 14 / std::sqrt(n);
  return estimated{probes.size(), mean, std::max(mean * std::exp(-below * error), 1.),
                   mean * std::exp(above * error)};
}

std::optional<estimated> with_explored(std::optional<estimated> e, std::uint64_t executions) {
  const auto known = static_cast<double>(executions);
  if (!e || e->at_most <= known) return {};
  e->at_least = std::max(e->at_least, known);
  e->executions = std::max(e->executions, known);
  return e;
}

}  // namespace fencepost::verify
