// What the commands share: their options, and how one is added to the program.
#pragma once

#include <CLI/CLI.hpp>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "entry.hpp"
#include "fencepost/stress/processors.hpp"
#include "json.hpp"
#include "screen.hpp"
#include "usage.hpp"
#include "workers.hpp"

namespace fencepost::cli {

struct program {
  const std::vector<entry>& entries;
  std::string name;  // as the user called it
  std::function<int()> action;
};

// Of every command.
struct common_options {
  std::vector<std::string> patterns;
  std::string json;
  unsigned jobs = 1;
  verify::memory_model model = verify::memory_model::rc20;
  when color = when::automatic;

  // The text, beside JSON on standard output, goes to standard error.
  std::FILE* text() const noexcept { return json == "-" ? stderr : stdout; }
};

// How many runs explain looks at for a shorter counterexample, unless it is told.
inline constexpr std::uint64_t runs_to_shorten = 5'000;

// Of the commands that explore.
struct limit_options {
  std::uint64_t max_executions = 0;
  double timeout = 0;         // seconds
  std::uint64_t shorten = 0;  // see verify::options
  std::vector<verify::order_change> changes = {};
  std::size_t examples = 0;
  std::uint64_t samples = 0;
  std::optional<std::uint64_t> seed = {};
  std::optional<unsigned> preemptions = {};
  bool accept_incomplete = false;
  bool symmetry = true;  // see verify::options
};

// `what`: the name of the positional arguments, "" for none.
void add_common(CLI::App& command, common_options&, const std::string& what = "PATTERN");
void add_limits(CLI::App& command, limit_options&);
// For what is too large: --random, --seed, --bound, --accept-incomplete.
void add_parts(CLI::App& command, limit_options&);
// Throws usage_error for those that do not go together.
void require_one_part(const std::string& command, const limit_options&);
// "--random 100 --seed 1", each with a space before it, for a command that shows the same.
std::string part_as_arguments(const limit_options&);
// --no-symmetry.
void add_symmetry(CLI::App& command, limit_options&);
// --weaken.
void add_changes(CLI::App& command, limit_options&);
// Throws usage_error for a change that no scenario that ran has a use for.
void require_all_met(const std::vector<verify::order_change>&, const std::vector<finished_job>&);
// " --weaken FILE:LINE=ORDER" for each, for a command that shows the same.
std::string as_arguments(const std::vector<verify::order_change>&);
// Of add_common(): the names of scenarios, --json, --color.
void add_output(CLI::App& command, common_options&, const std::string& what);
// --affinity none|same-core|smt|other-core|all.
void add_placement(CLI::App& command, const std::string& name, std::optional<stress::placement>&,
                   const std::string& description);
// A number of seconds, such as 30 or 0.5.
CLI::Validator positive_seconds();
// Decimal digits and nothing else: CLI11 takes -1 for a large number.
CLI::Validator whole_number(std::uint64_t least, std::uint64_t most);

std::chrono::milliseconds milliseconds_of(const limit_options&);

verify::options options_for(const entry&, const common_options&, const limit_options&);

// {"name", "claim", "expected", "threads", "status", "result", "output"}
json to_json(const entry&, const finished_job&);

void add_list(CLI::App&, program&);
void add_verify(CLI::App&, program&);
void add_explain(CLI::App&, program&);
void add_litmus(CLI::App&, program&);
void add_necessity(CLI::App&, program&);
void add_certificate(CLI::App&, program&);
void add_labels(CLI::App&, program&);
void add_stress(CLI::App&, program&);

// The whole program: the exit status.
int run(int argc, const char* const* argv, const std::vector<entry>&);

}  // namespace fencepost::cli
