#include "command.hpp"

#include <sched.h>

#include <charconv>
#include <cmath>
#include <thread>

#include "program.hpp"
#include "usage.hpp"
#include "weaken.hpp"

#if !defined(FENCEPOST_VERSION)
#define FENCEPOST_VERSION "0"
#endif

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
            throw CLI::ValidationError(name, "'" + given + "' is not one of " + names);
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

void add_output(CLI::App& command, common_options& options, const std::string& what) {
  if (!what.empty()) {
    command
        .add_option("patterns", options.patterns,
                    "Names of scenarios; *, ? and [...] match as in a shell, a folder stands for "
                    "all that is in it")
        ->type_name(what);
  }
  command.add_option("--json", options.json, "Write the results to FILE, - for standard output")
      ->type_name("FILE");
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
  command.add_flag("!--no-symmetry", options.symmetry,
                   "Explore also executions that differ only by which of the threads that a "
                   "scenario declares alike is which");
}

void add_recheck(CLI::App& command, limit_options& options) {
  command.add_flag("--recheck", options.recheck,
                   "Judge each graph that is explored by the axioms of the model as well, a second "
                   "implementation; takes several times as long");
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
          "Another order for the accesses at one place of the source, such as "
          "deque/chase_lev.hpp:193=relaxed, or at a label, such as "
          "deque/chase_lev.hpp:steal.take=relaxed; ORDER: relaxed, acquire, release, acq_rel, "
          "seq_cst, "
          "failure:ORDER, weak, removed (a fence)")
      ->type_name("FILE:LINE[:COLUMN]=ORDER|FILE:LABEL=ORDER")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
}

int run(int argc, const char* const* argv, const std::vector<entry>& entries) {
  program p{entries, argc > 0 ? argv[0] : "fencepost", {}};
  CLI::App app("A model checker for C++20 concurrency, and the scenarios that it checks.",
               "fencepost");
  app.set_version_flag("--version", "fencepost " FENCEPOST_VERSION);
  app.set_help_flag("-h,--help", "Print this and exit");
  app.require_subcommand(1);
  app.footer(
      "Exit status: 0 all as expected; 1 something is not; 2 wrong usage or bad input;\n"
      "3 a limit was hit, or an interrupt came, before the exploration was complete\n"
      "(0 with --accept-incomplete, unless it was an interrupt).\n");
  add_list(app, p);
  add_verify(app, p);
  add_explain(app, p);
  add_litmus(app, p);
  add_necessity(app, p);
  add_certificate(app, p);
  add_labels(app, p);
  add_stress(app, p);

  const auto refuse = [&](const std::string& message) {
    std::fprintf(stderr, "fencepost: %s\n", message.c_str());
    return exit_usage;
  };
  try {
    app.parse(argc, argv);
    return p.action();
  } catch (const CLI::ParseError& e) {
    if (e.get_exit_code() == 0) return app.exit(e);
    const std::string first = argc > 1 ? argv[1] : "-";
    std::string command;
    std::string names;
    for (const CLI::App* a : app.get_subcommands({})) {
      if (a->get_name() == first) command = first + " ";
      names += (names.empty() ? "" : ", ") + a->get_name();
    }
    if (command.empty() && !first.starts_with('-')) {
      return refuse("there is no command '" + first + "'; the commands are " + names);
    }
    return refuse(std::string(e.what()) + "\n'fencepost " + command +
                  "--help' shows what there is");
  } catch (const usage_error& e) {
    return refuse(e.what());
  } catch (const std::exception& e) {
    return refuse(e.what());
  }
}

}  // namespace fencepost::cli
