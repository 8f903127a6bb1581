// fencepost shard, run-shard and merge: one exploration on several machines.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

#include "base/interrupts.hpp"
#include "base/json.hpp"
#include "base/names.hpp"
#include "base/output_file.hpp"
#include "base/replaced_file.hpp"
#include "base/shell_word.hpp"
#include "base/this_program.hpp"
#include "base/usage.hpp"
#include "commands/shared_options.hpp"
#include "fencepost/verify/report.hpp"
#include "result_json/result_json.hpp"
#include "run/finished_job.hpp"
#include "run/judgement.hpp"
#include "run/run_scenarios.hpp"
#include "run/shards.hpp"

namespace fencepost::cli {
namespace {

using verify::grouped;

constexpr std::size_t most_shards = 100'000;

struct shard_options : common_options, limit_options {
  std::size_t into = 0;
  std::string output;
};

struct run_shard_options : common_options, limit_options {
  std::string folder;
  std::size_t number = 0;
};

struct merge_options : common_options, limit_options {
  std::string folder;
  std::string next;
  std::size_t into = 0;
};

std::string counted(std::size_t n, const std::string& what) {
  return grouped(n) + " " + what + (n == 1 ? "" : "s");
}

// "0, 1, 2, 7 and 12 more".
std::string listed(std::vector<std::size_t> numbers) {
  constexpr std::size_t most = 20;
  std::sort(numbers.begin(), numbers.end());
  std::vector<std::string> some;
  for (std::size_t i = 0; i < std::min(numbers.size(), most); ++i)
    some.push_back(std::to_string(numbers[i]));
  return joined(some) +
         (numbers.size() > most ? " and " + std::to_string(numbers.size() - most) + " more" : "");
}

finished_job explore(const entry& e, const common_options& common, const limit_options& limits,
                     screen& out) {
  return run_scenarios({&e}, common, limits, out, [](std::size_t, const finished_job&) {}).front();
}

// Returns the numbers of an exploration, without a verdict.
std::string counts(const verify::result& r) {
  return fmt::format("{} executions, {} blocked, {}", grouped(r.executions), grouped(r.blocked),
                     verify::duration(r.seconds));
}

std::string merge_of(const std::string& folder) {
  return this_program().name + " merge " + shell_word(folder);
}

// ---- shard ----

int run_shard_up(const shard_options& options, const program& p) {
  const std::vector<const entry*> selected = select(p.entries, options.patterns);
  if (selected.size() != 1) {
    throw usage_error("shard: name one scenario to divide; " + std::to_string(selected.size()) +
                      " match");
  }
  const entry& e = *selected.front();
  const std::string manifest = shards::new_manifest("--output", options.output);
  screen out(stdout, options.color);
  const explored_thing what = explored_by(e, options, options);
  limit_options limits = static_cast<const limit_options&>(options);
  limits.parts = options.into;
  std::string left;
  limits.on_checkpoint = [&](const std::string& state) {
    write_stopped_run("--output", manifest, what, state);
  };
  const finished_job done = explore(e, options, limits, out);
  if (interrupted() ||
      (done.result.limit != "parts" && done.result.outcome == verify::verdict::incomplete)) {
    out.print(fmt::format("{}: {}\n", e.about.name, describe(e.about, done.result)));
    return exit_incomplete;
  }
  const std::size_t parts = shards("shard", options.output).count();
  if (parts == 0) {
    out.print(fmt::format(
        "{} was completely explored before it could be divided into {}: {}.\nTo judge it: {}\n",
        e.about.name, counted(options.into, "part"), counts(done.result),
        merge_of(options.output)));
    return exit_as_expected;
  }
  out.print(
      fmt::format("{} is divided into {}, in {}.\nNext: {} run-shard {} N, for N from "
                  "0 to {}, on any machine with this program; then {}\n",
                  e.about.name, counted(parts, "shard"), options.output, this_program().name,
                  shell_word(options.output), parts - 1, merge_of(options.output)));
  return exit_as_expected;
}

// ---- run-shard ----

int run_one_shard(run_shard_options options, const program& p) {
  const shards all("run-shard", options.folder);
  const entry& e = entry_of("run-shard", all.what(), p.entries);
  take_options("run-shard", all.what(), options, options);
  verify::checkpoint part = all.part(options.number);
  screen out(stdout, options.color);
  const std::string name = fmt::format("shard {} of {}", options.number, e.about.name);
  try {
    if (std::optional<verify::checkpoint> before = all.explored(options.number))
      part = *std::move(before);
  } catch (const unreadable_run& damaged) {
    out.print(std::string(damaged.what()) + "; it is explored again\n");
  }
  if (part.parts() == 0) {
    out.print(name + " has already been explored\n");
    return exit_as_expected;
  }
  const std::string file = all.file(options.number);
  const replaced_file can_be_written("run-shard", file);
  options.resume = part.text();
  options.on_checkpoint = [&](const std::string& state) {
    write_stopped_run("run-shard", file, all.what(), state);
  };
  const finished_job done = explore(e, options, options, out);
  const verify::result& r = done.result;
  if (r.limit == "part" || r.limit == "learned") {
    out.print(fmt::format("{}: {}\n", name, counts(r)));
    return exit_as_expected;
  }
  out.print(fmt::format("{}: {}, {}\n", name, describe(e.about, r), counts(r)));
  if (r.outcome == verify::verdict::incomplete) return exit_incomplete;
  out.print("To see the counterexample: " + merge_of(options.folder) + "\n");
  return judge(e.about, r) == standing::as_expected ? exit_as_expected : exit_unexpected;
}

// ---- merge ----

json to_json(const shards::merged& all, std::size_t count) {
  json j{{"shards", count},
         {"missing", all.missing},
         {"unfinished", all.unfinished},
         {"executions", all.state.executions()},
         {"complete", all.state.is_complete()}};
  if (const auto whole = all.state.whole()) j["estimate"] = verify::to_json(*whole);
  return j;
}

std::string what_is_left(const shards::merged& all, const merge_options& options,
                         const verify::result& now) {
  std::string text;
  for (const std::string& why : all.unreadable) text += why + "\n";
  if (!all.missing.empty()) text += "Not explored: shard " + listed(all.missing) + "\n";
  if (!all.unfinished.empty()) text += "Incomplete: shard " + listed(all.unfinished) + "\n";
  if (all.state.parts() == 0 && !all.state.is_complete())
    text += "The shards have shown how the program waits, which changes what has to be explored.\n";
  if (all.state.is_complete() || all.state.is_violated()) return text;
  if (now.outcome != verify::verdict::incomplete)
    return text + "So little was left that it was explored before it could be divided.\n";
  return text +
         (options.next.empty()
              ? "Run these shards, or write the unexplored rest as new ones: --next DIR"
              : "The unexplored rest is in " + options.next) +
         "\n";
}

int run_merge(merge_options options, const program& p) {
  if (options.into != 0 && options.next.empty())
    throw usage_error("merge: --into needs --next DIR, the folder for the new parts");
  const shards from("merge", options.folder);
  const entry& e = entry_of("merge", from.what(), p.entries);
  take_options("merge", from.what(), options, options);
  output_files files("merge", {{"--json", options.json}});
  screen out(files.text(), options.color);
  const shards::merged all = from.merge();

  options.resume = all.state.text();
  options.parts = 1;
  if (!options.next.empty() && !all.state.is_complete()) {
    options.parts = options.into != 0 ? options.into : std::max<std::size_t>(from.count(), 1);
    const std::string manifest = shards::new_manifest("--next", options.next);
    options.on_checkpoint = [&, manifest](const std::string& state) {
      write_stopped_run("--next", manifest, from.what(), state);
    };
  }
  const finished_job done = explore(e, options, options, out);
  const verify::result& r = done.result;
  const standing s = judge(e.about, r);
  const tint colour = s == standing::as_expected  ? tint::good
                      : s == standing::unexpected ? tint::bad
                                                  : tint::warning;
  out.print(fmt::format("{}: {}\n{} in {}\n", e.about.name,
                        out.tinted(colour, describe(e.about, r)), counts(r),
                        counted(from.count(), "shard")) +
            what_is_left(all, options, r));
  if (s == standing::unexpected && r.violation) {
    verify::text_style style;
    style.width = out.width();
    style.color = out.color();
    out.print("\n" + to_text(*r.violation, style));
  }
  if (r.violation && !all.state.is_complete())
    out.print("\nAnother violation, which comes before this one, may be in the unexplored rest.\n");
  const exit_status status = status_of({s}, options.accept_incomplete && !interrupted());
  json whole = document("merge");
  whole["exit_status"] = static_cast<int>(status);
  whole["parts"] = to_json(all, from.count());
  whole["scenarios"] = json::array({to_json(e, done)});
  write_json(files, whole);
  files.save();
  return status;
}

// Adds the options that all three commands have. None of them changes what is explored, which is in
// the manifest.
void add_running(command& c, common_options& common) {
  add_jobs(c, common);
  add_color(c, common);
}

argument& folder_argument(command& c, std::string& folder) {
  return c
      .option("folder", folder, "DIR",
              "The folder that " + this_program().name + " shard has written")
      .must(file_name())
      .is_required();
}

}  // namespace

command shard_command(program& p) {
  command c{
      "shard", "Divide the exploration of a scenario into parts, for several machines",
      "Exit status: 0 it was divided, or completely explored first; 2 wrong usage or bad input;\n"
      "3 an interrupt came first.\n"};
  auto options = std::make_shared<shard_options>();
  add_patterns(c, *options, "NAME");
  add_running(c, *options);
  add_model(c, *options);
  c.option("--into", options->into, "N", "Divide into at least N parts")
      .must(whole_number(1, most_shards))
      .is_required();
  c.option("--first", options->before_parts, "SECONDS",
           "Explore for SECONDS of processor time before dividing the rest; default: 1, in which "
           "most programs show how they wait")
      .must(positive_seconds());
  c.option("--output", options->output, "DIR", "A new folder for the parts")
      .must(file_name())
      .is_required();
  c.option("--bound", options->preemptions, "N",
           "Explore only the executions with at most N preemptions; the others remain unknown")
      .must(whole_number(0, 1000));
  add_symmetry(c, *options);
  add_recheck(c, *options);
  add_changes(c, *options);
  c.run = [options, &p] { return run_shard_up(*options, p); };
  return c;
}

command run_shard_command(program& p) {
  command c{
      "run-shard", "Explore one of the parts, or continue one that was stopped",
      "Exit status: 0 the part was explored; 1 there is an unexpected violation; 2 wrong usage\n"
      "or bad input; 3 it was stopped, and can be continued.\n"};
  auto options = std::make_shared<run_shard_options>();
  folder_argument(c, options->folder);
  c.option("number", options->number, "N", "The number of the part, from 0")
      .must(whole_number(0, most_shards))
      .is_required();
  add_running(c, *options);
  add_limits(c, *options);
  c.run = [options, &p] { return run_one_shard(*options, p); };
  return c;
}

command merge_command(program& p) {
  command c{"merge", "Judge a scenario by the results of its parts", ""};
  auto options = std::make_shared<merge_options>();
  folder_argument(c, options->folder);
  c.option("--next", options->next, "DIR",
           "Write the unexplored rest as new parts, to a new folder")
      .must(file_name());
  c.option("--into", options->into, "N",
           "With --next: at least N parts; default: as many as before")
      .must(whole_number(1, most_shards));
  add_running(c, *options);
  c.file("--json", options->json, "Write the results to FILE, - for standard output");
  c.flag("--accept-incomplete", options->accept_incomplete,
         "Exit with 0 even if parts are missing, if nothing unexpected was found");
  c.run = [options, &p] { return run_merge(*options, p); };
  return c;
}

}  // namespace fencepost::cli
