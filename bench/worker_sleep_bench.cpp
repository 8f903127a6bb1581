// The cost of the sleep protocol to posters, which is nearly nothing while no worker sleeps; and
// how long it takes to wake a worker.
#include <benchmark/benchmark.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <thread>

#include "fencepost/sync/worker_sleep.hpp"

namespace fencepost::bench {
namespace {

constexpr sleep_options at_once{.rounds_until_sleepy = 0, .rounds_until_sleeping = 1};

worker_sleep<>& everybody_awake() {
  static worker_sleep<> sleep{16};
  return sleep;
}

void BM_sleep_new_jobs(benchmark::State& state) {
  worker_sleep<>& sleep = everybody_awake();
  for (auto step : state) {
    static_cast<void>(step);
    sleep.new_jobs(1, true);
  }
}
BENCHMARK(BM_sleep_new_jobs)->Threads(1)->Threads(2);

void BM_sleep_new_jobs_unfenced(benchmark::State& state) {
  worker_sleep<>& sleep = everybody_awake();
  for (auto step : state) {
    static_cast<void>(step);
    sleep.new_jobs_unfenced(1, true);
  }
}
BENCHMARK(BM_sleep_new_jobs_unfenced)->Threads(1)->Threads(2);

// The minimal code that finds out that no worker sleeps, with a fence and without.
std::atomic<std::uint64_t> direct_counters{std::uint64_t{1} << 32};
[[gnu::noinline]] void direct_post(std::uint64_t seen) {
  direct_counters.compare_exchange_strong(seen, seen | std::uint64_t{1} << 32);
}
inline void direct_new_jobs() {
  const std::uint64_t seen = direct_counters.load(std::memory_order_acquire);
  if ((seen >> 32 & 1) == 0 || (seen & 0xffff) != 0) [[unlikely]] {
    direct_post(seen);
  }
}
void BM_direct_new_jobs(benchmark::State& state) {
  for (auto step : state) {
    static_cast<void>(step);
    std::atomic_thread_fence(std::memory_order_seq_cst);
    direct_new_jobs();
  }
}
BENCHMARK(BM_direct_new_jobs)->Threads(1)->Threads(2);
void BM_direct_new_jobs_unfenced(benchmark::State& state) {
  for (auto step : state) {
    static_cast<void>(step);
    direct_new_jobs();
  }
}
BENCHMARK(BM_direct_new_jobs_unfenced)->Threads(1)->Threads(2);

// A worker that becomes idle and finds work.
void BM_sleep_idle_and_back(benchmark::State& state) {
  worker_sleep<> sleep{16};
  for (auto step : state) {
    static_cast<void>(step);
    auto idle = sleep.start_looking(0);
    benchmark::DoNotOptimize(idle);
    sleep.work_found();
  }
}
BENCHMARK(BM_sleep_idle_and_back);

using stopwatch = std::chrono::steady_clock;

// A round of a worker that finds nothing: it yields before its next search.
void BM_sleep_idle_round(benchmark::State& state) {
  worker_sleep<> sleep{
      1, {.rounds_until_sleepy = 1'000'000'000, .rounds_until_sleeping = 1'000'000'001}};
  core_latch<> latch;
  auto idle = sleep.start_looking(0);
  for (auto step : state) {
    static_cast<void>(step);
    sleep.no_work_found(idle, latch, []() noexcept { return false; });
    std::this_thread::yield();
  }
  sleep.work_found();
}
BENCHMARK(BM_sleep_idle_round);

// The whole cycle: a worker finds nothing, searches for so many rounds, announces itself, searches
// again, falls asleep, is woken as soon as another thread finds it asleep, and finds a job.
void BM_sleep_cycle(benchmark::State& state) {
  const auto rounds = static_cast<std::uint32_t>(state.range(0));
  worker_sleep<> sleep{1, {.rounds_until_sleepy = rounds, .rounds_until_sleeping = rounds + 1}};
  std::atomic<int> jobs{0};
  std::atomic<stopwatch::duration> cycle{};
  std::thread worker([&] {
    core_latch<> latch;
    const auto last_look = [&]() noexcept { return jobs.load() != 0; };
    for (;;) {
      const auto begin = stopwatch::now();
      auto idle = sleep.start_looking(0);
      while (!sleep.stopping() && jobs.load() == 0) {
        if (sleep.no_work_found(idle, latch, last_look) == idle_result::look_again) {
          std::this_thread::yield();
        }
      }
      sleep.work_found();
      if (sleep.stopping()) return;
      cycle.store(stopwatch::now() - begin);
      jobs.store(0);
    }
  });
  for (auto step : state) {
    static_cast<void>(step);
    while (sleep.counters().sleeping() == 0) std::this_thread::yield();
    jobs.store(1);
    sleep.new_jobs(1, true);
    while (jobs.load() != 0) std::this_thread::yield();
    state.SetIterationTime(std::chrono::duration<double>(cycle.load()).count());
  }
  sleep.stop();
  worker.join();
}
BENCHMARK(BM_sleep_cycle)->Arg(0)->Arg(32)->UseManualTime();

// The time from the post to the search that finds the job; the worker is asleep at the post.
void BM_sleep_wake_latency(benchmark::State& state) {
  worker_sleep<> sleep{1, at_once};
  std::atomic<int> jobs{0};
  std::atomic<stopwatch::time_point> found_at{};
  std::thread worker([&] {
    core_latch<> latch;
    const auto last_look = [&]() noexcept { return jobs.load() != 0; };
    for (;;) {
      auto idle = sleep.start_looking(0);
      while (!sleep.stopping() && jobs.load() == 0) sleep.no_work_found(idle, latch, last_look);
      sleep.work_found();
      if (sleep.stopping()) return;
      found_at.store(stopwatch::now());
      jobs.store(0);
    }
  });
  for (auto step : state) {
    static_cast<void>(step);
    while (sleep.counters().sleeping() == 0) std::this_thread::yield();
    const auto posted_at = stopwatch::now();
    jobs.store(1);
    sleep.new_jobs(1, true);
    while (jobs.load() != 0) std::this_thread::yield();
    state.SetIterationTime(std::chrono::duration<double>(found_at.load() - posted_at).count());
  }
  sleep.stop();
  worker.join();
}
BENCHMARK(BM_sleep_wake_latency)->UseManualTime();

// The same with one mutex and one condition variable, and nothing else.
void BM_direct_wake_latency(benchmark::State& state) {
  std::mutex mutex;
  std::condition_variable wake;
  bool asleep = false, stopping = false;
  int jobs = 0;
  stopwatch::time_point found_at;
  std::thread worker([&] {
    std::unique_lock lock{mutex};
    for (;;) {
      asleep = true;
      wake.wait(lock, [&] { return jobs != 0 || stopping; });
      asleep = false;
      if (stopping) return;
      found_at = stopwatch::now();
      jobs = 0;
    }
  });
  for (auto step : state) {
    static_cast<void>(step);
    std::unique_lock lock{mutex};
    while (!asleep) {
      lock.unlock();
      std::this_thread::yield();
      lock.lock();
    }
    const auto posted_at = stopwatch::now();
    jobs = 1;
    lock.unlock();
    wake.notify_one();
    lock.lock();
    while (jobs != 0) {
      lock.unlock();
      std::this_thread::yield();
      lock.lock();
    }
    state.SetIterationTime(std::chrono::duration<double>(found_at - posted_at).count());
  }
  {
    const std::unique_lock lock{mutex};
    stopping = true;
  }
  wake.notify_one();
  worker.join();
}
BENCHMARK(BM_direct_wake_latency)->UseManualTime();

}  // namespace
}  // namespace fencepost::bench
