// The components' benchmarks, in production's policy.
//
//   core_bench [--table] [options of Google Benchmark]
//
// --table prints the table of docs/benchmarks.md. Exit status: 0, 2 (usage).
#include <benchmark/benchmark.h>

#include <cstdio>
#include <string_view>

#include "core_table.hpp"

int main(int argc, char** argv) {
  bool table = false;
  int kept = 1;
  for (int i = 1; i < argc; ++i) {
    if (std::string_view(argv[i]) == "--table") {
      table = true;
    } else {
      argv[kept++] = argv[i];
    }
  }
  argc = kept;
  benchmark::Initialize(&argc, argv);
  if (argc > 1) {
    std::fprintf(stderr, "core_bench: \"%s\" is not understood; see --help\n", argv[1]);
    return 2;
  }
  fencepost::bench::core_table reporter;
  const std::size_t ran =
      table ? benchmark::RunSpecifiedBenchmarks(&reporter) : benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return ran == 0 ? 2 : 0;
}
