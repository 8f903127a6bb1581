// A latch that one thread constructs, probes, sets, and probes again: its cost when no thread
// waits.
//
// A latch has probe() and set().
#pragma once

#include "../bench.hpp"

namespace fencepost::bench::peers {

template <class Latch>
void life(benchmark::State& state) {
  constexpr int each = 1000;
  bool right = true;
  for (auto step : state) {
    static_cast<void>(step);
    for (int i = 0; i < each; ++i) {
      Latch latch;
      benchmark::DoNotOptimize(latch);
      right = !latch.probe() && right;
      latch.set();
      right = latch.probe() && right;
    }
  }
  items(state, each);
  if (!right) state.SkipWithError("it is set before set(), or not after");
}

template <class Latch>
bool register_latch(const char* name) {
  benchmark::RegisterBenchmark(name_of("latch", "life", name, 1).c_str(), life<Latch>)
      ->UseRealTime();
  return true;
}

}  // namespace fencepost::bench::peers
