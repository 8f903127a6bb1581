// What the benchmarks against peers, the libraries that we compare with, have in common.
//
// A benchmark's name has four parts, by which the report groups benchmarks:
//
//   <family>/<work>/<peer>/<threads>      fork_join/fib/oneTBB/2
//
// A benchmark reports the time of an iteration, and in the counter "items" its number of items; the
// table shows the time of one item. Each benchmark checks what its peer computes; a wrong value is
// an error of the run.
#pragma once

#include <benchmark/benchmark.h>

#include <algorithm>
#include <initializer_list>
#include <string>
#include <thread>
#include <vector>

namespace fencepost::bench::peers {

inline unsigned processors() { return std::max(1U, std::thread::hardware_concurrency()); }

// Returns 1, 2, 4, … and the number of processors.
inline std::vector<unsigned> worker_counts() {
  std::vector<unsigned> counts;
  for (unsigned count = 1; count < processors(); count *= 2) counts.push_back(count);
  counts.push_back(processors());
  return counts;
}

inline std::string name_of(const char* family, const char* work, const char* peer,
                           unsigned threads) {
  return std::string{family} + '/' + work + '/' + peer + '/' + std::to_string(threads);
}

inline void items(benchmark::State& state, double each_iteration) {
  state.counters["items"] = each_iteration;
}

}  // namespace fencepost::bench::peers
