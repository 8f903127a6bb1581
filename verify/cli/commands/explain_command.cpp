// fencepost explain NAME: the counterexample of a scenario, or the numbers of one that holds.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/input_file.hpp"
#include "base/interrupts.hpp"
#include "base/json.hpp"
#include "base/names.hpp"
#include "base/output_file.hpp"
#include "base/printable.hpp"
#include "base/this_program.hpp"
#include "base/usage.hpp"
#include "commands/shared_options.hpp"
#include "fencepost/verify/drawing.hpp"
#include "fencepost/verify/report.hpp"
#include "report/drawings.hpp"
#include "report/run_report.hpp"
#include "result_json/result_json.hpp"
#include "run/finished_job.hpp"
#include "run/judgement.hpp"
#include "run/run_scenarios.hpp"
#include "run/under_models.hpp"
#include "source/source_labels.hpp"
#include "source/weaken.hpp"

namespace fencepost::cli {
namespace {

struct explain_options : common_options, limit_options {
  std::size_t steps = 400;
  bool labels = false;
  bool models = false;
  std::string dot;
  std::string svg;
  std::string save;
  std::string replay;
};

verify::drawing_style picture_of(const explain_options& options, const scenario& about) {
  verify::drawing_style style;
  style.title = std::string(about.name);
  style.max_steps = options.steps;
  return style;
}

std::string paragraph(const screen& out, const std::string& words, std::size_t indent) {
  std::string text;
  for (const std::string& line : verify::wrapped(words, out.width() - indent)) {
    text += (text.empty() ? "" : std::string(indent, ' ')) + line + "\n";
  }
  return text;
}

std::string explanation(const screen& out, const explain_options& options, const scenario& about,
                        const finished_job& done) {
  verify::text_style style;
  style.width = out.width();
  style.color = out.color();
  style.max_steps = options.steps;
  const source_labels labels;
  if (options.labels) style.places = &labels;
  std::string text = out.tinted(tint::strong, about.name) + "\n";
  if (!about.claim.empty()) text += "  claim     " + paragraph(out, std::string(about.claim), 12);
  text += fmt::format("  expected  {}\n", expectation(about));
  for (const verify::order_change& c : options.changes) text += "  weakened  " + to_text(c) + "\n";
  text += "\n";
  verify::result nameless = done.result;
  nameless.name.clear();
  text += to_text(nameless, style);
  for (const auto& [outcome, example] : done.result.examples) {
    if (outcome.empty() || done.result.violation) continue;
    text += "\n" + out.tinted(tint::strong, "An execution with the outcome " + outcome) + "\n\n" +
            to_text(example, style);
  }
  if (!done.output.empty()) text += "\nThe scenario printed:\n" + printable(done.output) + "\n";
  const standing s = judge(about, done.result);
  if (s == standing::as_expected && about.expected != violation::none) {
    text += "\nAs expected: this scenario must be violated in this way.\n";
  } else if (s == standing::unexpected) {
    text += "\n" +
            out.tinted(tint::bad,
                       "Not as expected: this scenario is expected " + expectation(about) + ".") +
            "\n";
  }
  return text;
}

// What --save writes: everything that is needed to reproduce the counterexample, and the
// counterexample itself.
json saved(const entry& e, const std::vector<verify::order_change>& changes,
           const verify::result& r) {
  json j = document("explain --save");
  j["scenario"] = e.about.name;
  j["model"] = to_string(r.model);
  j["weaken"] = json::array();
  for (const verify::order_change& c : changes) j["weaken"].push_back(to_text(c));
  j["violation"] = to_json(*r.violation);
  return j;
}

bool same_step(const verify::step& a, const verify::step& b) {
  return a.thread == b.thread && a.kind == b.kind && a.where.line == b.where.line &&
         std::string_view(a.where.file) == b.where.file;
}

bool same(const verify::counterexample& a, const verify::counterexample& b) {
  return a.kind == b.kind &&
         std::equal(a.steps.begin(), a.steps.end(), b.steps.begin(), b.steps.end(), same_step);
}

// Runs in this process, so that a debugger need not follow another. Takes the model from the file,
// and also the changed orders unless the command line gives some.
finished_job replay(explain_options& options, const entry& e) {
  const json j = read_document("--replay", options.replay, "explain --save",
                               "a counterexample that 'fencepost explain NAME --save FILE' wrote");
  const auto refuse = [&](const std::string& why) {
    throw usage_error("--replay: '" + options.replay + "' " + why);
  };
  if (!j.contains("scenario") || !j["scenario"].is_string()) refuse("does not name a scenario");
  if (j["scenario"] != e.about.name) {
    refuse("is a counterexample of " + j["scenario"].get<std::string>() + ", not of " +
           std::string(e.about.name));
  }
  verify::counterexample wanted;
  try {
    options.model = verify::model_from(j.at("model"));
    if (options.changes.empty()) {
      for (const json& c : j.value("weaken", json::array()))
        options.changes.push_back(change_from(c.get<std::string>()));
    }
    wanted = verify::counterexample_from_json(j.at("violation"));
  } catch (const std::exception& error) {
    refuse("cannot be parsed: " + in_words(error));
  }
  if (wanted.path.empty()) refuse("does not identify a run");
  verify::options how = options_for(e, options, options);
  how.priorities = wanted.priorities;
  how.replay = wanted.path;
  how.samples = wanted.samples;
  how.seed = wanted.seed;
  how.preemptions = wanted.preemptions;
  finished_job done;
  done.result = e.run(how);
  if (!done.result.violation || !same(*done.result.violation, wanted)) {
    refuse("does not match this program: the run " + wanted.path + " of " +
           std::string(e.about.name) +
           " behaves differently now; the code, the scenario or the checker has changed");
  }
  return done;
}

int explain(explain_options options, const program& p) {
  require_one_part("explain", options, options);
  if (!options.replay.empty() && (options.samples != 0 || options.preemptions)) {
    throw usage_error(
        "explain: --replay repeats the one execution in its file; omit --random and --bound");
  }
  if (options.models && (!options.replay.empty() || !options.save.empty())) {
    throw usage_error("explain: --models cannot be combined with " +
                      std::string(options.replay.empty() ? "--save" : "--replay") +
                      ", which is about one model; omit one of them");
  }
  if (options.models && options.model != verify::memory_model::rc20) {
    throw usage_error("explain: --models explores sc, rc20 and xc20; omit --model");
  }
  if (options.patterns.empty())
    throw usage_error("explain: no scenario is given; '" + this_program().name +
                      " list' lists them");
  const std::vector<const entry*> selected = select(p.entries, options.patterns);
  if (selected.size() > 1 && !(options.dot.empty() && options.svg.empty())) {
    throw usage_error("explain: --dot and --svg draw one scenario; " +
                      std::to_string(selected.size()) + " match");
  }
  if (selected.size() > 1 && !(options.save.empty() && options.replay.empty())) {
    throw usage_error("explain: --save and --replay take one scenario; " +
                      std::to_string(selected.size()) + " match");
  }
  output_files files("explain", {{"--json", options.json},
                                 {"--dot", options.dot},
                                 {"--svg", options.svg},
                                 {"--save", options.save}});
  screen out(files.text(), options.color);
  std::vector<finished_job> done;
  std::vector<under_models> by_model;
  if (options.models) {
    by_model = run_under_models(selected, options, options, out);
    for (const under_models& u : by_model) done.push_back(u.shown);
  } else if (options.replay.empty()) {
    done = run_scenarios(selected, options, options, out, [](std::size_t, const finished_job&) {});
  } else {
    done.push_back(replay(options, *selected.front()));
  }

  require_all_met(options.changes, selected, done);
  std::vector<standing> standings;
  json whole = document("explain");
  json scenarios = json::array();
  for (std::size_t i = 0; i < done.size(); ++i) {
    const scenario& about = selected[i]->about;
    standings.push_back(judge(about, done[i].result));
    scenarios.push_back(to_json(*selected[i], done[i]));
    out.print((i == 0 ? "" : "\n\n") + explanation(out, options, about, done[i]));
    if (options.models) {
      scenarios.back()["models"] = to_json(by_model[i]);
      out.print("\n" + in_words(by_model[i], out));
    }
    write_drawings(files, done[i].result, picture_of(options, about));
  }
  if (files.wanted("--save")) {
    const verify::result& r = done.front().result;
    if (r.violation && !r.violation->no_path.empty())
      throw usage_error("--save: " + why_not_replayed(*r.violation));
    const bool found = r.violation && !r.violation->path.empty();
    if (!found && r.outcome != verify::verdict::incomplete) {
      throw usage_error("--save: there is no counterexample of " +
                        std::string(selected.front()->about.name) + " to save");
    }
    if (found) {
      files.write("--save", dump(saved(*selected.front(), options.changes, r), 2));
    } else {
      out.print("\nNo counterexample has been found so far, so --save writes nothing.\n");
      files.leave("--save");
    }
  }
  whole["model"] = to_string(options.model);
  whole["exit_status"] =
      static_cast<int>(status_of(standings, options.accept_incomplete && !interrupted()));
  whole["scenarios"] = std::move(scenarios);
  write_json(files, whole);
  files.save();
  return status_of(standings, options.accept_incomplete && !interrupted());
}

}  // namespace

command explain_command(program& p) {
  command c{"explain", "Show the counterexample of a scenario, step by step", ""};
  auto options = std::make_shared<explain_options>();
  add_common(c, *options);
  add_limits(c, *options);
  add_parts(c, *options);
  add_reexecutions(c, options->reexecutions);
  add_symmetry(c, *options);
  add_changes(c, *options);
  c.option("--steps", options->steps, "N", "Show at most N steps; 0: all, and the whole set-up")
      .must(whole_number(0, ~std::uint64_t{0}))
      .showing_default(options->steps);
  c.flag("--labels", options->labels,
         "Cite places in the source by label or function instead of by line, so that the text "
         "stays the same when lines move");
  c.flag("--models", options->models,
         "Find the first model under which there is a violation: sequential consistency, rc20 or "
         "xc20");
  c.file("--dot", options->dot, "Write the execution graph to FILE for Graphviz");
  c.file("--svg", options->svg, "Write the execution graph to FILE as a picture");
  c.file("--save", options->save, "Write the counterexample to FILE, to be replayed");
  c.file("--replay", options->replay,
         "Reproduce the counterexample in FILE in this process, for a debugger");
  options->examples = most_examples;
  options->shorten = runs_to_shorten;
  c.option("--shorten", options->shorten, "N",
           "Try N more runs for a shorter counterexample; 0: show the first")
      .must(whole_number(0, ~std::uint64_t{0}))
      .showing_default(options->shorten);
  c.run = [options, &p] { return explain(*options, p); };
  return c;
}

}  // namespace fencepost::cli
