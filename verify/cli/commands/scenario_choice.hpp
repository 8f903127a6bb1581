// Which of the scenarios that match verify explores.
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
// "(shard 2 of 4)", with a space before it; "" if it is all.
std::string in_words(const shard&);

// Without those of the nightly run, unless it is one or they are called by their names. Throws
// usage_error if none is left.
std::vector<const entry*> of_today(bool nightly, const std::vector<std::string>& patterns,
                                   std::vector<const entry*> all);
// Throws usage_error if it is empty.
std::vector<const entry*> of_shard(const shard&, const std::vector<const entry*>& all);

}  // namespace fencepost::cli
