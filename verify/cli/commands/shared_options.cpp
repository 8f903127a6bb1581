#include "commands/shared_options.hpp"

#include <fmt/format.h>
#include <sched.h>

#include <thread>

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

}  // namespace

void add_patterns(command& c, common_options& options, const std::string& what) {
  c.option("patterns", options.patterns, what,
           "Names of scenarios; *, ? and [...] match as in a shell, and a folder stands for "
           "everything in it");
}

void add_output(command& c, common_options& options, const std::string& what) {
  if (!what.empty()) add_patterns(c, options, what);
  c.file("--json", options.json, "Write the results to FILE, - for standard output");
  add_color(c, options);
}

void add_color(command& c, common_options& options) {
  c.choice<when>("--color", options.color,
                 {{"auto", when::automatic}, {"always", when::always}, {"never", when::never}},
                 "Colours; auto: on a terminal, unless NO_COLOR is set");
}

void add_jobs(command& c, unsigned& jobs, const std::string& what) {
  jobs = available_cores();
  c.option("-j,--jobs", jobs, "N", "Processes: " + what + "; default: one per core")
      .must(whole_number(1, 1024));
}
void add_jobs(command& c, common_options& options) {
  add_jobs(c, options.jobs, "scenarios side by side, and parts of a long one");
}

void add_placement(command& c, const std::string& name, std::optional<stress::placement>& value,
                   const std::string& text) {
  std::vector<std::pair<std::string, std::optional<stress::placement>>> words;
  for (const stress::placement p : stress::every_placement) words.emplace_back(to_string(p), p);
  words.emplace_back("all", std::nullopt);
  c.choice<std::optional<stress::placement>>(name, value, words, text);
}

void add_common(command& c, common_options& options, const std::string& what) {
  add_output(c, options, what);
  add_jobs(c, options);
  add_model(c, options);
}

void add_model(command& c, common_options& options) {
  using verify::memory_model;
  c.choice<memory_model>("--model", options.model,
                         {{"rc20", memory_model::rc20},
                          {"rc11", memory_model::rc11},
                          {"c++20", memory_model::cpp20},
                          {"xc20", memory_model::xc20}},
                         "The reading of the memory model; default: rc20, the weakest one without "
                         "load buffering; xc20 has load buffering");
}

void add_limits(command& c, limit_options& options) {
  c.option("--max-executions", options.max_executions, "N",
           "Stop a scenario as incomplete after N executions")
      .must(whole_number(1, ~std::uint64_t{0}));
  c.option("--timeout", options.timeout, "SECONDS", "Stop a scenario as incomplete after SECONDS")
      .must(positive_seconds());
}

void add_parts(command& c, limit_options& options) {
  c.option("--random", options.samples, "N",
           "Run N random executions of each scenario instead of exploring all; the others remain "
           "unknown")
      .must(whole_number(1, ~std::uint64_t{0}));
  c.option("--seed", options.seed, "SEED",
           "Seed of the random executions; the same seed repeats them; "
           "default: 1")
      .must(whole_number(0, ~std::uint64_t{0}));
  c.option("--bound", options.preemptions, "N",
           "Explore only the executions with at most N preemptions; the others remain unknown")
      .must(whole_number(0, 1000));
  c.flag("--accept-incomplete", options.accept_incomplete,
         "Exit with 0 even if a limit was hit, if nothing unexpected was found");
}

void add_reexecutions(command& c, std::optional<unsigned>& reexecutions) {
  c.option("--reexecutions", reexecutions, "N",
           fmt::format("Under xc20: at most N reads from the future, one upon the other; "
                       "default: {}",
                       verify::options{}.reexecutions))
      .must(whole_number(1, 100));
}

void add_symmetry(command& c, limit_options& options) {
  c.flag(
      "--no-symmetry", [&options] { options.symmetry = false; },
      "Also explore the executions that differ only by a permutation of the threads that a "
      "scenario declares symmetric");
}

void add_from_beginning(command& c, bool& from_beginning) {
  c.flag("--from-beginning", from_beginning,
         "Run each execution from its beginning, not from where it first differs from the one "
         "before; explores the same executions, more slowly");
}

void add_recheck(command& c, limit_options& options) {
  c.flag("--recheck", options.recheck,
         "Also judge each explored graph by the axioms of the model, a second implementation; "
         "takes about three times as long");
}

void add_changes(command& c, limit_options& options) {
  argument weaken{
      "--weaken", "FILE:LABEL=ORDER|FILE:LINE[:COLUMN]=ORDER",
      "Use another order for the accesses at a place in the source: at a label, such as "
      "deque/chase_lev.hpp:steal.take=relaxed, or in a line; ORDER: relaxed, acquire, release, "
      "acq_rel, seq_cst, failure:ORDER, weak, removed (a fence); may be given several times",
      argument::values::repeated, [&options](const std::vector<std::string>& given) {
        for (const std::string& text : given) options.changes.push_back(change_from(text));
      }};
  weaken.check = [](const std::string& text) -> std::string {
    try {
      change_from(text);
      return "";
    } catch (const std::invalid_argument& e) {
      return e.what();
    }
  };
  c.add(std::move(weaken));
}

}  // namespace fencepost::cli
