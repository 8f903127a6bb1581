// What the commands are told: of every command, and of those that explore.
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

// Of every command.
struct common_options {
  std::vector<std::string> patterns;
  std::string json;
  unsigned jobs = 1;
  verify::memory_model model = verify::memory_model::rc20;
  when color = when::automatic;
};

// How many runs explain looks at for a shorter counterexample, unless it is told.
inline constexpr std::uint64_t runs_to_shorten = 5'000;
// How long verify and check do.
inline constexpr std::chrono::seconds time_to_shorten{5};
inline constexpr std::size_t most_examples = 16;  // of what holds, one an outcome

// Of the commands that explore.
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
  bool recheck = false;  // likewise
  // In several sittings; likewise.
  std::string resume = {};
  std::function<void(const std::string&)> on_checkpoint = {};
  std::size_t parts = 0;
  double before_parts = 1;  // seconds
};

// Throws usage_error for those that do not go together.
void require_one_part(const std::string& command, const common_options&, const limit_options&);
// Likewise for what cannot be done under this model: --resume.
void require_all_of_it(const std::string& command, verify::memory_model, const std::string& option);
// "--random 100 --seed 1", each with a space before it, for a command that shows the same.
std::string part_as_arguments(const limit_options&);
// Throws usage_error for a change that no scenario that ran has a use for.
void require_all_met(const std::vector<verify::order_change>&,
                     const std::vector<const entry*>& selected, const std::vector<finished_job>&);
// " --weaken FILE:LINE=ORDER" for each, for a command that shows the same.
std::string as_arguments(const std::vector<verify::order_change>&);

std::chrono::milliseconds milliseconds_of(double seconds);  // rounded up

verify::options options_for(const entry&, const common_options&, const limit_options&);

}  // namespace fencepost::cli
