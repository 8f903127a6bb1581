// The cost of a count in a runtime with statistics; thread_pool_bench.cpp has a fork-join on such a
// pool.
#include <benchmark/benchmark.h>

#include <array>
#include <cstdint>

#include "fencepost/runtime/worker_counters.hpp"

namespace fencepost::bench {
namespace {

struct counts {
  std::uint64_t jobs = 0;
  static constexpr auto members() noexcept { return std::array{&counts::jobs}; }
};

void BM_statistics_count(benchmark::State& state) {  // a worker's own counter
  worker_counters<counts, true> mine;
  for (auto _ : state) {
    mine.count(&counts::jobs);
    benchmark::ClobberMemory();
  }
}
BENCHMARK(BM_statistics_count);

void BM_statistics_shared_count(benchmark::State& state) {  // a counter for outside threads
  shared_counter<true> number;
  for (auto _ : state) number.count();
}
BENCHMARK(BM_statistics_shared_count);

}  // namespace
}  // namespace fencepost::bench
