#include "command.hpp"

#include <sched.h>

#include <charconv>
#include <cmath>
#include <thread>

#include "judgement.hpp"
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

void require_one_part(const std::string& command, const limit_options& options) {
  if (options.samples != 0 && options.preemptions) {
    throw usage_error(command +
                      ": --random and --bound exclude each other: random executions are not "
                      "bounded; leave one out");
  }
  if (options.seed && options.samples == 0) {
    throw usage_error(command +
                      ": --seed is for --random; say how many executions: --random 10000");
  }
}

std::string part_as_arguments(const limit_options& options) {
  std::string text;
  if (options.samples != 0) text += " --random " + std::to_string(options.samples);
  if (options.seed) text += " --seed " + std::to_string(*options.seed);
  if (options.preemptions) text += " --bound " + std::to_string(*options.preemptions);
  return text;
}

void add_symmetry(CLI::App& command, limit_options& options) {
  command.add_flag("!--no-symmetry", options.symmetry,
                   "Explore also executions that differ only by which of the threads that a "
                   "scenario declares alike is which");
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

void require_all_met(const std::vector<verify::order_change>& changes,
                     const std::vector<finished_job>& done) {
  for (const verify::order_change& c : changes) {
    bool fits = false;
    std::string there;   // at the place
    std::string others;  // in the file
    for (const finished_job& d : done) {
      if (!d.ran) return;
      for (const verify::access_place& p : d.result.places) {
        fits = fits || (c.concerns(p.where) && c.fits(p.asked));
        if (c.concerns(p.where)) there = to_string(p.asked.what);
        if (c.concerns(p.where) && !c.name.empty()) require_same_source(c, p);
        const verify::order_change elsewhere{c.file, p.where.line};
        if (!elsewhere.concerns(p.where)) continue;
        const std::string name =
            " " + (c.name.empty() ? std::to_string(p.where.line) : place_name(p.where));
        if ((others + " ").find(name + " ") == std::string::npos) others += name;
      }
    }
    if (fits) continue;
    std::string why = "--weaken " + to_text(c) + ": ";
    if (!there.empty()) {
      why += "what stands there is a " + there + ", which has no such order";
    } else if (!others.empty()) {
      why += "the scenarios execute no atomic access or fence there; in this file they do ";
      why += c.name.empty() ? "in lines" : "at";
      why += others;
    } else {
      why += "the scenarios execute no atomic access or fence in such a file";
    }
    throw usage_error(why);
  }
}

std::string as_arguments(const std::vector<verify::order_change>& changes) {
  std::string text;
  for (const verify::order_change& c : changes) text += " --weaken " + to_text(c);
  return text;
}

std::chrono::milliseconds milliseconds_of(const limit_options& limits) {
  return std::chrono::milliseconds(static_cast<std::int64_t>(std::ceil(limits.timeout * 1000)));
}

verify::options options_for(const entry& e, const common_options& common,
                            const limit_options& limits) {
  verify::options o;
  o.name = std::string(e.about.name);
  o.model = common.model;
  o.spurious_failures = e.about.spurious_failures;
  o.spurious_wakeups = e.about.spurious_wakeups;
  o.reuse_addresses = e.about.reuse_addresses;
  o.timeouts = e.about.timeouts;
  o.outcomes = e.about.outcomes;
  o.max_executions = limits.max_executions;
  o.timeout = milliseconds_of(limits);
  o.shorten = limits.shorten;
  o.changes = limits.changes;
  o.examples = limits.examples;
  o.samples = limits.samples;
  o.seed = limits.seed.value_or(o.seed);
  o.preemptions = limits.preemptions;
  o.alike = e.about.alike;
  o.symmetry = limits.symmetry;
  return o;
}

json to_json(const entry& e, const finished_job& done) {
  json j = to_json(e.about);
  j["status"] = done.ran ? to_string(judge(e.about, done.result)) : "not run";
  j["result"] = to_json(done.result);
  if (!done.output.empty()) j["output"] = done.output;
  return j;
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
