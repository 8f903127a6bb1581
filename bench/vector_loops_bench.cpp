// Loops that compilers vectorise, whose only cost is memory: as parallel_for and parallel_reduce on
// one worker, and written by hand. Compiled with -O3, since with -O2 g++ 12 vectorises neither.
#include <benchmark/benchmark.h>

#include <cstddef>
#include <ctime>
#include <numeric>
#include <vector>

#include "fencepost/runtime/fork_join.hpp"
#include "fencepost/runtime/parallel.hpp"

namespace fencepost::bench {
namespace {

double cpu_seconds() {
  timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

constexpr int elements = 1'000'000;

struct numbers {
  std::vector<int> in = std::vector<int>(elements), out = std::vector<int>(elements);
  numbers() { std::iota(in.begin(), in.end(), 0); }
};
numbers& the_numbers() {
  static numbers all;
  return all;
}

template <class Index>
void plain_for(fork_join_worker&) {
  const int* const in = the_numbers().in.data();
  int* const out = the_numbers().out.data();
  for (Index i = 0; i < Index{elements}; ++i) out[i] = in[i] * 3 + 1;
}
template <class Index>
void shared_for(fork_join_worker& me) {
  const int* const in = the_numbers().in.data();
  int* const out = the_numbers().out.data();
  parallel_for(me, Index{0}, Index{elements}, [=](Index i) noexcept { out[i] = in[i] * 3 + 1; });
}
template <class Index>
void plain_sum(fork_join_worker&) {
  const int* const in = the_numbers().in.data();
  unsigned sum = 0;
  for (Index i = 0; i < Index{elements}; ++i) sum += static_cast<unsigned>(in[i]);
  benchmark::DoNotOptimize(sum);
}
template <class Index>
void shared_sum(fork_join_worker& me) {
  const int* const in = the_numbers().in.data();
  const auto add = [=](unsigned sum, Index i) noexcept {
    return sum + static_cast<unsigned>(in[i]);
  };
  benchmark::DoNotOptimize(
      parallel_reduce(me, Index{0}, Index{elements}, 0U, add,
                      [](unsigned left, unsigned right) noexcept { return left + right; }));
}

template <void (*Loop)(fork_join_worker&)>
void on_one_worker(benchmark::State& state) {
  fork_join_options options;
  options.workers = 1;
  fork_join{options}.run([&](fork_join_worker& me) {
    for (auto step : state) {
      static_cast<void>(step);
      const double start = cpu_seconds();
      Loop(me);
      benchmark::ClobberMemory();
      state.SetIterationTime(cpu_seconds() - start);
    }
  });
}

#define FENCEPOST_LOOP(index, name)                                                               \
  BENCHMARK(on_one_worker<plain_for<index>>)->Name("BM_direct_" name "_for")->UseManualTime();    \
  BENCHMARK(on_one_worker<shared_for<index>>)->Name("BM_parallel_" name "_for")->UseManualTime(); \
  BENCHMARK(on_one_worker<plain_sum<index>>)->Name("BM_direct_" name "_sum")->UseManualTime();    \
  BENCHMARK(on_one_worker<shared_sum<index>>)->Name("BM_parallel_" name "_sum")->UseManualTime()
FENCEPOST_LOOP(int, "vector_int");
FENCEPOST_LOOP(unsigned, "vector_unsigned");
FENCEPOST_LOOP(std::size_t, "vector_size_t");
#undef FENCEPOST_LOOP

}  // namespace
}  // namespace fencepost::bench
