// The time from the call that wakes a thread to that thread's next step, when the thread has slept
// for a while. Takes the median of many times, since now and then the system does something else
// first.
//
// An event has set(), for any thread, and wait(), which returns after a set() and resets the event.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <thread>
#include <vector>

#include "../bench.hpp"
#include "../on_processor.hpp"

namespace fencepost::bench::peers {

template <class Event>
void wake(benchmark::State& state) {
  using clock = std::chrono::steady_clock;
  Event event;
  std::atomic<std::uint64_t> waits{0}, woken{0};  // how often the sleeper began to wait, and woke
  std::atomic<bool> done{false};
  clock::time_point awake;
  // Starts the sleeper before pinning: a thread inherits the processors of its creator.
  std::thread sleeper([&] {
    const on_processor second{1};
    for (std::uint64_t i = 1;; ++i) {
      waits.store(i, std::memory_order_release);
      waits.notify_one();
      event.wait();
      awake = clock::now();
      if (done.load(std::memory_order_acquire)) return;
      woken.store(i, std::memory_order_release);
    }
  });
  const on_processor first{0};
  std::uint64_t i = 0;
  const auto wake_once = [&] {
    waits.wait(i++, std::memory_order_acquire);
    // Waits long enough for an event that spins at first to have stopped spinning.
    for (const auto until = clock::now() + std::chrono::microseconds{100}; clock::now() < until;) {
    }
    const auto begin = clock::now();
    event.set();
    while (woken.load(std::memory_order_acquire) != i) std::this_thread::yield();
    return std::chrono::duration<double>(awake - begin).count();
  };
  for (auto step : state) {
    static_cast<void>(step);
    std::vector<double> times(501);
    for (double& each : times) each = wake_once();
    std::nth_element(times.begin(), times.begin() + 250, times.end());
    state.SetIterationTime(times[250]);
  }
  waits.wait(i, std::memory_order_acquire);
  done.store(true, std::memory_order_release);
  event.set();
  sleeper.join();
}

template <class Event>
bool register_event(const char* name) {
  benchmark::RegisterBenchmark(name_of("wake", "latency", name, 1).c_str(), wake<Event>)
      ->Iterations(1)
      ->UseManualTime();
  return true;
}

}  // namespace fencepost::bench::peers
