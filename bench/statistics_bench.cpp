// What a runtime that counts pays: for a number, and for a fork-join of a pool.
#include <benchmark/benchmark.h>

#include <array>
#include <cstdint>

#include "fencepost/runtime/thread_pool.hpp"
#include "fencepost/runtime/worker_counters.hpp"

namespace fencepost::bench {
namespace {

struct counts {
  std::uint64_t jobs = 0;
  static constexpr auto members() noexcept { return std::array{&counts::jobs}; }
};

void BM_statistics_count(benchmark::State& state) {  // a worker's own
  worker_counters<counts, true> mine;
  for (auto _ : state) {
    mine.count(&counts::jobs);
    benchmark::ClobberMemory();
  }
}
BENCHMARK(BM_statistics_count);

void BM_statistics_shared_count(benchmark::State& state) {  // from outside
  shared_counter<true> number;
  for (auto _ : state) number.count();
}
BENCHMARK(BM_statistics_shared_count);

template <class Pool>
std::uint64_t joined(Pool& pool, unsigned n) {
  if (n < 2) return n;
  std::uint64_t a = 0, b = 0;
  pool.join([&] { a = joined(pool, n - 1); }, [&] { b = joined(pool, n - 2); });
  return a + b;
}

// All of it on one worker, for each of the 317,810 joins of fib(27): with and without counting.
template <class Pool>
void BM_statistics_join(benchmark::State& state) {
  thread_pool_options one;
  one.workers = 1;
  Pool pool{one};
  for (auto _ : state) {
    benchmark::DoNotOptimize(pool.call([&] { return joined(pool, 27); }));
  }
  state.SetItemsProcessed(state.iterations() * 317'810);
}
BENCHMARK(BM_statistics_join<thread_pool>)->UseRealTime();
BENCHMARK(BM_statistics_join<counted_thread_pool>)->UseRealTime();

}  // namespace
}  // namespace fencepost::bench
