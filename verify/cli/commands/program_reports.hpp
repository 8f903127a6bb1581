// The files of fencepost check, other than JSON: pictures, pages and reports for other programs.
#pragma once

#include <string>
#include <vector>

#include "base/output_file.hpp"
#include "commands/checked_run.hpp"
#include "run/finished_job.hpp"

namespace fencepost::cli {

// Paths, "-" for standard output, "" for none.
struct report_paths {
  std::string json, junit, sarif, html, svg, dot;

  bool any() const { return !(json + junit + sarif + html + svg + dot).empty(); }
  bool has_picture() const { return !(svg + dot).empty(); }
};

// A run of one test, or of everything that main() does.
struct named_run {
  std::string name;
  checked_run run;
};

// Returns the result of the run, or the reason why it has none.
finished_job finished(const checked_run&);

// Writes --junit, --sarif and --html for all runs, and --svg and --dot if there is only one run.
// Skips files that are not wanted. `status` is the exit status of the command.
void write_reports(output_files& files, const std::vector<named_run>&, bool expects_violation,
                   const std::string& model, double seconds, int status);

}  // namespace fencepost::cli
