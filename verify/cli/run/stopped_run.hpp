// Files with an exploration that was stopped: a checkpoint, the parts of one that are to be
// explored elsewhere, or the result of such a part. They say what was explored, so that they are
// used for nothing else.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/json.hpp"
#include "base/usage.hpp"
#include "fencepost/verify/checkpoint.hpp"
#include "run/command_options.hpp"

namespace fencepost::cli {

// Identifies an exploration. If two are equal, they have the same search tree.
struct explored_thing {
  std::string scenario;
  std::string digest;  // of the code
  json how;            // {"model", "weaken", "bound", "symmetry"}, and whether it is rechecked
};

explored_thing explored_by(const entry&, const common_options&, const limit_options&);
// Sets the options as the file says. Throws usage_error, whose message begins with `from`, if one
// of them cannot be understood.
void take_options(const std::string& from, const explored_thing&, common_options&, limit_options&);
// Returns the scenario. Throws usage_error if there is none, or if its code has changed.
const entry& entry_of(const std::string& from, const explored_thing&, const std::vector<entry>&);

struct stopped_run {
  explored_thing what;
  verify::checkpoint state;
};

// Thrown for a file that is damaged: truncated, or changed.
struct unreadable_run : usage_error {
  using usage_error::usage_error;
};

// `option` is named in messages. Both throw usage_error; for a damaged file, unreadable_run.
stopped_run read_stopped_run(const std::string& option, const std::string& path);
// Writes the file whole or not at all.
void write_stopped_run(const std::string& option, const std::string& path, const explored_thing&,
                       const std::string& checkpoint);

// Throws usage_error unless both are the same: "OPTION: 'PATH' is of another ...".
void require_same(const std::string& option, const std::string& path, const explored_thing& found,
                  const explored_thing& wanted);

}  // namespace fencepost::cli
