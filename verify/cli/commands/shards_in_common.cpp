#include "commands/shards_in_common.hpp"

#include <fmt/format.h>

#include "base/shell_word.hpp"
#include "base/this_program.hpp"
#include "fencepost/verify/report.hpp"
#include "run/run_scenarios.hpp"

namespace fencepost::cli {

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

finished_job explore_one(const entry& e, const common_options& common, const limit_options& limits,
                         screen& out) {
  return run_scenarios({&e}, common, limits, out, [](std::size_t, const finished_job&) {}).front();
}

std::string counted(std::size_t n, const std::string& what) {
  return verify::grouped(n) + " " + what + (n == 1 ? "" : "s");
}

std::string counts_of(const verify::result& r) {
  return fmt::format("{} executions, {} blocked, {}", verify::grouped(r.executions),
                     verify::grouped(r.blocked), verify::duration(r.seconds));
}

std::string merge_of(const std::string& folder) {
  return this_program().name + " merge " + shell_word(folder);
}

}  // namespace fencepost::cli
