// Algorithms over a million numbers, or 100,000 strings: std::transform, std::inclusive_scan and
// std::stable_sort, and their replacements with many workers. Each iteration is the algorithm
// alone: its input is restored before, which is not timed.
//
// A peer is constructed with the number of its workers, and has transform(in, out), scan(in, out)
// and sort(all); and, if the benchmark is to run on one of its workers, enclose(benchmark).
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "../bench.hpp"

namespace fencepost::bench::peers {

using numbers = std::vector<std::uint32_t>;
using strings = std::vector<std::string>;

// Cheap, so that transform() is bound by memory.
struct scaled {
  std::uint32_t operator()(std::uint32_t x) const noexcept { return x * 3 + 1; }
};

struct algorithm_inputs {
  numbers random = numbers(1'000'000), scaled_all = random, scanned = random, sorted = random;
  strings texts, sorted_texts;

  algorithm_inputs() {
    std::mt19937 bits{1};
    std::generate(random.begin(), random.end(), std::ref(bits));
    std::transform(random.begin(), random.end(), scaled_all.begin(), scaled{});
    std::inclusive_scan(random.begin(), random.end(), scanned.begin());
    sorted = random;
    std::stable_sort(sorted.begin(), sorted.end());
    for (std::size_t i = 0; i < 100'000; ++i) texts.push_back(std::to_string(random[i]));
    sorted_texts = texts;
    std::stable_sort(sorted_texts.begin(), sorted_texts.end());
  }
};
inline const algorithm_inputs& inputs() {
  static const algorithm_inputs made;
  return made;
}

// Times run(values), which must turn `before` into `after`.
template <class Values, class Run>
void time_algorithm(benchmark::State& state, const Values& before, const Values& after, Run run) {
  using clock = std::chrono::steady_clock;
  Values values = before;
  run(values);
  bool right = values == after;
  for (auto step : state) {
    static_cast<void>(step);
    values = before;
    const clock::time_point start = clock::now();
    run(values);
    state.SetIterationTime(std::chrono::duration<double>(clock::now() - start).count());
    right = right && values.front() == after.front() && values.back() == after.back();
  }
  items(state, static_cast<double>(before.size()));
  if (!right) state.SkipWithError("the result is not that of the standard library");
}

// Times run(peer, values), inside the peer's enclose() if it has one.
template <class Peer, class Values, class Run>
void time_peer(benchmark::State& state, unsigned workers, const Values& before, const Values& after,
               Run run) {
  Peer peer{workers};
  const auto timed = [&] {
    time_algorithm(state, before, after, [&](Values& values) { run(peer, values); });
  };
  if constexpr (requires { peer.enclose(timed); }) {
    peer.enclose(timed);
  } else {
    timed();
  }
}

template <class Peer>
void transform_numbers(benchmark::State& state, unsigned workers) {
  time_peer<Peer>(state, workers, numbers(inputs().random.size()), inputs().scaled_all,
                  [](Peer& peer, numbers& out) { peer.transform(inputs().random, out); });
}
template <class Peer>
void scan_numbers(benchmark::State& state, unsigned workers) {
  time_peer<Peer>(state, workers, numbers(inputs().random.size()), inputs().scanned,
                  [](Peer& peer, numbers& out) { peer.scan(inputs().random, out); });
}
template <class Peer>
void sort_numbers(benchmark::State& state, unsigned workers) {
  time_peer<Peer>(state, workers, inputs().random, inputs().sorted,
                  [](Peer& peer, numbers& all) { peer.sort(all); });
}
template <class Peer>
void sort_strings(benchmark::State& state, unsigned workers) {
  time_peer<Peer>(state, workers, inputs().texts, inputs().sorted_texts,
                  [](Peer& peer, strings& all) { peer.sort(all); });
}

template <class Peer>
bool register_algorithms(const char* name, bool single = false) {
  for (const unsigned workers : worker_counts()) {
    if (single && workers > 1) break;
    const auto add = [&](const char* work, void (*run)(benchmark::State&, unsigned)) {
      benchmark::RegisterBenchmark(name_of("algorithms", work, name, workers).c_str(), run, workers)
          ->Unit(benchmark::kMillisecond)
          ->UseManualTime();
    };
    add("transform", transform_numbers<Peer>);
    add("scan", scan_numbers<Peer>);
    add("sort", sort_numbers<Peer>);
    add("sort_strings", sort_strings<Peer>);
  }
  return true;
}

}  // namespace fencepost::bench::peers
