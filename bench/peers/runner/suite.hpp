// Task runners: threads post small tasks at once, 1,000 each, round after round, and the runner's
// thread runs them; the time of a task. Between the rounds the runner may sleep.
//
// A runner has post(callable), from any thread, run(), until quit(), and quit(), for a task.
#pragma once

#include <atomic>
#include <thread>
#include <vector>

#include "../bench.hpp"

namespace fencepost::bench::peers {

template <class Runner>
void posts(benchmark::State& state, unsigned posters) {
  constexpr unsigned each = 1000;
  Runner runner;
  std::atomic<unsigned> round{0};
  std::atomic<bool> done{false};
  unsigned ran = 0;  // the runner's
  std::vector<std::thread> threads;
  for (unsigned poster = 0; poster < posters; ++poster) {
    threads.emplace_back([&] {
      for (unsigned seen = 0;; ++seen) {
        round.wait(seen, std::memory_order_acquire);
        if (done.load(std::memory_order_acquire)) return;
        for (unsigned i = 0; i < each; ++i) {
          runner.post([&] {
            if (++ran == posters * each) runner.quit();
          });
        }
      }
    });
  }
  const auto next_round = [&] {
    round.fetch_add(1, std::memory_order_release);
    round.notify_all();
  };
  bool right = true;
  for (auto step : state) {
    static_cast<void>(step);
    ran = 0;
    next_round();
    runner.run();
    right = right && ran == posters * each;
  }
  done.store(true, std::memory_order_release);
  next_round();
  for (auto& thread : threads) thread.join();
  items(state, static_cast<double>(each) * posters);
  if (!right) state.SkipWithError("tasks were lost, or run twice");
}

template <class Runner>
bool register_runner(const char* name) {
  for (const unsigned posters : {1U, 2U, 4U, 8U}) {
    benchmark::RegisterBenchmark(name_of("runner", "post", name, posters).c_str(), posts<Runner>,
                                 posters)
        ->UseRealTime();
  }
  return true;
}

}  // namespace fencepost::bench::peers
