#include "core_table.hpp"

#include <algorithm>
#include <ostream>
#include <string_view>

#include "formatted.hpp"

namespace fencepost::bench {

namespace {

constexpr std::string_view prefix = "direct_";

// Returns a duration with three significant digits.
std::string duration(double nanoseconds) {
  if (nanoseconds < 1e3) return text("%.3g ns", nanoseconds);
  if (nanoseconds < 1e6) return text("%.3g µs", nanoseconds / 1e3);
  return text("%.3g ms", nanoseconds / 1e6);
}

}  // namespace

void core_table::ReportRuns(const std::vector<Run>& runs) {
  for (const Run& run : runs) {
    std::string name = run.run_name.str();
    if (name.starts_with("BM_")) name.erase(0, 3);
    const bool once = run.run_type == Run::RT_Iteration && run.repetitions < 2;
    if (run.error_occurred || !(once || run.run_type == Run::RT_Aggregate)) continue;
    if (rows_.empty() || rows_.back().name != name) rows_.push_back({name, 0, 0});
    const double to_ns = 1e9 / benchmark::GetTimeUnitMultiplier(run.time_unit);
    if (once || run.aggregate_name == "median") {
      rows_.back().median = run.GetAdjustedRealTime() * to_ns;
    } else if (run.aggregate_name == "cv") {
      rows_.back().spread = run.real_accumulated_time;
    }
  }
}

auto core_table::direct(const std::string& name) const -> const row* {
  std::string_view end = name;
  for (;;) {
    const auto found = std::find_if(rows_.begin(), rows_.end(), [&](const row& r) {
      return r.name.starts_with(prefix) && std::string_view(r.name).substr(prefix.size()) == end;
    });
    if (found != rows_.end()) return &*found;
    const std::size_t next = end.find('_');
    if (next == end.npos || next > end.find('/')) return nullptr;
    end.remove_prefix(next + 1);
  }
}

void core_table::Finalize() {
  std::ostream& out = GetOutputStream();
  out << "| benchmark | median | spread | times direct |\n| --- | ---: | ---: | ---: |\n";
  for (const row& r : rows_) {
    const row* const other = direct(r.name);
    out << "| " << r.name << " | " << duration(r.median) << " | " << text("%.0f %%", r.spread * 100)
        << " | " << (other == nullptr || other == &r ? "" : text("%.2g", r.median / other->median))
        << " |\n";
  }
  out << std::flush;
}

}  // namespace fencepost::bench
