// Options that several commands have.
#pragma once

#include <optional>
#include <string>

#include "commands/command.hpp"
#include "fencepost/stress/processors.hpp"
#include "run/command_options.hpp"

namespace fencepost::cli {

// `what`: the name of the positional arguments, "" for none.
void add_common(command&, common_options&, const std::string& what = "PATTERN");
// Parts of add_common(): the names of scenarios; --model; --jobs; --color.
void add_patterns(command&, common_options&, const std::string& what);
void add_model(command&, common_options&);
void add_jobs(command&, common_options&);
void add_jobs(command&, unsigned&, const std::string& what);
void add_color(command&, common_options&);
// A part of add_common(): the names of scenarios, --json, --color.
void add_output(command&, common_options&, const std::string& what);
void add_limits(command&, limit_options&);
// For spaces that are too large: --random, --seed, --bound, --accept-incomplete.
void add_parts(command&, limit_options&);
// --reexecutions.
void add_reexecutions(command&, std::optional<unsigned>&);
// --no-symmetry.
void add_symmetry(command&, limit_options&);
// --from-beginning.
void add_from_beginning(command&, bool&);
// --recheck.
void add_recheck(command&, limit_options&);
// --weaken.
void add_changes(command&, limit_options&);
// --affinity none|same-core|smt|other-core|all.
void add_placement(command&, const std::string& name, std::optional<stress::placement>&,
                   const std::string& text);

struct necessity_options;
// --headers, --sources, --nightly, --cache (necessity_command.cpp).
void add_search(command&, necessity_options&);

}  // namespace fencepost::cli
