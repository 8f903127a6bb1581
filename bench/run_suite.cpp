#include "run_suite.hpp"

#include <cstddef>
#include <cstdio>
#include <string_view>

namespace fencepost::bench {

int run_suite(int argc, char** argv, const char* name, benchmark::BenchmarkReporter& table,
              void (*register_more)()) {
  bool as_table = false;
  int kept = 1;
  for (int i = 1; i < argc; ++i) {
    if (std::string_view(argv[i]) == "--table") {
      as_table = true;
    } else {
      argv[kept++] = argv[i];
    }
  }
  argc = kept;
  benchmark::Initialize(&argc, argv);
  if (argc > 1) {
    std::fprintf(stderr, "%s: \"%s\" is not understood; see --help\n", name, argv[1]);
    return 2;
  }
  register_more();
  const std::size_t ran =
      as_table ? benchmark::RunSpecifiedBenchmarks(&table) : benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return ran == 0 ? 2 : 0;
}

}  // namespace fencepost::bench
