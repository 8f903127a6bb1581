// The totals of a run of scenarios.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/json.hpp"
#include "fencepost/verify/result.hpp"
#include "run/entry.hpp"
#include "run/finished_job.hpp"

namespace fencepost::cli {

struct run_totals {
  std::size_t as_expected = 0;
  std::size_t unexpected = 0;
  std::size_t incomplete = 0;
  std::size_t not_run = 0;
  std::size_t verified = 0;
  std::size_t in_part = 0;  // incomplete because only a part was requested
  std::size_t violated_as_expected = 0;
  std::uint64_t executions = 0;
  std::uint64_t blocked = 0;
  unsigned threads = 0;
  std::size_t events = 0;
  unsigned spurious_failures = 0;
  std::size_t symmetric = 0;       // scenarios with symmetric threads
  std::size_t no_data = 0;         // … in which no plain data was watched
  std::size_t load_buffering = 0;  // … with a load-buffering race, of those that were verified
  verify::rechecked recheck;
};

run_totals totals_of(const std::vector<const entry*>& selected,
                     const std::vector<finished_job>& done);
json to_json(const run_totals&);

}  // namespace fencepost::cli
