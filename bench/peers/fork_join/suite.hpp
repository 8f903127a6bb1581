// The fork-join programs as benchmarks of a runtime:
//
//   struct runtime {
//     explicit runtime(unsigned workers);
//     std::uint64_t fib(unsigned n);
//     std::uint64_t queens(int n);
//     void matmul(const product& all);
//     template <class Tree> uts::counts uts();
//   };
//
// A runtime that counts steals also has a type `counting`, the same runtime with statistics(),
// which runs each program once, untimed.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>

#include "../bench.hpp"
#include "../task_programs.hpp"

namespace fencepost::bench::peers {

// A program. run() is timed, after warm_up(), which wakes the workers and touches the memory;
// right() is true if the last run computed the correct result.
template <unsigned N, std::uint64_t Known>
struct fib_of {
  static constexpr const char* name = N == 32 ? "fib" : "fib_38";
  std::uint64_t result = 0;
  template <class Runtime>
  void warm_up(Runtime& on) {
    result = on.fib(20);
  }
  template <class Runtime>
  void run(Runtime& on) {
    unsigned n = N;
    benchmark::DoNotOptimize(n);
    result = on.fib(n);
  }
  bool right() const { return result == Known; }
};
using fib_of_32 = fib_of<32, 2'178'309>;
using fib_of_38 = fib_of<38, 39'088'169>;

struct queens_of_12 {
  static constexpr const char* name = "queens";
  std::uint64_t result = 0;
  template <class Runtime>
  void warm_up(Runtime& on) {
    result = on.queens(8);
  }
  template <class Runtime>
  void run(Runtime& on) {
    int n = 12;
    benchmark::DoNotOptimize(n);
    result = on.queens(n);
  }
  bool right() const { return result == 14'200; }
};

struct matmul_of_512 {
  static constexpr const char* name = "matmul";
  matrices mine{512};
  template <class Runtime>
  void warm_up(Runtime& on) {
    run(on);
  }
  template <class Runtime>
  void run(Runtime& on) {
    on.matmul(mine.all());
    benchmark::ClobberMemory();
  }
  // Compilers may fuse a multiplication and an addition: the last digits can differ.
  bool right() const {
    static const std::vector<float> known = [] {
      matrices in_order{512};
      matmul_sequential(in_order.all());
      return in_order.c;
    }();
    for (std::size_t i = 0; i < known.size(); ++i) {
      if (!(std::abs(mine.c[i] - known[i]) <= 1e-4F * known[i])) return false;
    }
    return true;
  }
};

template <class Tree>
struct uts_of {
  static constexpr const char* name = Tree::depth == uts::t1::depth ? "uts_t1" : "uts_t3";
  uts::counts result;
  template <class Runtime>
  void warm_up(Runtime& on) {
    result.nodes = on.queens(8);
  }
  template <class Runtime>
  void run(Runtime& on) {
    result = on.template uts<Tree>();
  }
  bool right() const { return result == uts::counts{Tree::nodes, Tree::leaves, Tree::depth}; }
};

template <class Runtime, class Program>
void run_program(benchmark::State& state, unsigned workers, const char* sequential) {
  Program program;
  {
    Runtime runtime{workers};
    program.warm_up(runtime);
    for (auto step : state) {
      static_cast<void>(step);
      program.run(runtime);
    }
  }
  state.SetLabel(sequential);
  if (!program.right()) return state.SkipWithError("the result is wrong");
  if constexpr (requires { typename Runtime::counting; }) {
    typename Runtime::counting runtime{workers};
    program.warm_up(runtime);
    const auto before = runtime.statistics();
    program.run(runtime);
    const auto after = runtime.statistics();
    state.counters["steals"] = static_cast<double>(after.steals - before.steals);
    state.counters["tasks"] = static_cast<double>(after.tasks - before.tasks);
  }
}

template <class Runtime, class Program>
void register_program(const char* runtime, const char* sequential, unsigned workers) {
  benchmark::RegisterBenchmark(name_of("fork_join", Program::name, runtime, workers).c_str(),
                               run_program<Runtime, Program>, workers, sequential)
      ->Unit(benchmark::kMillisecond)
      ->MeasureProcessCPUTime()
      ->UseRealTime();
}

// A runtime with slow tasks does not run fib(38): 63 million tasks of 60 ns take four seconds.
enum class tasks_are : std::uint8_t { quick, slow };

template <class Runtime>
void register_programs(const char* runtime, const char* sequential, unsigned workers,
                       tasks_are tasks) {
  register_program<Runtime, fib_of_32>(runtime, sequential, workers);
  if (tasks == tasks_are::quick) register_program<Runtime, fib_of_38>(runtime, sequential, workers);
  register_program<Runtime, queens_of_12>(runtime, sequential, workers);
  register_program<Runtime, matmul_of_512>(runtime, sequential, workers);
  register_program<Runtime, uts_of<uts::t1>>(runtime, sequential, workers);
  register_program<Runtime, uts_of<uts::t3>>(runtime, sequential, workers);
}

// Registers a runtime with 1, 2, 4, … workers. It is compared with the sequential program of the
// same compiler.
template <class Runtime>
bool register_runtime(const char* name, const char* sequential = "sequential_g++",
                      tasks_are tasks = tasks_are::quick) {
  for (const unsigned workers : worker_counts()) {
    register_programs<Runtime>(name, sequential, workers, tasks);
  }
  return true;
}
template <class Runtime>
bool register_sequential(const char* name) {
  register_programs<Runtime>(name, name, 1, tasks_are::quick);
  return true;
}

// A runtime made of a scheduler, which runs a callable on its workers and passes it the tasks to
// use.
template <class Scheduler>
struct runtime_of {
  Scheduler scheduler;
  explicit runtime_of(unsigned workers) : scheduler(workers) {}

  std::uint64_t fib(unsigned n) {
    return scheduler.run([n](auto& tasks) { return peers::fib(tasks, n); });
  }
  std::uint64_t queens(int n) {
    return scheduler.run([n](auto& tasks) { return peers::queens(tasks, n); });
  }
  void matmul(const product& all) {
    scheduler.run([&](auto& tasks) {
      peers::matmul(tasks, all);
      return 0;
    });
  }
  template <class Tree>
  uts::counts uts() {
    return scheduler.run(
        [](auto& tasks) { return peers::search<Tree>(tasks, uts::root(Tree::seed)); });
  }
};

// The programs without tasks.
struct sequential {
  explicit sequential(unsigned) {}
  std::uint64_t fib(unsigned n) { return fib_sequential(n); }
  std::uint64_t queens(int n) { return queens_sequential(n); }
  void matmul(const product& all) { matmul_sequential(all); }
  template <class Tree>
  uts::counts uts() {
    return uts::sequential<Tree>(uts::root(Tree::seed));
  }
};

}  // namespace fencepost::bench::peers
