// What the commands shard, run-shard and merge have in common: one exploration on several machines.
#pragma once

#include <cstddef>
#include <string>

#include "base/screen.hpp"
#include "commands/command.hpp"
#include "commands/shared_options.hpp"
#include "run/finished_job.hpp"

namespace fencepost::cli {

inline constexpr std::size_t most_shards = 100'000;

// Adds the options that all three commands have. None of them changes what is explored, which is in
// the manifest.
void add_running(command&, common_options&);
// Adds the folder that `shard` has written.
argument& folder_argument(command&, std::string& folder);

finished_job explore_one(const entry&, const common_options&, const limit_options&, screen&);

// "1 shard", "1,234 shards".
std::string counted(std::size_t n, const std::string& what);
// Returns the numbers of an exploration, without a verdict.
std::string counts_of(const verify::result&);
// The command that merges the shards of the folder.
std::string merge_of(const std::string& folder);

}  // namespace fencepost::cli
