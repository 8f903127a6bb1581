// Estimates how much a division has to explore, beside the exploration.
#include <algorithm>

#include "divide/division.hpp"
#include "explore/estimate.hpp"

namespace fencepost::verify {

namespace {

// After how many seconds an exploration is estimated, and the share of its time that this may take;
// and what is added to that at the end, in case there was no estimate before.
constexpr double before_estimate = 0.3;
constexpr double estimating = 0.05;
constexpr double estimating_at_the_end = 0.1;
constexpr std::size_t probes_at_the_end = 100;
// After fewer runs there is no estimate at the end, which would take longer than they did.
constexpr std::uint64_t least_runs = 128;

}  // namespace

void division::begin_to_estimate() {
  if (estimator_) return;
  estimator_.emplace([this](std::uint64_t seed, const std::function<void()>& pause) {
    explorer_->belongs_to_this_process();
    return explorer_->probe(seed, pause);
  });
}

void division::allow_estimate() {
  if (!can_estimate() || seconds() < before_estimate) return;
  begin_to_estimate();
  const auto exploring = static_cast<double>(std::max<std::size_t>(workers_.size(), 1));
  estimator_->allow(std::chrono::duration<double>(estimating * exploring * seconds()));
}

// Only after one of these limits; not, for example, if the exploration was interrupted.
void division::finish_estimate() {
  if (limit_ != "timeout" && limit_ != "max_executions" && limit_ != "parts") return;
  if (!can_estimate() || ledger_.complete()) return;
  const result sum = sum_so_far();
  if (sum.executions + sum.blocked < least_runs) return;
  begin_to_estimate();
  const double patience = std::max(10 * estimating_at_the_end, estimating * seconds());
  estimator_->allow(std::chrono::duration<double>(estimating_at_the_end + estimating * seconds()));
  estimator_->wait(probes_at_the_end, std::chrono::duration<double>(patience));
}

std::optional<estimated> division::best_estimate() const {
  const std::optional<estimated> now = estimator_ ? estimator_->now() : std::nullopt;
  return now && (!whole_ || now->probes >= whole_->probes) ? now : whole_;
}

std::optional<estimated> division::whole(std::uint64_t executions) const {
  return with_explored(best_estimate(), executions);
}

void division::tell_progress(std::uint64_t executions, std::uint64_t blocked) const {
  if (!options_.on_progress) return;
  const std::optional<estimated> all = whole(executions);
  const double done = all ? static_cast<double>(executions) / all->executions : 0;
  options_.on_progress({executions, blocked, done, seconds(), all});
}

}  // namespace fencepost::verify
