// fencepost verify: runs the scenarios, prints a line for each as it finishes, then a summary.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/interrupts.hpp"
#include "base/json.hpp"
#include "base/names.hpp"
#include "base/output_file.hpp"
#include "base/printable.hpp"
#include "base/replaced_file.hpp"
#include "base/usage.hpp"
#include "commands/scenario_choice.hpp"
#include "commands/shared_options.hpp"
#include "fencepost/verify/annotation.hpp"
#include "fencepost/verify/report.hpp"
#include "report/run_report.hpp"
#include "report/verify_text.hpp"
#include "run/finished_job.hpp"
#include "run/judgement.hpp"
#include "run/run_scenarios.hpp"
#include "run/run_totals.hpp"
#include "run/stopped_run.hpp"
#include "source/source_files.hpp"

namespace fencepost::cli {
namespace {

struct verify_options : common_options, limit_options {
  bool nightly = false;
  shard part_of;
  std::string junit;
  std::string sarif;
  std::string html;
  std::string checkpoint;
  std::string resume;
};

// Returns the indices of the scenarios whose counterexamples are shown.
std::vector<std::size_t> to_be_shown(const verify_options& options,
                                     const std::vector<const entry*>& selected,
                                     const std::vector<finished_job>& done) {
  std::vector<std::size_t> all;
  for (std::size_t i = 0; i < done.size(); ++i) {
    const verify::result& r = done[i].result;
    if (!done[i].ran || !r.violation || r.violation->steps.empty()) continue;
    if (!options.html.empty() || judge(selected[i]->about, r) == standing::unexpected) {
      all.push_back(i);
    }
  }
  return all;
}

// Adds --checkpoint and --resume to the limits.
limit_options in_sittings(const verify_options& options,
                          const std::vector<const entry*>& selected) {
  limit_options limits = static_cast<const limit_options&>(options);
  if (options.checkpoint.empty() && options.resume.empty()) return limits;
  if (selected.size() != 1) {
    throw usage_error("verify: --checkpoint and --resume take one scenario; " +
                      std::to_string(selected.size()) + " match");
  }
  if (options.samples != 0) {
    throw usage_error(
        "verify: --random cannot be combined with --checkpoint or --resume: random executions are "
        "independent, so there is no progress to save");
  }
  const explored_thing what = explored_by(*selected.front(), options, options);
  if (!options.resume.empty()) {
    const stopped_run before = read_stopped_run("--resume", options.resume);
    require_same("--resume", options.resume, before.what, what);
    limits.resume = before.state.text();
  }
  if (options.checkpoint == "-")
    throw usage_error(
        "--checkpoint: '-' is standard output, but a checkpoint needs a file; name one");
  if (!options.checkpoint.empty()) {
    const replaced_file can_be_written("--checkpoint", options.checkpoint);
    limits.on_checkpoint = [what, path = options.checkpoint](const std::string& state) {
      write_stopped_run("--checkpoint", path, what, state);
    };
  }
  return limits;
}

// Returns a line for each unexpected result, which a workflow of GitHub shows in the source; ""
// elsewhere.
std::string annotations(const std::vector<const entry*>& selected,
                        const std::vector<finished_job>& done) {
  std::string text;
  if (!verify::is_in_github_actions()) return text;
  for (std::size_t i = 0; i < done.size(); ++i) {
    const scenario& about = selected[i]->about;
    const verify::result& r = done[i].result;
    if (!done[i].ran || judge(about, r) != standing::unexpected) continue;
    source_location where = r.violation ? verify::annotated_place(*r.violation) : source_location{};
    const std::string file = where.line == 0 ? "" : on_disk(where.file).string();
    where.file = file.c_str();
    text += verify::github_error(where, printable(what_is_wrong(about, done[i]))) + "\n";
  }
  return text;
}

constexpr std::size_t probes_of_an_estimate = 2'000;

// Throws usage_error for options that do not go with --estimate.
void require_estimable(const verify_options& options) {
  if (options.probes == 0) return;
  require_all_of_it("verify", options.model, "--estimate");
  if (options.samples != 0 || !options.checkpoint.empty() || !options.resume.empty()) {
    throw usage_error(
        "verify: --estimate explores nothing, so it cannot be combined with --random, --checkpoint "
        "or --resume");
  }
}

int run_verify(const verify_options& options, const program& p) {
  require_one_part("verify", options, options);
  require_estimable(options);
  if (!options.resume.empty()) require_all_of_it("verify", options.model, "--resume");
  if (!options.checkpoint.empty()) require_all_of_it("verify", options.model, "--checkpoint");
  const std::vector<const entry*> matching = select(p.entries, options.patterns);
  const std::vector<const entry*> today = of_today(options.nightly, options.patterns, matching);
  const std::vector<const entry*> selected = of_shard(options.part_of, today);
  const limit_options limits = in_sittings(options, selected);
  output_files files("verify",
                     {{"--json", options.json},
                      {"--junit", options.junit},
                      {"--sarif", options.sarif},
                      {"--html", options.html}},
                     output_files::wish{"--checkpoint", options.checkpoint});
  screen out(files.text(), options.color);
  const verify_text text(out, options, options, in_words(options.part_of), selected, p.name);
  text.begin();
  const auto began = std::chrono::steady_clock::now();
  std::vector<finished_job> done = run_scenarios(
      selected, options, limits, out,
      [&](std::size_t i, const finished_job& d) { text.line(selected[i]->about, d); });
  const double seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();

  require_all_met(options.changes, selected, done);
  shorten_counterexamples(done, selected, to_be_shown(options, selected, done), options, options,
                          out);
  const run_totals t = totals_of(selected, done);
  if (interrupted()) out.print(out.tinted(tint::warning, "\ninterrupted\n"));
  text.counterexample(done);
  text.end(t, done, seconds);
  text.left_out(matching.size() - today.size());
  if (const std::string lines = annotations(selected, done); !lines.empty()) out.print(lines);
  std::vector<standing> standings;
  for (std::size_t i = 0; i < done.size(); ++i) {
    standings.push_back(judge(selected[i]->about, done[i].result));
  }
  const bool accept_incomplete = options.accept_incomplete && !interrupted();
  const exit_status status = status_of(standings, accept_incomplete);

  json whole = document("verify");
  whole["model"] = to_string(options.model);
  if (options.samples != 0) {
    whole["random"] = options.samples;
    whole["seed"] = options.seed.value_or(verify::options{}.seed);
  }
  if (options.preemptions) whole["bound"] = *options.preemptions;
  whole["accept_incomplete"] = options.accept_incomplete;
  whole["exit_status"] = static_cast<int>(status);
  whole["complete"] = t.incomplete + t.not_run == 0;
  whole["interrupted"] = interrupted();
  whole["seconds"] = seconds;
  whole["summary"] = to_json(t);
  whole["left_out"] = matching.size() - today.size();
  whole["shard"] = {{"number", options.part_of.number}, {"of", options.part_of.count}};
  whole["not_covered"] = verify::not_covered(t.load_buffering + t.in_part != 0);
  whole["scenarios"] = json::array();
  for (std::size_t i = 0; i < done.size(); ++i) {
    whole["scenarios"].push_back(to_json(*selected[i], done[i]));
  }
  write_json(files, whole);
  const run_report run{selected, done,   std::string(to_string(options.model)),
                       seconds,  status, accept_incomplete};
  if (files.wanted("--junit")) files.write("--junit", to_junit(run));
  if (files.wanted("--sarif")) files.write("--sarif", dump(to_sarif(run), 2));
  if (files.wanted("--html")) files.write("--html", to_html(run));
  files.save();
  return status;
}

}  // namespace

command verify_command(program& p) {
  command c{"verify", "Explore the scenarios and compare the results with what each expects", ""};
  auto options = std::make_shared<verify_options>();
  add_common(c, *options);
  add_limits(c, *options);
  add_parts(c, *options);
  add_reexecutions(c, options->reexecutions);
  add_symmetry(c, *options);
  add_from_beginning(c, options->from_beginning);
  c.flag(
      "--estimate", [options] { options->probes = probes_of_an_estimate; },
      "Do not explore, but estimate how many executions each scenario has");
  add_recheck(c, *options);
  add_changes(c, *options);
  c.flag("--nightly", options->nightly,
         "Include the larger scenarios, each of which may take minutes");
  c.add(shard_option(options->part_of));
  c.file("--junit", options->junit, "Write the results to FILE as JUnit XML");
  c.file("--sarif", options->sarif,
         "Write the unexpected and incomplete results to FILE as SARIF 2.1.0, for code scanners");
  c.file("--html", options->html,
         "Write the results to FILE as an HTML page, with the graphs of the counterexamples");
  c.file("--checkpoint", options->checkpoint,
         "Save the progress to FILE, about every ten seconds and at the end; for one scenario");
  c.file("--resume", options->resume,
         "Continue from the progress that --checkpoint saved in FILE; limits apply to this "
         "sitting, counts cover all");
  c.run = [options, &p] { return run_verify(*options, p); };
  return c;
}

}  // namespace fencepost::cli
