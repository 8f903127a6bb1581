// The options of all commands, and of those that explore.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/screen.hpp"
#include "run/entry.hpp"
#include "run/workers.hpp"

namespace fencepost::cli {

// Options of every command.
struct common_options {
  std::vector<std::string> patterns;
  std::string json;
  unsigned jobs = 1;
  verify::memory_model model = verify::memory_model::rc20;
  when color = when::automatic;
};

// How many runs explain tries by default to find a shorter counterexample.
inline constexpr std::uint64_t runs_to_shorten = 5'000;
// How long verify and check try.
inline constexpr std::chrono::seconds time_to_shorten{5};
inline constexpr std::size_t most_examples = 16;  // of a scenario that holds, one for each outcome

// Options of the commands that explore.
struct limit_options {
  std::uint64_t max_executions = 0;
  double timeout = 0;         // seconds
  std::uint64_t shorten = 0;  // see verify::options
  std::vector<verify::order_change> changes = {};
  std::size_t examples = 0;
  std::uint64_t samples = 0;
  std::size_t probes = 0;  // see verify::options
  std::optional<std::uint64_t> seed = {};
  std::optional<unsigned> preemptions = {};
  std::optional<unsigned> reexecutions = {};
  bool accept_incomplete = false;
  bool symmetry = true;  // see verify::options
  bool from_beginning = false;
  bool recheck = false;  // see verify::options
  // For exploring in several sittings; see verify::options.
  std::string resume = {};
  std::function<void(const std::string&)> on_checkpoint = {};
  std::size_t parts = 0;
  double before_parts = 1;  // seconds
};

// Throws usage_error for options that do not go together.
void require_one_part(const std::string& command, const common_options&, const limit_options&);
// Throws usage_error for an option that does not work under this model, such as --resume.
void require_all_of_it(const std::string& command, verify::memory_model, const std::string& option);
// Returns " --random 100 --seed 1", for a command that shows the same.
std::string part_as_arguments(const limit_options&);
// Throws usage_error for a change that affects no scenario that ran.
void require_all_met(const std::vector<verify::order_change>&,
                     const std::vector<const entry*>& selected, const std::vector<finished_job>&);
// Returns " --weaken FILE:LINE=ORDER" for each, for a command that shows the same.
std::string as_arguments(const std::vector<verify::order_change>&);

std::chrono::milliseconds milliseconds_of(double seconds);  // rounded up

verify::options options_for(const entry&, const common_options&, const limit_options&);

}  // namespace fencepost::cli
