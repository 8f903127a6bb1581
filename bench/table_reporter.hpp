// The table of docs/benchmarks.md: a reporter of Google Benchmark that writes Markdown, one row per
// program, with the published figures beside ours.
#pragma once

#include <benchmark/benchmark.h>

namespace fencepost::bench {

// Shows the median of several repetitions, or the single one.
class table_reporter : public benchmark::BenchmarkReporter {
 public:
  bool ReportContext(const Context&) override;
  void ReportRuns(const std::vector<Run>&) override;
};

}  // namespace fencepost::bench
