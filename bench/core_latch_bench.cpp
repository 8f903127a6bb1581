// The cost of the four-state latch: a set, a probe, and a sleep that ends before it begins.
#include <benchmark/benchmark.h>

#include <atomic>
#include <cstdint>

#include "fencepost/sync/core_latch.hpp"

namespace fencepost::bench {
namespace {

// A latch is set once, so each iteration has a new one.
void BM_core_latch_set(benchmark::State& state) {
  for (auto step : state) {
    static_cast<void>(step);
    core_latch<> latch;
    benchmark::DoNotOptimize(latch);
    benchmark::DoNotOptimize(latch.set());
  }
}
BENCHMARK(BM_core_latch_set);

void BM_direct_latch_set(benchmark::State& state) {
  for (auto step : state) {
    static_cast<void>(step);
    std::atomic<std::uint32_t> latch{0};
    benchmark::DoNotOptimize(latch);
    benchmark::DoNotOptimize(latch.exchange(3, std::memory_order_release) == 2);
  }
}
BENCHMARK(BM_direct_latch_set);

void BM_core_latch_probe(benchmark::State& state) {
  core_latch<> latch;
  for (auto step : state) {
    static_cast<void>(step);
    benchmark::DoNotOptimize(latch.probe());
  }
}
BENCHMARK(BM_core_latch_probe);

void BM_core_latch_nap(benchmark::State& state) {
  core_latch<> latch;
  for (auto step : state) {
    static_cast<void>(step);
    benchmark::DoNotOptimize(latch.get_sleepy());
    benchmark::DoNotOptimize(latch.fall_asleep());
    latch.wake_up();
  }
}
BENCHMARK(BM_core_latch_nap);

void BM_direct_latch_nap(benchmark::State& state) {
  std::atomic<std::uint32_t> latch{0};
  const auto move = [&latch](std::uint32_t from, std::uint32_t to) {
    return latch.compare_exchange_strong(from, to, std::memory_order_relaxed);
  };
  for (auto step : state) {
    static_cast<void>(step);
    benchmark::DoNotOptimize(move(0, 1));
    benchmark::DoNotOptimize(move(1, 2));
    benchmark::DoNotOptimize(move(2, 0));
  }
}
BENCHMARK(BM_direct_latch_nap);

}  // namespace
}  // namespace fencepost::bench
