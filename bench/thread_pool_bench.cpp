// The cost of thread_pool: a task of a fork-join, a job that is submitted and waited for, and the
// parts for which BLITZ-44 gives times. Sleeping and waking alone: worker_sleep_bench.cpp.
#include <benchmark/benchmark.h>

#include <cstdint>
#include <ctime>
#include <mutex>
#include <utility>

#include "fencepost/runtime/strand.hpp"
#include "fencepost/runtime/task_group.hpp"
#include "fencepost/runtime/thread_pool.hpp"

namespace fencepost::bench {
namespace {

thread_pool_options workers(std::uint32_t count, std::uint32_t rounds = 32) {
  thread_pool_options options;
  options.workers = count;
  options.sleep.rounds_until_sleepy = rounds;
  options.sleep.rounds_until_sleeping = rounds + 1;
  return options;
}

double cpu_seconds() {
  timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

std::uint64_t sequential(unsigned n) { return n < 2 ? n : sequential(n - 1) + sequential(n - 2); }

template <class Pool>
std::uint64_t joined(Pool& pool, unsigned n) {
  if (n < 2) return n;
  std::uint64_t a = 0, b = 0;
  pool.join([&] { a = joined(pool, n - 1); }, [&] { b = joined(pool, n - 2); });
  return a + b;
}

// The worker's processor time of a fork-join on one worker, minus that of the sequential program,
// divided by the number of tasks.
void BM_thread_pool_join(benchmark::State& state) {
  thread_pool pool{workers(1)};
  const auto n = static_cast<unsigned>(state.range(0));
  const double tasks = static_cast<double>(sequential(n + 1)) - 1;  // joins
  for (auto step : state) {
    static_cast<void>(step);
    double t_1 = 0, t_s = 0;
    pool.call([&] {
      unsigned same = n;
      double start = cpu_seconds();
      benchmark::DoNotOptimize(joined(pool, n));
      t_1 = cpu_seconds() - start;
      benchmark::DoNotOptimize(same);
      start = cpu_seconds();
      benchmark::DoNotOptimize(sequential(same));
      t_s = cpu_seconds() - start;
    });
    state.SetIterationTime((t_1 - t_s) / tasks);
  }
}
BENCHMARK(BM_thread_pool_join)->Arg(32)->UseManualTime()->Iterations(9);

// The wall time of the whole program, on one worker and on two.
void BM_thread_pool_fib(benchmark::State& state) {
  thread_pool pool{workers(static_cast<std::uint32_t>(state.range(0)))};
  for (auto step : state) {
    static_cast<void>(step);
    benchmark::DoNotOptimize(pool.call([&] { return joined(pool, 32); }));
  }
}
BENCHMARK(BM_thread_pool_fib)->Arg(1)->Arg(2)->Unit(benchmark::kMillisecond)->UseRealTime();

// The cost of statistics for each of the 317,810 joins of fib(27), on one worker.
template <class Pool>
void BM_statistics_join(benchmark::State& state) {
  Pool pool{workers(1)};
  for (auto _ : state) {
    benchmark::DoNotOptimize(pool.call([&] { return joined(pool, 27); }));
  }
  state.SetItemsProcessed(state.iterations() * 317'810);
}
BENCHMARK(BM_statistics_join<thread_pool>)->UseRealTime();
BENCHMARK(BM_statistics_join<counted_thread_pool>)->UseRealTime();

// A worker submits a job and waits for it, and so runs it itself.
void BM_thread_pool_submit_and_get(benchmark::State& state) {
  thread_pool pool{workers(1)};
  pool.call([&] {
    for (auto step : state) {
      static_cast<void>(step);
      benchmark::DoNotOptimize(pool.submit([] { return 1; }).get());
    }
  });
}
BENCHMARK(BM_thread_pool_submit_and_get);

// A worker posts a thousand jobs, and runs them before it looks for the next call. The time is for
// one job.
void BM_thread_pool_post(benchmark::State& state) {
  constexpr int batch = 1000;
  int runs = 0;
  thread_pool pool{workers(1)};
  for (auto step : state) {
    static_cast<void>(step);
    pool.call([&] {
      for (int i = 0; i < batch; ++i) pool.post([&] { ++runs; });
    });
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations()) * batch);
}
BENCHMARK(BM_thread_pool_post)->UseRealTime();

// A worker adds a thousand tasks to a group, and runs them while it waits.
void BM_thread_pool_group(benchmark::State& state) {
  constexpr int batch = 1000;
  int runs = 0;
  thread_pool pool{workers(1)};
  pool.call([&] {
    task_group group{pool};
    for (auto step : state) {
      static_cast<void>(step);
      for (int i = 0; i < batch; ++i) group.run([&] { ++runs; });
      group.wait();
    }
  });
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations()) * batch);
}
BENCHMARK(BM_thread_pool_group)->UseRealTime();

// An outside thread posts a thousand tasks that share a counter, and waits for the last: on a
// strand, as jobs that lock a mutex, and as jobs each of which follows the previous one.
template <class PostAll>
void add_a_thousand(benchmark::State& state, const PostAll& post_all) {
  constexpr int batch = 1000;
  std::uint64_t sum = 0;
  for (auto step : state) {
    static_cast<void>(step);
    post_all(batch, sum);
  }
  benchmark::DoNotOptimize(sum);
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations()) * batch);
}
void BM_thread_pool_strand(benchmark::State& state) {
  thread_pool pool{workers(static_cast<std::uint32_t>(state.range(0)))};
  strand serial{pool};
  add_a_thousand(state, [&](int count, std::uint64_t& sum) {
    for (int i = 0; i < count; ++i) serial.post([&sum] { ++sum; });
    serial.submit([] {}).get();
  });
}
BENCHMARK(BM_thread_pool_strand)->Arg(1)->Arg(2)->UseRealTime();
void BM_thread_pool_instead_of_a_strand_a_mutex(benchmark::State& state) {
  thread_pool pool{workers(static_cast<std::uint32_t>(state.range(0)))};
  std::mutex mutex;
  add_a_thousand(state, [&](int count, std::uint64_t& sum) {
    task_group all{pool};
    for (int i = 0; i < count; ++i) {
      all.run([&] {
        const std::lock_guard alone{mutex};
        ++sum;
      });
    }
    all.wait();
  });
}
BENCHMARK(BM_thread_pool_instead_of_a_strand_a_mutex)->Arg(1)->Arg(2)->UseRealTime();
void BM_thread_pool_instead_of_a_strand_then(benchmark::State& state) {
  thread_pool pool{workers(static_cast<std::uint32_t>(state.range(0)))};
  add_a_thousand(state, [&](int count, std::uint64_t& sum) {
    auto last = pool.submit([] {});
    for (int i = 0; i < count; ++i) last = std::move(last).then(pool, [&sum] { ++sum; });
    last.get();
  });
}
BENCHMARK(BM_thread_pool_instead_of_a_strand_then)->Arg(1)->Arg(2)->UseRealTime();

// A round trip from an outside thread to a worker that stays awake, or that sleeps at once.
void BM_thread_pool_call_from_outside(benchmark::State& state) {
  thread_pool pool{workers(1, static_cast<std::uint32_t>(state.range(0)))};
  for (auto step : state) {
    static_cast<void>(step);
    benchmark::DoNotOptimize(pool.call([] { return 1; }));
  }
}
BENCHMARK(BM_thread_pool_call_from_outside)->Arg(1'000'000)->Arg(0)->UseRealTime();

}  // namespace
}  // namespace fencepost::bench
