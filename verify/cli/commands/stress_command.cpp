// fencepost stress: the scenarios on real threads, for a given time.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <random>

#include "base/interrupts.hpp"
#include "base/json.hpp"
#include "base/names.hpp"
#include "base/output_file.hpp"
#include "base/this_program.hpp"
#include "base/usage.hpp"
#include "commands/shared_options.hpp"
#include "fencepost/stress/stress_run.hpp"
#include "fencepost/verify/report.hpp"
#include "stress/stress_report.hpp"
#include "stress/stress_results.hpp"

namespace fencepost::cli {
namespace {

using clock = std::chrono::steady_clock;

constexpr double default_seconds = 60;
constexpr double of_calibration = 0.1;          // as a fraction of the time
constexpr double most_calibration = 10;         // seconds
constexpr std::string_view shapes = "litmus/";  // models/litmus_shapes.hpp

struct stress_command_options : common_options {
  std::optional<double> seconds;
  std::optional<unsigned> threads;
  std::optional<std::uint64_t> seed;
  std::optional<stress::placement> affinity;
  double stuck_after = 10;
  bool faults = false;
  bool calibrate = true;
  std::string emulated;
  std::string junit;
  std::vector<std::string> merge;
};

bool is_shape(const entry& e) { return e.about.name.starts_with(shapes); }

void require_subjects(const std::vector<entry>& entries) {
  if (std::any_of(entries.begin(), entries.end(), [](const entry& e) { return e.on_threads; }))
    return;
  throw usage_error(this_program().is_fencepost
                        ? "stress: this program was built without support for real threads; build "
                          "it by ci/stress, or with -DFENCEPOST_BUILD_STRESS=ON"
                        : "stress: no scenario of this program can run on real threads");
}

// Leaves out scenarios that must be violated, since their behaviour may be undefined, unless
// --faults is given or they are named in full. Leaves out the litmus shapes where the calibration
// runs them.
std::vector<const entry*> to_be_run(const stress_command_options& options,
                                    const std::vector<entry>& entries) {
  std::vector<const entry*> all = select(entries, options.patterns);
  const auto is_named = [&](const entry* e) {
    return std::find(options.patterns.begin(), options.patterns.end(), e->about.name) !=
           options.patterns.end();
  };
  std::erase_if(all, [](const entry* e) { return e->on_threads == nullptr; });
  std::erase_if(all, [&](const entry* e) {
    return e->about.expected != violation::none && !options.faults && !is_named(e);
  });
  if (options.patterns.empty() && options.calibrate) {
    std::erase_if(all, [](const entry* e) { return is_shape(*e); });
  }
  if (all.empty()) {
    throw usage_error(
        "stress: each of these scenarios must be violated, and their behaviour may be undefined; "
        "add --faults to run them, or name one");
  }
  return all;
}

// Runs scenarios one after the other, each for its share of the remaining time.
class stress_runner {
 public:
  stress_runner(const stress_command_options& options, screen& out, std::uint64_t seed)
      : out_(out), of_all_(options.seconds.value_or(default_seconds)) {
    how_.threads = options.threads.value_or(0);
    how_.seed = seed;
    how_.stuck_after = options.stuck_after;
    how_.stop = &interrupt_flag();
    if (options.affinity) how_.placements = {*options.affinity};
  }

  // Calls `finished` with the result of each scenario that ran.
  std::vector<stressed> run(const std::vector<const entry*>& all, double seconds,
                            const std::function<void(const stressed&)>& finished) {
    std::vector<stressed> results;
    const clock::time_point until = clock::now() + std::chrono::duration_cast<clock::duration>(
                                                       std::chrono::duration<double>(seconds));
    for (std::size_t i = 0; i < all.size(); ++i) {
      const entry& e = *all[i];
      stressed& s = results.emplace_back(stressed_from(e.about));
      if (interrupted()) continue;
      const double left = std::chrono::duration<double>(until - clock::now()).count();
      how_.seconds = std::max(left, 0.0) / static_cast<double>(all.size() - i);
      add(s, stress::run(*e.on_threads, how_, [&](std::uint64_t samples) {
            if (!out_.is_live()) return;
            out_.live(fmt::format(
                "[{}/{}] {} of {}{}; {} {} samples", i, all.size(),
                verify::duration(std::chrono::duration<double>(clock::now() - began_).count()),
                verify::duration(of_all_), interrupted() ? ", stopping" : "", e.about.name,
                verify::grouped(samples)));
          }));
      finished(s);
    }
    out_.clear();
    return results;
  }

 private:
  screen& out_;
  const double of_all_;
  const clock::time_point began_ = clock::now();
  stress::options how_;
};

exit_status status_of(const stress_results& r) {
  const auto broken = [](const stressed& s) { return judge(s) == stress_standing::broken; };
  bool any = std::any_of(r.scenarios.begin(), r.scenarios.end(), broken);
  for (const calibration& c : r.machines) {
    any = any || std::any_of(c.shapes.begin(), c.shapes.end(), broken);
  }
  if (any) return exit_unexpected;
  return r.interrupted ? exit_incomplete : exit_as_expected;
}

std::size_t longest_name(const std::vector<stressed>& all) {
  std::size_t longest = 0;
  for (const stressed& s : all) longest = std::max(longest, verify::columns(s.name));
  return longest;
}

std::vector<stressed> not_yet(const std::vector<const entry*>& all) {
  std::vector<stressed> s;
  for (const entry* e : all) s.push_back(stressed_from(e->about));
  return s;
}

int finish(const stress_results& r, output_files& files, screen& out, const stress_report& text) {
  if (r.interrupted) out.print(out.tinted(tint::warning, "\ninterrupted\n"));
  text.end(r);
  const exit_status status = status_of(r);
  json whole = to_json(r);
  whole["exit_status"] = static_cast<int>(status);
  write_json(files, whole);
  if (files.wanted("--junit")) files.write("--junit", to_junit(r));
  files.save();
  return status;
}

int render_merged(const stress_command_options& options, const program& p) {
  if (!options.patterns.empty() || options.seconds || options.threads || options.seed ||
      options.affinity || options.faults || !options.calibrate) {
    throw usage_error(
        "stress: --merge runs nothing; only --json, --junit and --color can be combined with it");
  }
  stress_results all;
  for (const std::string& path : options.merge) all.merge(read_stress_results(path));
  output_files files("stress", {{"--json", options.json}, {"--junit", options.junit}});
  screen out(files.text(), options.color);
  stress_report text(out, p.name);
  for (const calibration& c : all.machines) text.calibration_of(c);
  text.begin(longest_name(all.scenarios));
  for (const stressed& s : all.scenarios) {
    if (s.ran) text.line(s);
  }
  return finish(all, files, out, text);
}

int run_stress(const stress_command_options& options, const program& p) {
  if (!options.merge.empty()) return render_merged(options, p);
  require_subjects(p.entries);
  const std::vector<const entry*> selected = to_be_run(options, p.entries);
  output_files files("stress", {{"--json", options.json}, {"--junit", options.junit}});
  screen out(files.text(), options.color);
  stress_report text(out, p.name);
  const interrupt_guard guard(interrupt_guard::second::ends_the_program);
  const clock::time_point began = clock::now();
  const double seconds = options.seconds.value_or(default_seconds);
  const std::uint64_t seed = options.seed ? *options.seed : std::random_device{}();

  stress_results r;
  r.seeds = {seed};
  calibration machine{stress::this_host(), {}};
  if (!options.emulated.empty()) machine.where.emulator = options.emulated;
  out.print(fmt::format("{} scenario{} on real threads, {} in all, seed {}\n\n", selected.size(),
                        selected.size() == 1 ? "" : "s", verify::duration(seconds), seed));
  stress_runner runner(options, out, seed);
  double left = seconds;
  if (options.calibrate) {
    std::vector<const entry*> all;
    for (const entry& e : p.entries) {
      if (is_shape(e) && e.on_threads != nullptr) all.push_back(&e);
    }
    const double takes = std::min(seconds * of_calibration, most_calibration);
    machine.shapes = runner.run(all, takes, [](const stressed&) {});
    left -= takes;
  }
  r.machines.push_back(std::move(machine));
  text.calibration_of(r.machines.back());
  text.begin(longest_name(not_yet(selected)));
  r.scenarios = runner.run(selected, left, [&](const stressed& s) { text.line(s); });
  r.seconds = std::chrono::duration<double>(clock::now() - began).count();
  r.interrupted = interrupted();
  return finish(r, files, out, text);
}

}  // namespace

command stress_command(program& p) {
  command c{
      "stress", "Run the scenarios on real threads and count their outcomes",
      "Exit status: 0 no claim was seen broken; 1 a claim was, or a forbidden outcome was seen;\n"
      "2 wrong usage or bad input; 3 interrupted.\n"};
  auto options = std::make_shared<stress_command_options>();
  add_output(c, *options, "PATTERN");
  c.option("--seconds", options->seconds, "SECONDS",
           "The total time, shared among the scenarios; a tenth of it, but at most ten seconds, is "
           "for the litmus shapes that show how weak the machine is; default: 60")
      .must(positive_seconds());
  c.option("--threads", options->threads, "N",
           "Keep N processors busy, by as many copies of a scenario side by side as fit with its "
           "number of threads; default: all processors")
      .must(whole_number(1, 1024));
  add_placement(c, "--affinity", options->affinity,
                "How the threads of a scenario are placed; all: each placement that the machine "
                "has, in turn; default: all");
  c.option("--seed", options->seed, "SEED",
           "The seed of the random choices: order, delays, placement. The same seed makes the same "
           "choices, but results still vary; default: a new one each time")
      .must(whole_number(0, ~std::uint64_t{0}));
  c.option("--stuck", options->stuck_after, "SECONDS",
           "Report a scenario as stuck when no thread has returned for SECONDS; default: 10")
      .must(positive_seconds());
  c.flag("--faults", options->faults,
         "Include the scenarios that must be violated; their behaviour may be undefined. One that "
         "is named runs without this option");
  c.flag(
      "--no-calibration", [options] { options->calibrate = false; },
      "Do not run the litmus shapes first");
  c.option("--emulated", options->emulated, "NAME",
           "State that the emulator NAME runs this machine, where this is not detected");
  c.file("--junit", options->junit, "Write the results to FILE as JUnit XML");
  c.option("--merge", options->merge, "FILE...",
           "Run nothing: add up the results in these files, which --json wrote, and show them")
      .must(file_name());
  c.run = [options, &p] { return run_stress(*options, p); };
  return c;
}

}  // namespace fencepost::cli
