// An exploration under way: what it has found, and when to look at the clock.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>

#include "explore/tally.hpp"
#include "fencepost/verify/result.hpp"

namespace fencepost::verify {

struct search_progress {
  using steady = std::chrono::steady_clock;

  explicit search_progress(result& r) : found(r), before(r.seconds) {}

  result& found;
  const double before;
  const steady::time_point begin = steady::now();
  double next_report = 0.1;
  std::uint64_t until_clock = 1;
  std::size_t shortest = 0;  // events of the counterexample
  // After how many runs, and how many seconds, it was found.
  std::uint64_t runs_to_violation = 0;
  double seconds_to_violation = 0;
  std::uint64_t explored = 0;  // runs, without those that repeat one
  bool is_part = false;
  bool from_beginning = true;
  tally drawn;  // sampling

  [[nodiscard]] double seconds() const {
    return before + std::chrono::duration<double>(steady::now() - begin).count();
  }
  // To be called after each run. True about every ten milliseconds.
  bool looks_at_clock() {
    if (--until_clock != 0) return false;
    const double rate = static_cast<double>(explored) / (seconds() - before + 1e-9);
    until_clock = std::max<std::uint64_t>(1, static_cast<std::uint64_t>(rate / 100));
    return true;
  }
  // True if the search for a shorter counterexample has taken this many runs.
  [[nodiscard]] bool has_looked_on(std::uint64_t runs) const noexcept {
    return explored - runs_to_violation >= runs;
  }
  // True if it has taken this long; 0 sets no limit.
  [[nodiscard]] bool has_looked_on(std::chrono::milliseconds time) const {
    const std::chrono::duration<double> since(seconds() - seconds_to_violation);
    return time.count() != 0 && since >= time;
  }
  // Discards the statistics: the exploration was restarted.
  void discard() {
    drawn.clear();
    found.executions = found.blocked = found.violations = found.cut = found.digest = 0;
    found.events = 0;
    found.outcomes.clear();
    found.examples.clear();
    found.race = false;
  }
};

}  // namespace fencepost::verify
