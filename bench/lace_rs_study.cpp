// The programs and sizes of the lace.rs paper on fork_join: sequential, on one worker and on all;
// how often it steals, with random steals and without; and the cost of spawning a closure, a
// function, and a recursion that the compiler does not inline. Its output is in
// docs/findings/lace-rs.md, beside the paper's tables.
//
//   lace_rs_study [--rounds N] [PROGRAM...]     (default: 1 round of each)
//
// Times are processor time of the whole process, so that they are comparable on a machine that does
// other work as well; "all" is also shown by the clock. Exit status: 0; 1 a result or a number of
// tasks is wrong; 2 wrong usage.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "deques/samples.hpp"
#include "fencepost/runtime/fork_join.hpp"
#include "fork_join_programs.hpp"
#include "study_options.hpp"

namespace {

using namespace fencepost;
using namespace fencepost::bench;

// T2L and T3L from the sample workloads of UTS.
struct t2l {
  static constexpr std::uint32_t seed = 220;
  static constexpr std::uint64_t nodes = 96'793'510;
  static std::uint32_t children(const uts::node& of) noexcept {
    constexpr double mean_of_root = 7, period = 23;
    double mean = mean_of_root;
    if (of.depth > 5 * static_cast<std::uint32_t>(period)) {
      mean = 0;
    } else if (of.depth > 0) {
      mean = std::pow(mean_of_root, std::sin(2 * 3.141592653589793 * of.depth / period));
    }
    return uts::geometric(of, mean);
  }
};
struct t3l {
  static constexpr std::uint32_t seed = 7;
  static constexpr std::uint64_t nodes = 111'345'631;
  static std::uint32_t children(const uts::node& of) noexcept {
    if (of.depth == 0) return 2000;
    return uts::uniform(of) < 0.200014 ? 5 : 0;
  }
};

[[noreturn]] void wrong(const char* what) {
  std::fprintf(stderr, "lace_rs_study: %s\n", what);
  std::exit(1);
}

template <fork_join_features Features>
basic_fork_join<Features> pool_of(std::uint32_t workers, bool random) {
  fork_join_options options;
  if (workers != 0) options.workers = workers;
  options.search.random_steals = random;
  options.stack = std::size_t{512} << 20;  // T3L is deep
  return basic_fork_join<Features>{options};
}

// Measures a program, whose result is the same however it is run, and which has `tasks` tasks.
template <class Sequential, class Spawning>
void measure(const char* name, std::uint64_t tasks, unsigned rounds, const Sequential& sequential,
             const Spawning& spawning) {
  std::vector<seconds> ts, t1, tp, unrandom;
  fork_join_statistics counts[2];
  for (unsigned round = 0; round < rounds; ++round) {
    std::uint64_t right = 0;
    ts.push_back(timed([&] { right = sequential(); }));
    const auto run = [&]<fork_join_features Features>(std::uint32_t workers, bool random,
                                                      fork_join_statistics* keep) {
      auto pool = pool_of<Features>(workers, random);
      std::uint64_t result = 0;
      const seconds took = timed([&] {
        result = pool.run(
            [&](typename basic_fork_join<Features>::worker& me) noexcept { return spawning(me); });
      });
      if (result != right) wrong("a program computes a different result with tasks than without");
      if constexpr (Features.statistics) {
        pool.stop();
        *keep = pool.statistics();
        if (keep->tasks != tasks) wrong("a program has an unexpected number of tasks");
      }
      return took;
    };
    constexpr fork_join_features plain{}, counting{.statistics = true};
    t1.push_back(run.template operator()<plain>(1, true, nullptr));
    tp.push_back(run.template operator()<plain>(0, true, nullptr));
    unrandom.push_back(run.template operator()<plain>(0, false, nullptr));
    run.template operator()<counting>(0, true, &counts[0]);
    run.template operator()<counting>(0, false, &counts[1]);
  }
  const auto median = [](std::vector<seconds> of, double seconds::*which) {
    std::nth_element(of.begin(), of.begin() + static_cast<std::ptrdiff_t>(of.size() / 2), of.end(),
                     [&](const seconds& a, const seconds& b) { return a.*which < b.*which; });
    return of[of.size() / 2].*which;
  };
  const double sequential_s = median(ts, &seconds::processor);
  const double one_s = median(t1, &seconds::processor);
  std::printf("| %s | %llu | %.2f | %.2f | %.2f | %.1f | %.2f | %.2f | %.2f |\n", name,
              static_cast<unsigned long long>(tasks), sequential_s, one_s, one_s / sequential_s,
              (one_s - sequential_s) * 1e9 / static_cast<double>(tasks),
              median(tp, &seconds::clock), median(tp, &seconds::processor),
              median(unrandom, &seconds::processor));
  for (const bool random : {true, false}) {
    const fork_join_statistics& c = counts[random ? 0 : 1];
    std::printf("steals | %s%s | %llu | %llu | %llu | %llu | %llu | %llu | %llu | %llu |\n", name,
                random ? "" : ", no random steals", static_cast<unsigned long long>(c.steals),
                static_cast<unsigned long long>(c.steals_busy),
                static_cast<unsigned long long>(c.steals_none),
                static_cast<unsigned long long>(c.leaps),
                static_cast<unsigned long long>(c.requests),
                static_cast<unsigned long long>(c.splits_begun),
                static_cast<unsigned long long>(c.splits_raised),
                static_cast<unsigned long long>(c.splits_lowered));
  }
  std::fflush(stdout);
}

template <class Tree>
void measure_uts(const char* name, unsigned rounds) {
  measure(
      name, Tree::nodes - 1, rounds,
      [] { return uts::sequential<Tree>(uts::root(Tree::seed)).nodes; },
      [](auto& me) noexcept { return uts::search<Tree>(me, uts::root(Tree::seed)).nodes; });
}

// fib whose recursion is not inlined, and fib as tasks that hold a pointer to a function.
[[gnu::noinline]] std::uint64_t fib_called(unsigned n) noexcept {
  return n < 2 ? n : fib_called(n - 1) + fib_called(n - 2);
}
template <class Worker>
struct fib_call {
  std::uint64_t (*function)(Worker&, unsigned) noexcept;
  unsigned n;
  std::uint64_t operator()(Worker& me) const noexcept { return function(me, n); }
};
template <class Worker>
std::uint64_t fib_by_function(Worker& me, unsigned n) noexcept {
  if (n < 2) return n;
  auto left = me.spawn(fib_call<Worker>{&fib_by_function<Worker>, n - 1});
  const std::uint64_t right = fib_by_function(me, n - 2);
  return me.sync(left) + right;
}

void measure_fib_kinds(unsigned n, unsigned rounds) {
  using worker = fork_join::worker;
  std::vector<double> inlined, called, closure, function;
  for (unsigned round = 0; round < rounds; ++round) {
    auto pool = pool_of<fork_join_features{}>(1, true);
    std::uint64_t right = 0;
    const auto check = [&](std::uint64_t result) {
      if (result != right) wrong("the kinds of fib differ");
    };
    inlined.push_back(timed([&] { right = fib_sequential(n); }).processor);
    called.push_back(timed([&] { check(fib_called(n)); }).processor);
    closure.push_back(
        timed([&] { check(pool.run([n](worker& me) noexcept { return fib(me, n); })); }).processor);
    function.push_back(timed([&] {
                         check(
                             pool.run([n](worker& me) noexcept { return fib_by_function(me, n); }));
                       }).processor);
  }
  const auto print = [&](const char* kind, std::vector<double> of) {
    std::sort(of.begin(), of.end());
    std::printf("kinds | fib-%u, %s | %.2f s | %.2f ns a task |\n", n, kind, of[of.size() / 2],
                of[of.size() / 2] * 1e9 / static_cast<double>(tasks::fib(n)));
  };
  print("sequential, inlined by the compiler", inlined);
  print("sequential, each call made", called);
  print("closures spawned, one worker", closure);
  print("pointers to functions spawned, one worker", function);
}

}  // namespace

int main(int argc, char** argv) {
  struct program {
    std::string_view name;
    std::function<void(unsigned)> measured;
  };
  const auto matmul_of = [](const char* name, int size, std::uint64_t tasks, unsigned times) {
    matrices all{size};
    const auto sum = [&all] {  // the same however the rows are computed
      double total = 0;
      for (const float each : all.c) total += each;
      return static_cast<std::uint64_t>(total);
    };
    measure(
        name, tasks, times,
        [&] {
          matmul_sequential(all.all());
          return sum();
        },
        [&](auto& me) noexcept {
          matmul(me, all.all());
          return sum();
        });
  };
  const std::vector<program> programs{
      {"kinds", [](unsigned times) { measure_fib_kinds(40, times); }},
      {"fib-40",
       [](unsigned times) {
         measure(
             "fib-40", tasks::fib(40), times, [] { return fib_sequential(40); },
             [](auto& me) noexcept { return fib(me, 40); });
       }},
      {"fib-45",
       [](unsigned times) {
         measure(
             "fib-45", tasks::fib(45), times, [] { return fib_sequential(45); },
             [](auto& me) noexcept { return fib(me, 45); });
       }},
      {"matmul-1024",
       [&](unsigned times) { matmul_of("matmul-1024", 1024, tasks::matmul_1024, times); }},
      {"matmul-2048", [&](unsigned times) { matmul_of("matmul-2048", 2048, 449'389, times); }},
      {"queens-12",
       [](unsigned times) {
         measure(
             "queens-12", tasks::queens_12, times, [] { return queens_sequential(12); },
             [](auto& me) noexcept { return queens(me, 12); });
       }},
      {"queens-14",
       [](unsigned times) {
         measure(
             "queens-14", 27'358'552, times, [] { return queens_sequential(14); },
             [](auto& me) noexcept { return queens(me, 14); });
       }},
      {"uts-t2", [](unsigned times) { measure_uts<uts::t2>("uts-t2", times); }},
      {"uts-t3", [](unsigned times) { measure_uts<uts::t3>("uts-t3", times); }},
      {"uts-t2l", [](unsigned times) { measure_uts<t2l>("uts-t2l", times); }},
      {"uts-t3l", [](unsigned times) { measure_uts<t3l>("uts-t3l", times); }},
  };
  const study_options options = study_options_of("lace_rs_study", argc, argv, programs);
  std::printf(
      "program | tasks | TS | T1 | T1/TS | ns a task | T of all, by the clock | processor | "
      "without random steals\n");
  for (const program& each : programs) {
    if (options.wants(each.name)) each.measured(options.rounds);
  }
}
