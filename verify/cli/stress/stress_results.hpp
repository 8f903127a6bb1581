// What fencepost stress measured, in one run or in several that were merged.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/json.hpp"
#include "fencepost/stress/host.hpp"
#include "fencepost/stress/stress_run.hpp"

namespace fencepost::cli {

// An outcome that a scenario may have, or has had.
struct counted_outcome {
  std::string result;
  expect verdict = expect::allowed;
  std::string description = {};
  std::uint64_t count = 0;
};

struct stressed_claim : stress::broken_claim {
  std::uint64_t seed = 0;
};

struct stressed {
  std::string name;
  std::string claim = {};
  violation expected = violation::none;
  unsigned threads = 0;
  bool ran = false;
  std::uint64_t samples = 0;
  double seconds = 0;
  std::vector<counted_outcome> outcomes = {};  // the known ones first, seen or not
  std::vector<stressed_claim> broken = {};

  bool forbidden_seen() const;
  std::uint64_t times_broken() const;
};

// The verdict on a scenario after a run. Nothing is ever verified here.
enum class stress_standing : std::uint8_t {
  held,           // it must hold, and was not seen broken
  broken,         // it must hold, and does not
  seen_violated,  // it must be violated, and was seen so
  not_seen,       // it must be violated, and was not seen so: that is no evidence
  not_run,
};
std::string_view to_string(stress_standing) noexcept;
stress_standing judge(const stressed&) noexcept;

// A scenario before it ran, and what a run adds to it.
stressed stressed_from(const scenario&);
void add(stressed&, const stress::result&);

// The shapes of litmus_shapes.hpp on one machine: what it shows of relaxed accesses.
struct calibration {
  stress::host where;
  std::vector<stressed> shapes;
};
// An outcome that only a weak memory shows, or that is forbidden.
struct weak_outcome {
  const stressed* shape;
  const counted_outcome* outcome;
};
std::vector<weak_outcome> weak_outcomes(const calibration&);
// Says in a few sentences for what this machine is no evidence; "" if there is nothing to say.
std::string what_it_cannot_show(const calibration&);

struct stress_results {
  std::vector<calibration> machines;  // one, unless results were merged
  std::vector<stressed> scenarios;
  std::vector<std::uint64_t> seeds;
  double seconds = 0;
  bool interrupted = false;

  // Adds up the counts of the same scenario; machines that are the same are merged.
  void merge(const stress_results& other);
};

json to_json(const stress_results&);
// Reads the file that --json wrote. Throws usage_error for any other file.
stress_results read_stress_results(const std::string& path);

}  // namespace fencepost::cli
