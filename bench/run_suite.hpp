// The main program of a suite of benchmarks.
#pragma once

#include <benchmark/benchmark.h>

namespace fencepost::bench {

// Runs what is registered, and what register_more() adds once the options are understood; with
// --table among them, `table` reports. The exit status: 0, 2 (usage; it has been said why).
int run_suite(
    int argc, char** argv, const char* name, benchmark::BenchmarkReporter& table,
    void (*register_more)() = [] {});

}  // namespace fencepost::bench
