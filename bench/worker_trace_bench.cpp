// The cost of an event to a traced worker: mostly the clock.
#include <benchmark/benchmark.h>

#include <chrono>

#include "fencepost/runtime/worker_trace.hpp"

namespace fencepost {
namespace {

void BM_trace_clock(benchmark::State& state) {  // for comparison: one reading
  for (auto _ : state) benchmark::DoNotOptimize(std::chrono::steady_clock::now());
}
BENCHMARK(BM_trace_clock);

void BM_trace_moment(benchmark::State& state) {
  worker_trace<true> mine;
  mine.keep("w", 1u << 16);
  for (auto _ : state) mine.moment(trace_kind::steal, "steal", 1);
}
BENCHMARK(BM_trace_moment);

void BM_trace_span(benchmark::State& state) {
  worker_trace<true> mine;
  mine.keep("w", 1u << 16);
  for (auto _ : state) {
    const auto here = mine.begin(trace_kind::span, "span");
    benchmark::ClobberMemory();
  }
}
BENCHMARK(BM_trace_span);

}  // namespace
}  // namespace fencepost
