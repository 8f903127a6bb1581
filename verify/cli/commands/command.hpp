// What the commands share: how one is added to the program, and its options to it. CLI11 takes
// seconds to compile: this is for those that read arguments.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "fencepost/stress/processors.hpp"
#include "run/entry.hpp"
#include "run/options.hpp"

namespace fencepost::cli {

struct necessity_options;

struct program {
  const std::vector<entry>& entries;
  std::string name;  // as the user called it
  std::function<int()> action = {};
};

// All commands and their options (program.cpp). What is parsed sets the action.
std::unique_ptr<CLI::App> make_application(program&);

// `what`: the name of the positional arguments, "" for none.
void add_common(CLI::App& command, common_options&, const std::string& what = "PATTERN");
void add_limits(CLI::App& command, limit_options&);
// For what is too large: --random, --seed, --bound, --accept-incomplete.
void add_parts(CLI::App& command, limit_options&);
// --no-symmetry.
void add_symmetry(CLI::App& command, limit_options&);
// --recheck.
void add_recheck(CLI::App& command, limit_options&);
// --weaken.
void add_changes(CLI::App& command, limit_options&);
// --headers, --sources, --nightly, --cache (necessity_command.cpp).
void add_search(CLI::App& command, necessity_options&);
// Of add_common(): the names of scenarios, --json, --color.
void add_output(CLI::App& command, common_options&, const std::string& what);
// --affinity none|same-core|smt|other-core|all.
void add_placement(CLI::App& command, const std::string& name, std::optional<stress::placement>&,
                   const std::string& description);
// An option for the name of a file, which is not empty.
void add_file(CLI::App& command, const std::string& name, std::string& path,
              const std::string& description);
CLI::Validator file_name();
// A number of seconds, such as 30 or 0.5.
CLI::Validator positive_seconds();
// Decimal digits and nothing else: CLI11 takes -1 for a large number.
CLI::Validator whole_number(std::uint64_t least, std::uint64_t most);

void add_list(CLI::App&, program&);
void add_verify(CLI::App&, program&);
void add_explain(CLI::App&, program&);
void add_litmus(CLI::App&, program&);
void add_necessity(CLI::App&, program&);
void add_certificate(CLI::App&, program&);
void add_labels(CLI::App&, program&);
void add_stress(CLI::App&, program&);

}  // namespace fencepost::cli
