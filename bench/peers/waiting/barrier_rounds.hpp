// A round of a barrier, for a number of threads. Each thread checks in each round that its
// neighbour has reached the round as well.
//
// A barrier is constructed with the number of threads; wait() returns when all have called it.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <thread>
#include <vector>

#include "../bench.hpp"
#include "../on_processor.hpp"

namespace fencepost::bench::peers {

template <class Barrier>
void rounds(benchmark::State& state, unsigned threads) {
  constexpr std::uint64_t each = 1000;
  struct alignas(64) progress {
    std::atomic<std::uint64_t> round{0};
  };
  Barrier barrier{threads};
  std::vector<progress> reached(threads);
  std::atomic<bool> right{true}, done{false};
  // Each thread has its own processor if there are enough.
  const auto place = [threads](unsigned me) { return threads > processors() ? threads : me; };
  const auto take_rounds = [&](unsigned me) {
    for (std::uint64_t i = 0; i < each; ++i) {
      const std::uint64_t round = reached[me].round.load(std::memory_order_relaxed) + 1;
      reached[me].round.store(round, std::memory_order_relaxed);
      barrier.wait();
      if (reached[(me + 1) % threads].round.load(std::memory_order_relaxed) < round) {
        right.store(false, std::memory_order_relaxed);
      }
    }
  };
  std::vector<std::thread> others;
  for (unsigned me = 1; me < threads; ++me) {
    others.emplace_back([&, me] {
      const on_processor mine{place(me)};
      for (;;) {
        barrier.wait();
        if (done.load(std::memory_order_relaxed)) return;  // stored before the barrier
        take_rounds(me);
      }
    });
  }
  const on_processor mine{place(0)};
  for (auto step : state) {
    static_cast<void>(step);
    barrier.wait();
    take_rounds(0);
  }
  done.store(true, std::memory_order_relaxed);
  barrier.wait();
  for (auto& thread : others) thread.join();
  items(state, each);
  if (!right) state.SkipWithError("a thread left the barrier before another had come");
}

// Registers a barrier for two threads and for as many as there are processors; if it does more than
// spin, also for four times as many.
template <class Barrier>
bool register_barrier(const char* name, bool spins_only = false) {
  std::vector<unsigned> counts{2};
  if (processors() > 2) counts.push_back(processors());
  if (!spins_only) counts.push_back(4 * processors());
  for (const unsigned threads : counts) {
    if (spins_only && threads > processors()) continue;
    benchmark::RegisterBenchmark(name_of("barrier", "round", name, threads).c_str(),
                                 rounds<Barrier>, threads)
        ->UseRealTime();
  }
  return true;
}

}  // namespace fencepost::bench::peers
