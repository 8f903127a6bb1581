// The main program of a suite of benchmarks.
#pragma once

#include <benchmark/benchmark.h>

namespace fencepost::bench {

// Runs the registered benchmarks, and those that register_more() adds once the options are parsed;
// with the option --table, `table` reports. Returns the exit status: 0, or 2 for wrong usage, which
// it has reported.
int run_suite(
    int argc, char** argv, const char* name, benchmark::BenchmarkReporter& table,
    void (*register_more)() = [] {});

}  // namespace fencepost::bench
