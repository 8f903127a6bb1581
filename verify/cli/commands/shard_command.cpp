// fencepost shard: divides an exploration into parts, for several machines.
#include <fmt/format.h>

#include <memory>

#include "base/interrupts.hpp"
#include "base/names.hpp"
#include "base/shell_word.hpp"
#include "base/this_program.hpp"
#include "base/usage.hpp"
#include "commands/shards_in_common.hpp"
#include "run/judgement.hpp"
#include "run/shards.hpp"

namespace fencepost::cli {
namespace {

struct shard_options : common_options, limit_options {
  std::size_t into = 0;
  std::string output;
};

int divide(const shard_options& options, const program& p) {
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
  limits.on_checkpoint = [&](const std::string& state) {
    write_stopped_run("--output", manifest, what, state);
  };
  const finished_job done = explore_one(e, options, limits, out);
  if (interrupted() ||
      (done.result.limit != "parts" && done.result.outcome == verify::verdict::incomplete)) {
    out.print(fmt::format("{}: {}\n", e.about.name, describe(e.about, done.result)));
    return exit_incomplete;
  }
  const std::size_t parts = shards("shard", options.output).count();
  if (parts == 0) {
    out.print(fmt::format(
        "{} was completely explored before it could be divided into {}: {}.\nTo judge it: {}\n",
        e.about.name, counted(options.into, "part"), counts_of(done.result),
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
  c.run = [options, &p] { return divide(*options, p); };
  return c;
}

}  // namespace fencepost::cli
