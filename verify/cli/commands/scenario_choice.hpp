// Chooses those of the matching scenarios that verify explores.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "commands/command.hpp"
#include "run/entry.hpp"

namespace fencepost::cli {

// The k-th of n parts of the scenarios, for machines that share the work.
struct shard {
  std::size_t number = 1;
  std::size_t count = 1;
};

// --shard
argument shard_option(shard&);
// Returns " (shard 2 of 4)", or "" if there is only one shard.
std::string in_words(const shard&);

// Leaves out scenarios of the nightly run, unless this is one or the patterns name them in full.
// Throws usage_error if none remains.
std::vector<const entry*> of_today(bool nightly, const std::vector<std::string>& patterns,
                                   std::vector<const entry*> all);
// Returns the scenarios of the shard. Throws usage_error if it is empty.
std::vector<const entry*> of_shard(const shard&, const std::vector<const entry*>& all);

}  // namespace fencepost::cli
