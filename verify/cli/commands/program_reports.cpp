#include "commands/program_reports.hpp"

#include <algorithm>
#include <filesystem>

#include "base/this_program.hpp"
#include "fencepost/verify/drawing.hpp"
#include "report/drawings.hpp"
#include "report/run_report.hpp"
#include "result_json/result_json.hpp"

namespace fencepost::cli {
namespace {

constexpr std::size_t most_steps = 400;  // in a picture

// Describes a run as a scenario. If a violation is expected, any kind will do.
scenario what_is_expected(const std::string& name, const verify::result& r,
                          bool expects_violation) {
  scenario about{.name = name};
  about.threads = r.threads;
  if (expects_violation) about.expected = r.violation ? r.violation->kind : violation::assertion;
  return about;
}

}  // namespace

finished_job finished(const checked_run& r) {
  finished_job done;
  if (r.report.is_object()) {
    done.result = verify::result_from_json(r.report);
  } else {
    done.result.limit =
        r.status == exit_usage ? "it uses something that is not modelled" : r.in_words();
    done.output = r.text;
  }
  return done;
}

void write_reports(output_files& files, const std::vector<named_run>& runs, bool expects_violation,
                   const std::string& model, double seconds, int status) {
  // Paths in the reports are relative to the current directory.
  const std::string here = std::filesystem::current_path().string();
  become({"fencepost", here, here});
  std::vector<finished_job> done;
  std::vector<entry> entries;
  for (const named_run& r : runs) {
    done.push_back(finished(r.run));
    entries.push_back({what_is_expected(r.name, done.back().result, expects_violation), {}});
  }
  std::vector<const entry*> all;
  for (const entry& e : entries) all.push_back(&e);
  // All runs are of the same program.
  std::vector<std::string> compilers, notes;
  for (const named_run& r : runs) {
    if (!r.run.report.is_object()) continue;
    compilers = r.run.report.value("compilers", compilers);
    for (const std::string& note : r.run.report.value("notes", std::vector<std::string>()))
      if (std::find(notes.begin(), notes.end(), note) == notes.end()) notes.push_back(note);
  }
  const run_report report{all,   done,    model,     seconds, static_cast<exit_status>(status),
                          false, "check", compilers, notes};
  if (files.wanted("--junit")) files.write("--junit", to_junit(report));
  if (files.wanted("--sarif")) files.write("--sarif", dump(to_sarif(report), 2));
  if (files.wanted("--html")) files.write("--html", to_html(report));
  if (done.size() != 1) return;
  verify::drawing_style style;
  style.title = runs.front().name;
  style.max_steps = most_steps;
  style.own_data = false;
  write_drawings(files, done.front().result, style);
}

}  // namespace fencepost::cli
