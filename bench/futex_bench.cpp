// The cost of waiting on a word: calls that find nothing to do, a time-out, and a token that two
// threads pass to each other.
#include <benchmark/benchmark.h>

#include <chrono>
#include <thread>

#include "fencepost/atomics/std_atomics.hpp"

namespace fencepost::bench {
namespace {

void BM_futex_wait_for_another_value(benchmark::State& state) {
  const std::atomic<std::uint32_t> word{1};
  for (auto step : state) {
    static_cast<void>(step);
    benchmark::DoNotOptimize(std_atomics::futex_wait(word, 0, no_deadline));
  }
}
BENCHMARK(BM_futex_wait_for_another_value);

void BM_futex_wake_nobody(benchmark::State& state) {
  std::atomic<std::uint32_t> word{0};
  for (auto step : state) {
    static_cast<void>(step);
    std_atomics::futex_wake(word, 1);
  }
}
BENCHMARK(BM_futex_wake_nobody);

void BM_futex_wait_until_a_microsecond_from_now(benchmark::State& state) {
  const std::atomic<std::uint32_t> word{0};
  for (auto step : state) {
    static_cast<void>(step);
    const deadline until = std::chrono::steady_clock::now() + std::chrono::microseconds{1};
    benchmark::DoNotOptimize(std_atomics::futex_wait(word, 0, until));
  }
}
BENCHMARK(BM_futex_wait_until_a_microsecond_from_now)->UseRealTime();

// A round trip between two threads.
void BM_futex_round_trip(benchmark::State& state) {
  std::atomic<std::uint32_t> word{0};  // 1: the other thread's turn; 2: the end
  const auto wait_until_not = [&](std::uint32_t value) {
    while (word.load(std::memory_order_seq_cst) == value) {
      std_atomics::futex_wait(word, value, no_deadline);
    }
  };
  const auto give = [&](std::uint32_t value) {
    word.store(value, std::memory_order_seq_cst);
    std_atomics::futex_wake(word, 1);
  };
  std::jthread other{[&] {
    for (;;) {
      wait_until_not(0);
      if (word.load(std::memory_order_seq_cst) == 2) return;
      give(0);
    }
  }};
  for (auto step : state) {
    static_cast<void>(step);
    give(1);
    wait_until_not(1);
  }
  give(2);
}
BENCHMARK(BM_futex_round_trip)->UseRealTime();

}  // namespace
}  // namespace fencepost::bench
