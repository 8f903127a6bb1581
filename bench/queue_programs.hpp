// The programs that measure queues of many producers and one consumer. A queue has push(item&&),
// and pop(), which returns std::optional<item>.
#pragma once

#include <benchmark/benchmark.h>

#include <atomic>
#include <cstdint>
#include <thread>
#include <vector>

#include "other_thread.hpp"

namespace fencepost::bench {

using item = std::uint64_t;

// One thread posts an item and runs it.
template <class Queue>
void post_run(benchmark::State& state) {
  const other_thread other;
  Queue queue;
  item number = 0;
  for (auto step : state) {
    static_cast<void>(step);
    queue.push(item{++number});
    benchmark::DoNotOptimize(queue.pop());
  }
}

// One thread posts a given number of items, and runs them.
template <class Queue>
void burst(benchmark::State& state) {
  const other_thread other;
  Queue queue;
  const auto items = static_cast<item>(state.range(0));
  for (auto step : state) {
    static_cast<void>(step);
    for (item number = 0; number < items; ++number) queue.push(item{number});
    for (item number = 0; number < items; ++number) benchmark::DoNotOptimize(queue.pop());
  }
  state.SetItemsProcessed(state.iterations() * state.range(0));
}

// Producers that are released all at once, round after round; this thread runs what they post.
template <class Queue>
void producers(benchmark::State& state) {
  constexpr unsigned each = 1000;
  const auto count = static_cast<unsigned>(state.range(0));
  Queue queue;
  std::atomic<unsigned> round{0};
  std::atomic<bool> done{false};
  std::vector<std::thread> threads;
  for (unsigned producer = 0; producer < count; ++producer) {
    threads.emplace_back([&] {
      for (unsigned seen = 0;; ++seen) {
        round.wait(seen, std::memory_order_acquire);
        if (done.load(std::memory_order_acquire)) return;
        for (item number = 0; number < each; ++number) queue.push(item{number});
      }
    });
  }
  const auto next_round = [&] {
    round.fetch_add(1, std::memory_order_release);
    round.notify_all();
  };
  for (auto step : state) {
    static_cast<void>(step);
    next_round();
    for (unsigned run = 0; run < each * count;) {
      if (queue.pop()) {
        ++run;
      } else {
        std::this_thread::yield();
      }
    }
  }
  done.store(true, std::memory_order_release);
  next_round();
  for (auto& thread : threads) thread.join();
  state.SetItemsProcessed(state.iterations() * each * count);
}

}  // namespace fencepost::bench
