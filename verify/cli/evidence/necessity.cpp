#include "evidence/necessity.hpp"

#include <fmt/format.h>

#include <utility>

#include "base/interrupts.hpp"
#include "base/this_program.hpp"
#include "evidence/need_runs.hpp"
#include "evidence/order_questions.hpp"
#include "evidence/visited_headers.hpp"
#include "run/judgement.hpp"
#include "run/run_or_recall.hpp"

namespace fencepost::cli {
namespace {

// False for scenarios on policies that are wrong on purpose, and on other people's protocols.
bool takes_part(const entry& e, bool nightly) {
  return e.about.expected == violation::none && (nightly || !e.about.nightly) &&
         !e.model.ends_with("/faults") && !e.model.starts_with("published/") &&
         !e.model.starts_with("known_bugs/");
}

// Returns the scenarios that hold; the report says why the others are left out.
std::vector<holding_scenario> explore_as_written(const std::vector<entry>& entries,
                                                 const necessity_options& options,
                                                 result_store& store, progress_line& progress,
                                                 necessity_report& report) {
  const verify::memory_model model =
      options.model == verify::memory_model::xc20 ? verify::memory_model::rc20 : options.model;
  std::vector<job> jobs;
  for (const entry& e : entries) {
    if (!takes_part(e, options.nightly)) continue;
    verify::options how = how_to_explore(e, options, model);
    how.list_places = true;
    jobs.push_back({&e, how});
  }
  std::vector<finished_job> done =
      run_or_recall(jobs, store, limits_of(options), [&](std::size_t finished, std::size_t of) {
        progress.draw(fmt::format("scenarios as they are: {} of {}", finished, of));
      });
  std::vector<holding_scenario> holding;
  for (std::size_t i = 0; i < done.size(); ++i) {
    const verify::result& r = done[i].result;
    const scenario& about = jobs[i].what->about;
    if (holds(r)) {
      holding.push_back({jobs[i].what, std::move(done[i].result)});
    } else if (done[i].ran) {
      report.broken = report.broken || r.outcome != verify::verdict::incomplete;
      report.left_out.push_back(fmt::format("{}: {}", about.name, describe(about, r)));
    }
  }
  return holding;
}

// Leaves out the removal of a fence if a lesser weakening already breaks a scenario.
void leave_out_removals(visited_header& h) {
  for (operation_report& o : h.report.operations) {
    std::erase_if(o.steps, [&](const step_report& r) {
      return r.step.after_the_one_before && r.verdict == need::needed && r.scenario.empty();
    });
  }
}

}  // namespace

void require_headers(const std::string& who, const necessity_options& options) {
  if (this_program().is_fencepost || !options.folder.empty()) return;
  throw usage_error(who + ": no headers are known; pass them to fencepost_add_model_cli(" +
                    this_program().name + " ... HEADERS ...), or name their folder with --headers");
}

necessity_report find_needs(const std::vector<entry>& entries, const necessity_options& options,
                            result_store& store, screen& out) {
  require_headers("necessity", options);
  necessity_report report;
  progress_line progress(out);
  const std::vector<holding_scenario> scenarios =
      explore_as_written(entries, options, store, progress, report);
  report.scenarios = scenarios.size();
  visited_headers found = find_headers(options, scenarios, !report.left_out.empty());
  report.loose = std::move(found.loose);
  answer_questions(options, scenarios, found.headers, store, progress, report);
  for (visited_header& h : found.headers) {
    leave_out_removals(h);
    report.headers.push_back(std::move(h.report));
  }
  out.clear();
  return report;
}

}  // namespace fencepost::cli
