// The table of docs/benchmarks.md: a reporter of Google Benchmark that writes Markdown, one row a
// program, with the published figures beside ours.
#pragma once

#include <benchmark/benchmark.h>

namespace fencepost::bench {

// Of several repetitions, the median; of one, that one.
class table_reporter : public benchmark::BenchmarkReporter {
 public:
  bool ReportContext(const Context&) override;
  void ReportRuns(const std::vector<Run>&) override;
};

}  // namespace fencepost::bench
