// The benchmarks against peers: the libraries that were found when this was built. ci/bench runs
// them and makes the tables, and fails if a peer has computed a wrong result.
//
//   peers_bench [options of Google Benchmark]
//
// Exit status: 0, 2 (usage).
#include <benchmark/benchmark.h>

#include "../other_thread.hpp"
#include "../run_suite.hpp"

int main(int argc, char** argv) {
  const fencepost::bench::other_thread other;
  benchmark::ConsoleReporter console;
  return fencepost::bench::run_suite(argc, argv, "peers_bench", console);
}
