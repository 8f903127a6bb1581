#include "commands/command.hpp"

#include <sched.h>

#include <charconv>
#include <cmath>
#include <thread>

#include "base/names.hpp"
#include "base/usage.hpp"
#include "source/weaken.hpp"

namespace fencepost::cli {
namespace {

unsigned available_cores() {
#if defined(__linux__)
  cpu_set_t set;
  if (::sched_getaffinity(0, sizeof set, &set) == 0) {
    return static_cast<unsigned>(std::max(CPU_COUNT(&set), 1));
  }
#endif
  return std::max(std::thread::hardware_concurrency(), 1U);
}

// An option with one of a few words for a value.
template <class Value>
void add_choice(CLI::App& command, const std::string& name, Value& value,
                std::vector<std::pair<std::string, Value>> words, const std::string& description) {
  std::string names;
  for (const auto& [word, meant] : words) names += (names.empty() ? "" : "|") + word;
  command
      .add_option_function<std::string>(
          name,
          [&value, words, names, name](const std::string& given) {
            for (const auto& [word, meant] : words) {
              if (word == given) {
                value = meant;
                return;
              }
            }
            std::vector<std::string_view> near;
            for (const auto& [word, meant] : words) near.push_back(word);
            throw CLI::ValidationError(
                name, "'" + given + "' is not one of " + names + did_you_mean(given, near));
          },
          description)
      ->type_name(names);
}

}  // namespace

CLI::Validator positive_seconds() {
  return CLI::Validator(
      [](const std::string& text) {
        char* rest = nullptr;
        const double value = std::strtod(text.c_str(), &rest);
        if (!text.empty() && *rest == '\0' && std::isfinite(value) && value >= 0.001 &&
            value <= 1e9) {
          return std::string();
        }
        return "'" + text + "' is not a number of seconds, such as 30 or 0.5";
      },
      "");
}

CLI::Validator whole_number(std::uint64_t least, std::uint64_t most) {
  const std::string range = std::to_string(least) + " to " + std::to_string(most);
  return CLI::Validator(
      [=](const std::string& text) {
        std::uint64_t value = 0;
        const char* const end = text.data() + text.size();
        const auto [rest, error] = std::from_chars(text.data(), end, value);
        if (error == std::errc() && rest == end && value >= least && value <= most) {
          return std::string();
        }
        return "'" + text + "' is not a whole number from " + range;
      },
      "");
}

CLI::Validator file_name() {
  return CLI::Validator(
      [](const std::string& text) {
        return text.empty() ? "the name of the file is empty" : std::string();
      },
      "");
}

void add_file(CLI::App& command, const std::string& name, std::string& path,
              const std::string& description) {
  command.add_option(name, path, description)->type_name("FILE")->check(file_name());
}

void add_output(CLI::App& command, common_options& options, const std::string& what) {
  if (!what.empty()) {
    command
        .add_option("patterns", options.patterns,
                    "Names of scenarios; *, ? and [...] match as in a shell, a folder stands for "
                    "all that is in it")
        ->type_name(what);
  }
  add_file(command, "--json", options.json, "Write the results to FILE, - for standard output");
  add_choice<when>(command, "--color", options.color,
                   {{"auto", when::automatic}, {"always", when::always}, {"never", when::never}},
                   "Colours; auto: on a terminal, unless NO_COLOR is set");
}

void add_placement(CLI::App& command, const std::string& name,
                   std::optional<stress::placement>& value, const std::string& description) {
  std::vector<std::pair<std::string, std::optional<stress::placement>>> words;
  for (const stress::placement p : stress::every_placement) words.emplace_back(to_string(p), p);
  words.emplace_back("all", std::nullopt);
  add_choice<std::optional<stress::placement>>(command, name, value, words, description);
}

void add_common(CLI::App& command, common_options& options, const std::string& what) {
  using verify::memory_model;
  add_output(command, options, what);
  options.jobs = available_cores();
  command.add_option("-j,--jobs", options.jobs, "Scenarios side by side; default: one a core")
      ->type_name("N")
      ->check(whole_number(1, 1024));
  add_choice<memory_model>(
      command, "--model", options.model,
      {{"rc20", memory_model::rc20}, {"rc11", memory_model::rc11}, {"c++20", memory_model::cpp20}},
      "The reading of the memory model; default: rc20, the weakest");
}

void add_limits(CLI::App& command, limit_options& options) {
  command
      .add_option("--max-executions", options.max_executions,
                  "Give a scenario up as incomplete after so many executions")
      ->type_name("N")
      ->check(whole_number(1, ~std::uint64_t{0}));
  command
      .add_option("--timeout", options.timeout,
                  "Give a scenario up as incomplete after so many seconds")
      ->type_name("SECONDS")
      ->check(positive_seconds());
}

void add_parts(CLI::App& command, limit_options& options) {
  command
      .add_option("--random", options.samples,
                  "Run N random executions of each scenario instead of exploring all; what is not "
                  "found so is unknown")
      ->type_name("N")
      ->check(whole_number(1, ~std::uint64_t{0}));
  command
      .add_option("--seed", options.seed,
                  "Other random executions; the same for the same SEED; "
                  "default: 1")
      ->type_name("SEED")
      ->check(whole_number(0, ~std::uint64_t{0}));
  command
      .add_option(
          "--bound", options.preemptions,
          "Explore the executions with at most N preemptions; of the others nothing is known")
      ->type_name("N")
      ->check(whole_number(0, 1000));
  command.add_flag("--accept-incomplete", options.accept_incomplete,
                   "Exit with 0 although a limit was hit, if nothing unexpected was found");
}

void add_symmetry(CLI::App& command, limit_options& options) {
  command.add_flag_callback(
      "--no-symmetry", [&options] { options.symmetry = false; },
      "Explore also executions that differ only by which of the threads that a scenario declares "
      "symmetric is which");
}

void add_recheck(CLI::App& command, limit_options& options) {
  command.add_flag("--recheck", options.recheck,
                   "Judge each graph that is explored by the axioms of the model as well, a second "
                   "implementation; takes about three times as long");
}

void add_changes(CLI::App& command, limit_options& options) {
  command
      .add_option_function<std::vector<std::string>>(
          "--weaken",
          [&options](const std::vector<std::string>& given) {
            for (const std::string& text : given) {
              try {
                options.changes.push_back(change_from(text));
              } catch (const std::invalid_argument& e) {
                throw CLI::ValidationError("--weaken", e.what());
              }
            }
          },
          "Another order for the accesses at a place of the source: at a label, such as "
          "deque/chase_lev.hpp:steal.take=relaxed, or in a line; ORDER: relaxed, acquire, release, "
          "acq_rel, seq_cst, failure:ORDER, weak, removed (a fence); may be given several times")
      ->type_name("FILE:LABEL=ORDER|FILE:LINE[:COLUMN]=ORDER")
      ->allow_extra_args(false)  // what follows its value is a pattern
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
}

}  // namespace fencepost::cli
