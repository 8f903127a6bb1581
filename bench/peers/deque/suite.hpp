// Work-stealing deques in three loops. For crossbeam-deque the same loops are in rust/deque.rs.
//
//   push_pop          the owner pushes and pops, above eight items that stay
//   push_steal        a push, and a steal by the same thread
//   owner_and_thief   a round: the owner pushes eight items and pops until none is left, while a
//                     thief steals as many as it can; the time is the owner's
//
// A deque has push(item), pop() and steal(), which return std::optional<item>; pop() may retire a
// stolen item, and then returns 0.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <optional>
#include <thread>

#include "../bench.hpp"
#include "../on_processor.hpp"

namespace fencepost::bench::peers {

using item = std::uint64_t;

// Returns 0 + 1 + … + n - 1, the sum of all items of a loop.
constexpr item sum_below(item n) { return n * (n - 1) / 2; }

struct race {
  item sum;  // of all items that were obtained
  double seconds;
  item stolen;
};

template <class Deque>
struct deque_loops {
  static item push_pop(item times) {
    Deque deque;
    for (int i = 0; i < 8; ++i) deque.push(0);
    item sum = 0;
    for (item i = 0; i < times; ++i) {
      deque.push(i);
      std::optional<item> got = deque.pop();
      benchmark::DoNotOptimize(got);
      sum += got.value_or(0);
    }
    return sum;
  }

  static item push_steal(item times) {
    Deque deque;
    item sum = 0;
    for (item i = 0; i < times; ++i) {
      deque.push(i);
      std::optional<item> got = deque.steal();
      benchmark::DoNotOptimize(got);
      sum += got.value_or(0);
      if constexpr (requires { deque.settle(); }) deque.settle();
    }
    return sum;
  }

  static race owner_and_thief(item rounds) {
    Deque deque;
    std::atomic<bool> ready{false}, done{false};
    race all{};
    item theirs = 0;
    std::thread thief([&] {
      const on_processor second{1};
      item sum = 0, stolen = 0;  // local to the thief, so that they do not slow down the owner
      ready.store(true, std::memory_order_release);
      while (!done.load(std::memory_order_acquire)) {
        if (const std::optional<item> got = deque.steal()) {
          sum += *got;
          ++stolen;
        }
      }
      theirs = sum;
      all.stolen = stolen;
    });
    while (!ready.load(std::memory_order_acquire)) std::this_thread::yield();
    const on_processor first{0};
    const auto begin = std::chrono::steady_clock::now();
    item mine = 0;
    for (item round = 0; round < rounds; ++round) {
      for (item i = 0; i < 8; ++i) deque.push(8 * round + i);
      while (const std::optional<item> got = deque.pop()) mine += *got;
    }
    all.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    done.store(true, std::memory_order_release);
    thief.join();
    all.sum = mine + theirs;
    return all;
  }
};

inline void run_loop(benchmark::State& state, item (*loop)(item)) {
  constexpr item times = 100'000;
  bool right = true;
  for (auto step : state) {
    static_cast<void>(step);
    right = right && loop(times) == sum_below(times);
  }
  items(state, times);
  if (!right) state.SkipWithError("items were lost, or obtained twice");
}

inline void run_race(benchmark::State& state, race (*loop)(item)) {
  constexpr item rounds = 20'000;
  bool right = true;
  double stolen = 0;
  for (auto step : state) {
    static_cast<void>(step);
    const race all = loop(rounds);
    right = right && all.sum == sum_below(8 * rounds);
    stolen += static_cast<double>(all.stolen);
    state.SetIterationTime(all.seconds);
  }
  items(state, 8 * rounds);
  state.counters["stolen"] =
      benchmark::Counter(stolen / (8.0 * rounds), benchmark::Counter::kAvgIterations);
  if (!right) state.SkipWithError("items were lost, or obtained twice");
}

template <class Loops>
bool register_deque(const char* name) {
  const auto register_loop = [name](const char* work, item (*loop)(item)) {
    benchmark::RegisterBenchmark(name_of("deque", work, name, 1).c_str(), run_loop, loop)
        ->UseRealTime();
  };
  register_loop("push_pop", Loops::push_pop);
  register_loop("push_steal", Loops::push_steal);
  benchmark::RegisterBenchmark(name_of("deque", "owner_and_thief", name, 2).c_str(), run_race,
                               Loops::owner_and_thief)
      ->UseManualTime();
  return true;
}

}  // namespace fencepost::bench::peers
