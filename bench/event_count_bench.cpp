// The cost of an event count: a notify when no thread sleeps, and a wait that is cancelled.
#include <benchmark/benchmark.h>

#include <atomic>
#include <cstdint>

#include "fencepost/sync/event_count.hpp"

namespace fencepost::bench {
namespace {

void BM_event_count_notify_nobody(benchmark::State& state) {
  event_count<> idle;
  for (auto step : state) {
    static_cast<void>(step);
    idle.notify_one();
    benchmark::ClobberMemory();
  }
}
BENCHMARK(BM_event_count_notify_nobody);

// The same few lines on std::atomic.
void BM_direct_notify_nobody(benchmark::State& state) {
  std::atomic<std::uint32_t> sequence{0}, sleepers{0};
  for (auto step : state) {
    static_cast<void>(step);
    std::atomic_thread_fence(std::memory_order_seq_cst);
    if (sleepers.load(std::memory_order_relaxed) != 0) {
      sequence.fetch_add(1, std::memory_order_release);
      sequence.notify_one();
    }
    benchmark::ClobberMemory();
  }
}
BENCHMARK(BM_direct_notify_nobody);

// std::atomic's own wake-up, which looks for waiters in a table.
void BM_std_atomic_notify_nobody(benchmark::State& state) {
  std::atomic<std::uint32_t> sequence{0};
  for (auto step : state) {
    static_cast<void>(step);
    sequence.fetch_add(1, std::memory_order_seq_cst);
    sequence.notify_one();
    benchmark::ClobberMemory();
  }
}
BENCHMARK(BM_std_atomic_notify_nobody);

void BM_event_count_prepare_cancel(benchmark::State& state) {
  event_count<> idle;
  for (auto step : state) {
    static_cast<void>(step);
    benchmark::DoNotOptimize(idle.prepare_wait());
    idle.cancel_wait();
  }
}
BENCHMARK(BM_event_count_prepare_cancel);

}  // namespace
}  // namespace fencepost::bench
