// fencepost run-shard: explores one part, or continues it.
#include <fmt/format.h>

#include <memory>
#include <optional>
#include <utility>

#include "base/replaced_file.hpp"
#include "commands/shards_in_common.hpp"
#include "run/judgement.hpp"
#include "run/shards.hpp"

namespace fencepost::cli {
namespace {

struct run_shard_options : common_options, limit_options {
  std::string folder;
  std::size_t number = 0;
};

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
  const finished_job done = explore_one(e, options, options, out);
  const verify::result& r = done.result;
  if (r.limit == "part" || r.limit == "learned") {
    out.print(fmt::format("{}: {}\n", name, counts_of(r)));
    return exit_as_expected;
  }
  out.print(fmt::format("{}: {}, {}\n", name, describe(e.about, r), counts_of(r)));
  if (r.outcome == verify::verdict::incomplete) return exit_incomplete;
  out.print("To see the counterexample: " + merge_of(options.folder) + "\n");
  return judge(e.about, r) == standing::as_expected ? exit_as_expected : exit_unexpected;
}

}  // namespace

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

}  // namespace fencepost::cli
