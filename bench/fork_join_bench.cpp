// The cost of fork_join: a task, in programs of nothing but tasks and in others; a task that is
// stolen; run() from outside; a loop. The programs are in fork_join_programs.hpp.
//
// fork_join_<program> has one worker, fork_join_on_two_<program> has two, and direct_<program> is
// the sequential program, so that "times direct" is T1 / TS, and T2 / TS.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <ctime>
#include <numeric>
#include <thread>
#include <vector>

#include "fencepost/runtime/fork_join.hpp"
#include "fencepost/runtime/parallel.hpp"
#include "fork_join_programs.hpp"

namespace fencepost::bench {
namespace {

fork_join_options workers(std::uint32_t count) {
  fork_join_options options;
  options.workers = count;
  return options;
}

double cpu_seconds() {
  timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

// ---- A task ----------------------------------------------------------------------------------

// The processor time of fib on one worker, minus that without tasks, divided by the number of
// tasks.
template <class Program>
void cost_of_a_task(benchmark::State& state, Program program) {
  fork_join pool{workers(1)};
  const auto n = static_cast<unsigned>(state.range(0));
  for (auto step : state) {
    static_cast<void>(step);
    double t_1 = 0, t_s = 0;
    pool.run([&](fork_join_worker& me) {
      unsigned same = n;
      benchmark::DoNotOptimize(same);
      double start = cpu_seconds();
      benchmark::DoNotOptimize(program(me, same));
      t_1 = cpu_seconds() - start;
      benchmark::DoNotOptimize(same);
      start = cpu_seconds();
      benchmark::DoNotOptimize(fib_sequential(same));
      t_s = cpu_seconds() - start;
    });
    state.SetIterationTime(std::max(0.0, t_1 - t_s) / static_cast<double>(tasks::fib(n)));
  }
}
void BM_fork_join_task(benchmark::State& state) {
  cost_of_a_task(state, [](auto& me, unsigned n) { return fib(me, n); });
}
BENCHMARK(BM_fork_join_task)->Arg(36)->UseManualTime()->Iterations(9);
void BM_fork_join_task_of_join(benchmark::State& state) {
  cost_of_a_task(state, [](auto& me, unsigned n) { return fib_joined(me, n); });
}
BENCHMARK(BM_fork_join_task_of_join)->Arg(36)->UseManualTime()->Iterations(9);

// The same without noexcept, which keeps g++ from inlining the recursion.
std::uint64_t fib_that_may_throw(fork_join_worker& me, unsigned n) {
  if (n < 2) return n;
  auto left = me.spawn([n](fork_join_worker& worker) { return fib_that_may_throw(worker, n - 1); });
  const std::uint64_t right = fib_that_may_throw(me, n - 2);
  return me.sync(left) + right;
}
void BM_fork_join_task_that_may_throw(benchmark::State& state) {
  cost_of_a_task(state, fib_that_may_throw);
}
BENCHMARK(BM_fork_join_task_that_may_throw)->Arg(36)->UseManualTime()->Iterations(9);

// A single task that is spawned and synced.
void BM_fork_join_spawn_sync(benchmark::State& state) {
  fork_join pool{workers(1)};
  pool.run([&](fork_join_worker& me) {
    for (auto step : state) {
      static_cast<void>(step);
      auto task = me.spawn([]() noexcept { return 1; });
      benchmark::DoNotOptimize(me.sync(task));
    }
  });
}
BENCHMARK(BM_fork_join_spawn_sync);

// A task that is stolen: the time from spawn() until its result is here, while the thief is awake.
void BM_fork_join_stolen_task(benchmark::State& state) {
  fork_join_options options = workers(2);
  options.search.attempts = 1'000'000;
  fork_join pool{options};
  pool.run([&](fork_join_worker& me) {
    for (auto step : state) {
      static_cast<void>(step);
      std::atomic<bool> begun{false};
      auto task = me.spawn([&begun]() noexcept { begun.store(true, std::memory_order_release); });
      me.share();
      while (!begun.load(std::memory_order_acquire)) std_atomics::spin_pause();
      me.sync(task);
    }
  });
}
BENCHMARK(BM_fork_join_stolen_task)->UseRealTime();

// A round trip from an outside thread to a worker that stays awake, or that sleeps at once.
void BM_fork_join_run_from_outside(benchmark::State& state) {
  fork_join_options options = workers(1);
  options.search.attempts = static_cast<std::uint32_t>(state.range(0));
  fork_join pool{options};
  for (auto step : state) {
    static_cast<void>(step);
    benchmark::DoNotOptimize(pool.run([] { return 1; }));
  }
}
BENCHMARK(BM_fork_join_run_from_outside)->Arg(1'000'000)->Arg(0)->UseRealTime();

// ---- Programs --------------------------------------------------------------------------------

struct queens_of_12 {
  std::uint64_t sequential() { return queens_sequential(12); }
  std::uint64_t spawning(fork_join_worker& me) { return queens(me, 12); }
};
struct matmul_of_1024 {
  matrices all{1024};
  float sequential() {
    matmul_sequential(all.all());
    return all.c[0];
  }
  float spawning(fork_join_worker& me) {
    matmul(me, all.all());
    return all.c[0];
  }
};
template <class Tree>
struct uts_of {
  std::uint64_t sequential() { return uts::sequential<Tree>(uts::root(Tree::seed)).nodes; }
  std::uint64_t spawning(fork_join_worker& me) {
    return uts::search<Tree>(me, uts::root(Tree::seed)).nodes;
  }
};
using uts_t2 = uts_of<uts::t2>;
using uts_t3 = uts_of<uts::t3>;
struct fib_of_36 {
  unsigned n = 36;
  std::uint64_t sequential() { return fib_sequential(n); }
  std::uint64_t spawning(fork_join_worker& me) { return fib(me, n); }
};

// Measures the processor time of f.
template <class F>
void time_of_processor(benchmark::State& state, F&& f) {
  for (auto step : state) {
    static_cast<void>(step);
    const double start = cpu_seconds();
    f();
    state.SetIterationTime(cpu_seconds() - start);
  }
}

template <class Program>
void sequential(benchmark::State& state) {
  Program program;
  time_of_processor(state, [&] {
    benchmark::DoNotOptimize(program);
    benchmark::DoNotOptimize(program.sequential());
  });
}

template <class Program>
void on_one(benchmark::State& state) {
  Program program;
  fork_join pool{workers(1)};
  pool.run([&](fork_join_worker& me) {
    time_of_processor(state, [&] {
      benchmark::DoNotOptimize(program);
      benchmark::DoNotOptimize(program.spawning(me));
    });
  });
}

// Measures wall time.
template <class Program>
void on_two(benchmark::State& state) {
  Program program;
  fork_join pool{workers(2)};
  pool.run([&](fork_join_worker& me) {
    for (auto step : state) {
      static_cast<void>(step);
      benchmark::DoNotOptimize(program);
      benchmark::DoNotOptimize(program.spawning(me));
    }
  });
}

#define FENCEPOST_PROGRAM(program, name)   \
  BENCHMARK(sequential<program>)           \
      ->Name("BM_direct_" #name)           \
      ->Unit(benchmark::kMillisecond)      \
      ->UseManualTime();                   \
  BENCHMARK(on_one<program>)               \
      ->Name("BM_fork_join_" #name)        \
      ->Unit(benchmark::kMillisecond)      \
      ->UseManualTime();                   \
  BENCHMARK(on_two<program>)               \
      ->Name("BM_fork_join_on_two_" #name) \
      ->Unit(benchmark::kMillisecond)      \
      ->UseRealTime()
FENCEPOST_PROGRAM(fib_of_36, fib);
FENCEPOST_PROGRAM(queens_of_12, queens);
FENCEPOST_PROGRAM(matmul_of_1024, matmul);
FENCEPOST_PROGRAM(uts_t2, uts_t2);
FENCEPOST_PROGRAM(uts_t3, uts_t3);
#undef FENCEPOST_PROGRAM

// ---- Loops -----------------------------------------------------------------------------------

// For comparison with the loops of parallel.hpp: a loop that is at once cut into eight parts per
// worker.
template <class Body>
void eager_for(fork_join_worker& me, std::size_t first, std::size_t last, const Body& body,
               std::size_t part) {
  if (last - first <= part) {
    for (; first != last; ++first) body(me, first);
    return;
  }
  const std::size_t middle = first + (last - first) / 2;
  auto upper = me.spawn([&body, middle, last, part](fork_join_worker& worker) noexcept {
    eager_for(worker, middle, last, body, part);
  });
  eager_for(me, first, middle, body, part);
  me.sync(upper);
}
struct lazy {
  template <class Body>
  static void loop(fork_join_worker& me, std::size_t size, const Body& body) noexcept {
    parallel_for(me, std::size_t{0}, size, body);
  }
};
struct eager {
  template <class Body>
  static void loop(fork_join_worker& me, std::size_t size, const Body& body) noexcept {
    eager_for(me, 0, size, body, std::max<std::size_t>(1, size / (std::size_t{8} * me.workers())));
  }
};
struct plain {
  template <class Body>
  static void loop(fork_join_worker& me, std::size_t size, const Body& body) noexcept {
    for (std::size_t i = 0; i != size; ++i) body(me, i);
  }
};

// Does the given amount of work, which no compiler can predict.
std::uint64_t spin(std::uint64_t x, std::uint64_t steps) noexcept {
  for (; steps != 0; --steps) {
    x ^= x << 13;
    x ^= x >> 7;
    x ^= x << 17;
  }
  return x;
}

// A million elements that take a nanosecond each.
template <class How>
void cheap_elements(fork_join_worker& me) {
  static std::vector<std::uint64_t> values(std::size_t{1} << 20);
  How::loop(me, values.size(), [](fork_join_worker&, std::size_t i) noexcept { ++values[i]; });
}
// A thousand rows of a hundred elements; all of these loops could be divided.
template <class How>
void loops_in_a_loop(fork_join_worker& me) {
  static std::vector<std::uint64_t> values(100'000);
  How::loop(me, 1000, [](fork_join_worker& worker, std::size_t row) noexcept {
    How::loop(worker, 100, [row](fork_join_worker&, std::size_t i) noexcept {
      std::uint64_t& value = values[row * 100 + i];
      value = spin(value, 2);
    });
  });
}
// Ten thousand elements; nearly all of the work is in two hundred adjacent ones.
template <class How>
void uneven_elements(fork_join_worker& me) {
  How::loop(me, 10'000, [](fork_join_worker&, std::size_t i) noexcept {
    benchmark::DoNotOptimize(spin(i, i >= 3000 && i < 3200 ? 10'000 : 1));
  });
}

template <void (*Loop)(fork_join_worker&), std::uint32_t Workers>
void looping(benchmark::State& state) {
  fork_join pool{workers(Workers)};
  pool.run([&](fork_join_worker& me) {
    if (Workers == 1) {
      time_of_processor(state, [&] { Loop(me); });
    } else {
      for (auto step : state) {
        static_cast<void>(step);
        Loop(me);
      }
    }
  });
}

BENCHMARK(looping<cheap_elements<plain>, 1>)->Name("BM_direct_for")->UseManualTime();
BENCHMARK(looping<cheap_elements<lazy>, 1>)->Name("BM_parallel_for")->UseManualTime();
BENCHMARK(looping<cheap_elements<eager>, 1>)->Name("BM_eager_for")->UseManualTime();
BENCHMARK(looping<cheap_elements<lazy>, 2>)->Name("BM_parallel_on_two_for")->UseRealTime();
BENCHMARK(looping<cheap_elements<eager>, 2>)->Name("BM_eager_on_two_for")->UseRealTime();
BENCHMARK(looping<loops_in_a_loop<plain>, 1>)->Name("BM_direct_nested_for")->UseManualTime();
BENCHMARK(looping<loops_in_a_loop<lazy>, 1>)->Name("BM_parallel_nested_for")->UseManualTime();
BENCHMARK(looping<loops_in_a_loop<eager>, 1>)->Name("BM_eager_nested_for")->UseManualTime();
BENCHMARK(looping<loops_in_a_loop<lazy>, 2>)->Name("BM_parallel_on_two_nested_for")->UseRealTime();
BENCHMARK(looping<loops_in_a_loop<eager>, 2>)->Name("BM_eager_on_two_nested_for")->UseRealTime();
BENCHMARK(looping<uneven_elements<plain>, 1>)->Name("BM_direct_uneven_for")->UseManualTime();
BENCHMARK(looping<uneven_elements<lazy>, 2>)->Name("BM_parallel_on_two_uneven_for")->UseRealTime();
BENCHMARK(looping<uneven_elements<eager>, 2>)->Name("BM_eager_on_two_uneven_for")->UseRealTime();

}  // namespace
}  // namespace fencepost::bench
