// The processor time of scans, selections and sorts on one worker. For comparison:
// std::inclusive_scan, std::copy_if and std::stable_sort, which do the same (direct), and
// std::sort, which does less.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <ctime>
#include <functional>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "fencepost/runtime/fork_join.hpp"
#include "fencepost/runtime/parallel_copy_if.hpp"
#include "fencepost/runtime/parallel_scan.hpp"
#include "fencepost/runtime/parallel_sort.hpp"

namespace fencepost::bench {
namespace {

using numbers = std::vector<std::uint32_t>;
using strings = std::vector<std::string>;

double cpu_seconds() {
  timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

numbers random_numbers() {
  numbers all(1'000'000);
  std::generate(all.begin(), all.end(), std::mt19937{1});
  return all;
}
numbers sorted_numbers() {
  numbers all(1'000'000);
  std::iota(all.begin(), all.end(), 0U);
  return all;
}
strings random_strings() {
  strings all;
  for (const std::uint32_t each : random_numbers()) {
    if (all.size() < 100'000) all.push_back(std::to_string(each));
  }
  return all;
}

struct with_std_sort {
  template <class Values>
  void operator()(fork_join_worker&, Values& all) const {
    std::sort(all.begin(), all.end());
  }
};
struct with_std_stable_sort {
  template <class Values>
  void operator()(fork_join_worker&, Values& all) const {
    std::stable_sort(all.begin(), all.end());
  }
};
struct with_parallel_sort {
  template <class Values>
  void operator()(fork_join_worker& me, Values& all) const {
    parallel_sort(me, all);
  }
};
struct with_std_scan {
  void operator()(fork_join_worker&, numbers& all) const {
    std::inclusive_scan(all.begin(), all.end(), all.begin());
  }
};
struct with_parallel_scan {
  void operator()(fork_join_worker& me, numbers& all) const {
    parallel_inclusive_scan(me, all, all.begin());
  }
};

// True for half of the random numbers, and all of the sorted ones.
constexpr auto is_small = [](std::uint32_t n) { return n < 0x8000'0000; };
numbers& room() {
  static numbers all(1'000'000);
  return all;
}
struct with_std_copy_if {
  void operator()(fork_join_worker&, const numbers& all) const {
    std::copy_if(all.begin(), all.end(), room().begin(), is_small);
  }
};
struct with_parallel_copy_if {
  void operator()(fork_join_worker& me, const numbers& all) const {
    parallel_copy_if(me, all, room().begin(), is_small);
  }
};

template <class Algorithm, auto Make>
void on_one_worker(benchmark::State& state) {
  const auto before = Make();
  auto values = before;
  fork_join{fork_join_options{.workers = 1}}.run([&](fork_join_worker& me) {
    for (auto step : state) {
      static_cast<void>(step);
      values = before;
      const double start = cpu_seconds();
      Algorithm{}(me, values);
      benchmark::ClobberMemory();
      state.SetIterationTime(cpu_seconds() - start);
    }
  });
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(before.size()));
}

#define FENCEPOST_ALGORITHM(name, algorithm, make) \
  BENCHMARK(on_one_worker<algorithm, make>)->Name(name)->UseManualTime()
FENCEPOST_ALGORITHM("BM_direct_inclusive_scan", with_std_scan, random_numbers);
FENCEPOST_ALGORITHM("BM_parallel_inclusive_scan", with_parallel_scan, random_numbers);
FENCEPOST_ALGORITHM("BM_direct_copy_if_random", with_std_copy_if, random_numbers);
FENCEPOST_ALGORITHM("BM_parallel_copy_if_random", with_parallel_copy_if, random_numbers);
FENCEPOST_ALGORITHM("BM_direct_copy_if_sorted", with_std_copy_if, sorted_numbers);
FENCEPOST_ALGORITHM("BM_parallel_copy_if_sorted", with_parallel_copy_if, sorted_numbers);
FENCEPOST_ALGORITHM("BM_unstable_sort_random", with_std_sort, random_numbers);
FENCEPOST_ALGORITHM("BM_direct_sort_random", with_std_stable_sort, random_numbers);
FENCEPOST_ALGORITHM("BM_parallel_sort_random", with_parallel_sort, random_numbers);
FENCEPOST_ALGORITHM("BM_unstable_sort_sorted", with_std_sort, sorted_numbers);
FENCEPOST_ALGORITHM("BM_direct_sort_sorted", with_std_stable_sort, sorted_numbers);
FENCEPOST_ALGORITHM("BM_parallel_sort_sorted", with_parallel_sort, sorted_numbers);
FENCEPOST_ALGORITHM("BM_unstable_sort_strings", with_std_sort, random_strings);
FENCEPOST_ALGORITHM("BM_direct_sort_strings", with_std_stable_sort, random_strings);
FENCEPOST_ALGORITHM("BM_parallel_sort_strings", with_parallel_sort, random_strings);
#undef FENCEPOST_ALGORITHM

}  // namespace
}  // namespace fencepost::bench
