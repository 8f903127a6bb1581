// The components' benchmarks, on the production policy.
//
//   core_bench [--table] [options of Google Benchmark]
//
// --table prints the table of docs/benchmarks.md. Exit status: 0, 2 (usage).
#include "core_table.hpp"
#include "run_suite.hpp"

int main(int argc, char** argv) {
  fencepost::bench::core_table table;
  return fencepost::bench::run_suite(argc, argv, "core_bench", table);
}
