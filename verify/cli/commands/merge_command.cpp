// fencepost merge: judges a scenario by the results of its parts.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <vector>

#include "base/interrupts.hpp"
#include "base/json.hpp"
#include "base/names.hpp"
#include "base/output_file.hpp"
#include "base/usage.hpp"
#include "commands/shards_in_common.hpp"
#include "fencepost/verify/report.hpp"
#include "result_json/result_json.hpp"
#include "run/judgement.hpp"
#include "run/shards.hpp"

namespace fencepost::cli {
namespace {

struct merge_options : common_options, limit_options {
  std::string folder;
  std::string next;
  std::size_t into = 0;
};

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
  const finished_job done = explore_one(e, options, options, out);
  const verify::result& r = done.result;
  const standing s = judge(e.about, r);
  const tint colour = s == standing::as_expected  ? tint::good
                      : s == standing::unexpected ? tint::bad
                                                  : tint::warning;
  out.print(fmt::format("{}: {}\n{} in {}\n", e.about.name,
                        out.tinted(colour, describe(e.about, r)), counts_of(r),
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

}  // namespace

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
