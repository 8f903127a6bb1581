#include "execute/prober.hpp"

#include <algorithm>
#include <utility>

namespace fencepost::verify {

namespace {

// About how many runs a probe makes at each depth. The first probe, which knows nothing yet, and
// one that finds more runs than expected make not many more than `most_runs`.
constexpr double wanted_runs = 16;
constexpr double most_runs = 64;
// The first probes only find out how many runs there are at each depth: their results are not used.
constexpr unsigned surveys = 2;

}  // namespace

std::optional<double> prober::probe(std::uint64_t seed, const std::function<void()>& pause) {
  const resuming::pause from_the_beginning(resuming_);
  random_.seed(seed);
  while (probes_ < surveys)
    if (!search(pause)) return {};
  return search(pause);
}

std::optional<double> prober::search(const std::function<void()>& pause) {
  exploration_.restart();
  contention_.begin();
  static_cast<void>(learning_.take_restarted());
  way_.assign(1, {});
  number_.clear();
  double sum = 0;
  do {
    pause();
    const run_end end = runner_.run_or_learn();
    if (learning_.take_restarted()) {
      weights_.clear();
      probes_ = 0;
      return {};
    }
    const double weight = way_.back().weight;
    if (end == run_end::complete) sum += weight;
    if (weights_.size() < way_.size()) weights_.resize(way_.size());
    weights_[way_.size() - 1] += weight;
  } while (next_run());
  ++probes_;
  return sum;
}

// Backtracks to the next run that is made; false if there is none. The runs that are left out are
// skipped with everything below them, since the choices that they would add are never added.
bool prober::next_run() {
  choice_path before = exploration_.path();
  while (exploration_.backtrack()) {
    choice_path now = exploration_.path();
    const auto changed = std::mismatch(now.begin(), now.end(), before.begin(), before.end()).first;
    const auto oldest = static_cast<std::size_t>(changed - now.begin());
    before = std::move(now);
    // The choice that has changed was added by the youngest run that began without it.
    while (way_.size() > 1 && way_.back().choices > oldest) way_.pop_back();
    const double weight = way_.back().weight;
    const std::size_t depth = way_.size();
    if (number_.size() <= depth) number_.resize(depth + 1);
    const double p = odds(depth, weight);
    if (drawn() >= p) continue;
    ++number_[depth].made;
    way_.push_back({exploration_.choices(), weight / p});
    return true;
  }
  return false;
}

double prober::odds(std::size_t depth, double weight) {
  if (probes_ == 0) return most_runs / std::max(most_runs, number_[depth].asked++);
  const double there = weights_[std::min(depth, weights_.size() - 1)] / probes_;
  const double few = most_runs / std::max(most_runs, number_[depth].made);
  return few * std::min(1., weight * wanted_runs / there);
}

}  // namespace fencepost::verify
