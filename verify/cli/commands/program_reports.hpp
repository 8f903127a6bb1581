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

// What was checked by itself: a test, or all that main() does.
struct named_run {
  std::string name;
  checked_run run;
};

// The result, or why there is none.
finished_job finished(const checked_run&);

// --junit, --sarif and --html of all; --svg and --dot of the only one. Nothing where `files` want
// nothing. `status` is that of the command.
void write_reports(output_files& files, const std::vector<named_run>&, bool expects_violation,
                   const std::string& model, double seconds, int status);

}  // namespace fencepost::cli
