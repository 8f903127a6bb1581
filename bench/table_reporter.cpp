#include "table_reporter.hpp"

#include <cmath>
#include <ostream>
#include <string>
#include <string_view>

#include "formatted.hpp"
#include "published.hpp"

namespace fencepost::bench {

namespace {

// Returns "1,234,567" for 1234567.
std::string grouped(double value) {
  std::string digits = text("%.0f", value);
  for (std::size_t i = digits.size(); i > 3;) digits.insert(i -= 3, ",");
  return digits;
}

// Rounds to three significant digits.
std::string rounded(double value) {
  double step = 1;
  while (value / step >= 1000) step *= 10;
  return grouped(step * std::round(value / step));
}

std::string times(double ratio) { return text(ratio < 10 ? "%.1f" : "%.0f", ratio); }

double counter(const benchmark::BenchmarkReporter::Run& run, const char* name) {
  const auto found = run.counters.find(name);
  return found == run.counters.end() ? 0 : found->second.value;
}

// Returns a figure of another checker, and how many times better ours is.
std::string beside(double theirs, double ours, const published& p) {
  if (theirs == 0) return " | ";
  const bool time = p.of == unit::milliseconds;
  std::string figure = time ? text("%.0f ms", theirs) : grouped(theirs);
  if (p.of == unit::runs) figure += " runs";
  if (!p.same_program) figure += " *";
  return figure + " | " + times(time ? theirs / ours : ours / theirs);
}

}  // namespace

bool table_reporter::ReportContext(const Context&) {
  GetOutputStream() << "| program | executions | blocked | executions/s | runs/s | trial | times "
                       "| GenMC 0.11 | times |\n"
                       "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n";
  return true;
}

void table_reporter::ReportRuns(const std::vector<Run>& runs) {
  const Run* chosen = nullptr;
  for (const Run& run : runs)
    if (run.aggregate_name == "median" ||
        (run.run_type == Run::RT_Iteration && run.repetitions < 2))
      chosen = &run;
  if (chosen == nullptr) return;
  const Run& run = *chosen;

  constexpr std::string_view prefix = "BM_checker_";
  std::string name = run.run_name.function_name;
  static constexpr published none{};
  const published* p = find_published(name);
  if (p == nullptr) p = &none;
  if (name.starts_with(prefix)) name.erase(0, prefix.size());

  const double executions = counter(run, "executions");
  const double rate = counter(run, "executions/s");
  const double runs_rate = counter(run, "runs/s");
  std::ostream& out = GetOutputStream();
  const bool time = rate == 0;
  const double ours = time ? run.GetAdjustedRealTime() : p->of == unit::runs ? runs_rate : rate;
  if (ours == 0) return;  // it failed
  out << "| " << name << " | ";
  if (time) {
    out << " |  | " << text("%.3g ms", ours) << " |  | ";
  } else {
    out << grouped(executions) << " | " << grouped(counter(run, "blocked")) << " | "
        << rounded(rate) << " | " << rounded(runs_rate) << " | ";
  }
  out << beside(p->trial, ours, *p) << " | " << beside(p->genmc, ours, *p) << " |\n" << std::flush;
}

}  // namespace fencepost::bench
