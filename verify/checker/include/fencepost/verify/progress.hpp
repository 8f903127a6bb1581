// How far an exploration has come.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

namespace fencepost::verify {

// An estimate, by probes, of how many executions there are: see options::estimate.
struct estimated {
  std::size_t probes = 0;
  double executions = 0;             // complete ones: the mean of the probes
  double at_least = 0, at_most = 0;  // nine of ten hold the number; most others are too low
};

// A snapshot of a running exploration.
struct progress {
  std::uint64_t executions = 0;
  std::uint64_t blocked = 0;
  double fraction = 0;  // the share that is done, 0 … 1: of samples, or by `whole`; 0: not known
  double seconds = 0;
  std::optional<estimated> whole = {};  // of options::estimate, after a while
};

}  // namespace fencepost::verify
