// The table of the components in docs/benchmarks.md: a reporter of Google Benchmark that writes
// Markdown, one row per benchmark, with its time as a multiple of the same work written by hand.
#pragma once

#include <benchmark/benchmark.h>

#include <string>
#include <vector>

namespace fencepost::bench {

// BM_chase_lev_push_pop is compared with BM_direct_push_pop, and so is BM_mutex_push_pop: the ratio
// is to the "direct" benchmark whose name has the longest common end, arguments included.
class core_table : public benchmark::BenchmarkReporter {
 public:
  bool ReportContext(const Context&) override { return true; }
  void ReportRuns(const std::vector<Run>&) override;
  void Finalize() override;  // writes the table

 private:
  struct row {
    std::string name;
    double median = 0;  // nanoseconds per iteration
    double spread = 0;  // the coefficient of variation of the repetitions
  };
  const row* direct(const std::string& name) const;

  std::vector<row> rows_;
};

}  // namespace fencepost::bench
