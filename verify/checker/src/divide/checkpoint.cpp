#include "fencepost/verify/checkpoint.hpp"

#include <stdexcept>
#include <utility>

#include "divide/kept_exploration.hpp"
#include "explore/estimate.hpp"

namespace fencepost::verify {

checkpoint::checkpoint(std::string_view text) : checkpoint(kept_exploration_from(text)) {}
checkpoint::checkpoint(kept_exploration kept)
    : kept_(std::make_unique<kept_exploration>(std::move(kept))) {}
checkpoint::checkpoint(checkpoint&&) noexcept = default;
checkpoint& checkpoint::operator=(checkpoint&&) noexcept = default;
checkpoint::~checkpoint() = default;

std::string checkpoint::text() const { return to_text(*kept_); }

bool checkpoint::is_complete() const { return kept_->parts.complete() && !kept_->parts.learned(); }
bool checkpoint::is_violated() const { return kept_->parts.violation() != nullptr; }
std::uint64_t checkpoint::executions() const { return kept_->parts.total().found.executions; }
std::uint64_t checkpoint::blocked() const { return kept_->parts.total().found.blocked; }
double checkpoint::seconds() const { return kept_->seconds; }
std::optional<estimated> checkpoint::whole() const {
  return is_complete() ? std::nullopt : with_explored(kept_->whole, executions());
}
std::size_t checkpoint::parts() const { return kept_->parts.left().size(); }

checkpoint checkpoint::part(std::size_t n) const {
  const std::vector<ledger::kept> all = kept_->parts.all();
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all[i].found || n-- != 0) continue;
    return checkpoint(kept_exploration{kept_->lessons, ledger(all[i].where), 0, {}});
  }
  throw std::out_of_range("there is no such part");
}

void checkpoint::put(const checkpoint& explored) {
  if (explored.kept_->lessons != kept_->lessons)
    throw std::invalid_argument("it was explored with different knowledge of the program");
  kept_->parts.put(explored.kept_->parts);
  kept_->seconds += explored.kept_->seconds;
}

}  // namespace fencepost::verify
