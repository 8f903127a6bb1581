// The cost of a task of task_runner: posted and run by one thread, and posted by eight threads at
// once (PERF-43), with and without a poll() for each task. For comparison: a std::deque behind a
// mutex, with Perfetto's wake-up, a write to the event when the deque was empty.
#include <benchmark/benchmark.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <thread>
#include <vector>

#include "fencepost/runtime/small_function.hpp"
#include "fencepost/runtime/task_runner.hpp"
#include "fencepost/runtime/wake_event.hpp"
#include "mutex_runner.hpp"
#include "other_thread.hpp"

namespace fencepost::bench {
namespace {

using mutex_deque = mutex_runner<small_function<void()>>;
using mutex_deque_std = mutex_runner<std::function<void()>>;

// An event that is never signalled. A runner that watches it polls after each batch.
struct silent_event {
  wake_event event;
  void watch(task_runner& runner) {
    runner.add_watch(event.descriptor(), [](watch_events) {});
  }
  template <class Task>
  void watch(mutex_runner<Task>& runner) {
    runner.watch(event.descriptor());
  }
};

// One thread runs 10,000 tasks. The last task of each 16 posts the next 16, as in a program that
// consists of tasks only.
template <class Runner, bool Poll, unsigned Batch = 1>
void one_thread(benchmark::State& state) {
  constexpr int tasks = 10'000, burst = 16;
  const other_thread other;
  Runner runner{task_runner::options{.batch = Batch}};
  silent_event silent;
  if (Poll) silent.watch(runner);
  struct feeder {
    Runner& runner;
    int left = 0;
    std::uint64_t sum = 0;
    void feed() {
      for (int more = 1; more < burst; ++more)
        runner.post([this, more] { sum += static_cast<unsigned>(more); });
      left -= burst;
      if (left > 0) {
        runner.post([this] { feed(); });
      } else {
        runner.quit();
      }
    }
  } all{runner};
  for (auto step : state) {
    static_cast<void>(step);
    all.left = tasks;
    runner.post([&all] { all.feed(); });
    runner.run();
  }
  benchmark::DoNotOptimize(all.sum);
  state.SetItemsProcessed(state.iterations() * tasks);
}

// Eight posters and ten rounds: in each round all posters post at once, and wait until their tasks
// have run.
template <class Runner, bool Poll, unsigned Batch = 1>
void posters(benchmark::State& state) {
  constexpr unsigned count = 8, each = 1000, rounds = 10;
  Runner runner{task_runner::options{.batch = Batch}};
  silent_event silent;
  if (Poll) silent.watch(runner);
  std::atomic<unsigned> go{0};
  std::atomic<bool> done{false};
  std::vector<std::thread> threads;
  unsigned ran = 0;  // accessed only in tasks, and between rounds
  for (unsigned poster = 0; poster < count; ++poster) {
    threads.emplace_back([&] {
      for (unsigned seen = 0;; ++seen) {
        go.wait(seen, std::memory_order_acquire);
        if (done.load(std::memory_order_acquire)) return;
        for (unsigned number = 0; number < each; ++number) {
          runner.post([&] {
            if (++ran == count * each) runner.quit();
          });
        }
      }
    });
  }
  for (auto step : state) {
    static_cast<void>(step);
    for (unsigned round = 0; round < rounds; ++round) {
      ran = 0;
      go.fetch_add(1, std::memory_order_release);
      go.notify_all();
      runner.run();
    }
  }
  done.store(true, std::memory_order_release);
  go.fetch_add(1, std::memory_order_release);
  go.notify_all();
  for (auto& thread : threads) thread.join();
  state.SetItemsProcessed(state.iterations() * count * each * rounds);
}

// NAME: a poll() only when no task is left; NAME/batch: after 64 tasks; NAME/poll: after each task.
BENCHMARK_TEMPLATE(one_thread, task_runner, false)->Name("BM_task_runner_one_thread");
BENCHMARK_TEMPLATE(one_thread, mutex_deque, false)->Name("BM_mutex_runner_one_thread");
BENCHMARK_TEMPLATE(one_thread, mutex_deque_std, false)
    ->Name("BM_mutex_runner_std_function_one_thread");
BENCHMARK_TEMPLATE(one_thread, task_runner, true, 64)->Name("BM_task_runner_one_thread/batch");
BENCHMARK_TEMPLATE(one_thread, mutex_deque, true, 64)->Name("BM_mutex_runner_one_thread/batch");
BENCHMARK_TEMPLATE(one_thread, task_runner, true)->Name("BM_task_runner_one_thread/poll");
BENCHMARK_TEMPLATE(one_thread, mutex_deque, true)->Name("BM_mutex_runner_one_thread/poll");

#define FENCEPOST_POSTERS(runner, poll, name) \
  BENCHMARK_TEMPLATE(posters, runner, poll)->Name(name)->UseRealTime()->MeasureProcessCPUTime()
FENCEPOST_POSTERS(task_runner, false, "BM_task_runner_posters");
FENCEPOST_POSTERS(mutex_deque, false, "BM_mutex_runner_posters");
FENCEPOST_POSTERS(task_runner, true, "BM_task_runner_posters/poll");
FENCEPOST_POSTERS(mutex_deque, true, "BM_mutex_runner_posters/poll");

}  // namespace
}  // namespace fencepost::bench
