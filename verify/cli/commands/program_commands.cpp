// fencepost check: checks programs as they are.
#if defined(__linux__)
#include <sys/personality.h>
#endif

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <optional>
#include <sstream>
#include <string_view>

#include "base/input_file.hpp"
#include "base/usage.hpp"
#include "commands/checked_tests.hpp"
#include "commands/command.hpp"
#include "commands/needed_libraries.hpp"
#include "commands/runtime_of_programs.hpp"
#include "commands/shared_options.hpp"
#include "fencepost/verify/report.hpp"
#include "run/command_options.hpp"

namespace fencepost::cli {
namespace {

// Which threads may get a freed address again: the values of the setting "reuse".
enum class freed_to : std::uint8_t { nobody, its_thread, all };

struct check_options {
  std::vector<std::string> program;
  verify::memory_model model = verify::memory_model::rc20;
  std::uint64_t max_executions = 0;
  std::uint64_t max_events = verify::options{}.max_events;
  double timeout = 0;
  unsigned spurious_failures = 1;
  unsigned spurious_wakeups = 1;
  unsigned timeouts = 1;
  freed_to reuse = freed_to::nobody;
  std::optional<unsigned> reexecutions;
  unsigned jobs = 1;
  bool recheck = false;
  bool from_beginning = false;
  bool expects_violation = false;
  bool each_test = false;
  bool replay = false;
  bool models = false;
  std::uint64_t shorten = runs_to_shorten;
  std::size_t steps = verify::text_style{}.max_steps;
  report_paths files;
};

std::string settings_of(const check_options& o) {
  std::ostringstream text;
  text << "model=" << to_string(o.model) << " max_executions=" << o.max_executions
       << " max_events=" << o.max_events << " timeout=" << milliseconds_of(o.timeout).count()
       << " spurious_failures=" << o.spurious_failures << " spurious_wakeups=" << o.spurious_wakeups
       << " timeouts=" << o.timeouts << " reuse=" << static_cast<unsigned>(o.reuse)
       << " reexecutions=" << o.reexecutions.value_or(verify::options{}.reexecutions)
       << " jobs=" << o.jobs << " recheck=" << (o.recheck ? 1 : 0)
       << " from_beginning=" << (o.from_beginning ? 1 : 0)
       << " expects_violation=" << (o.expects_violation ? 1 : 0) << " shorten=" << o.shorten
       << " shorten_within=" << std::chrono::milliseconds(time_to_shorten).count()
       << " steps=" << o.steps << " replays=" << (o.replay ? 1 : 0);
  return text.str();
}

// The arguments of the checked program: those after --, or those from the first flag of GoogleTest
// on.
std::vector<std::string> program_arguments;

// Throws usage_error if options cannot be combined.
void refuse_contradictions(const check_options& o) {
  if (o.reexecutions && o.model != verify::memory_model::xc20 && !o.models)
    throw usage_error("check: --reexecutions needs --model xc20; give both");
  if (o.each_test && o.expects_violation)
    throw usage_error("check: --each-test and --expect cannot be combined; omit one of them");
  if (o.each_test && o.files.has_picture())
    throw usage_error(
        "check: --svg and --dot draw one program or test; omit --each-test, and choose the test "
        "with --gtest_filter");
  if (o.replay && (o.each_test || o.files.any()))
    throw usage_error(
        "check: --replay is for a debugger; omit --each-test and the options that write files");
  if (o.models && (o.each_test || o.replay || o.expects_violation))
    throw usage_error(
        "check: --models is for a single check; omit --each-test, --replay and --expect");
  if (o.models && o.model != verify::memory_model::rc20)
    throw usage_error("check: --models explores sc, rc20 and xc20; omit --model");
}

int run_check(const check_options& o) {
  require_runtime(true);  // true: the program brings its runtime
  std::vector<std::string> words = o.program;
  words.insert(words.end(), program_arguments.begin(), program_arguments.end());
  const std::string path = words.front();
  if (!needs_library(read_input("check", path), runtime_name))
    throw usage_error("check: '" + path +
                      "' was not linked by fencepost c++ or cc; build it with one of them");
  // A name without a folder would be searched for in PATH.
  if (path.find('/') == std::string::npos) words.front() = "./" + path;
#if defined(__linux__)
  // So that the program's variables have the same addresses in every run.
  personality(ADDR_NO_RANDOMIZE);
#endif
  refuse_contradictions(o);
  if (o.each_test || o.files.any() || o.models) {
    const std::string examples = " examples=" + std::to_string(most_examples);
    return check_tests({words, settings_of(o) + examples, o.each_test, o.expects_violation,
                        o.models, o.jobs, o.model, o.files});
  }
  setenv("FENCEPOST_CHECK", settings_of(o).c_str(), 1);
  execute(words);
}

}  // namespace

// Our parser does not see the arguments of the checked program.
int count_for_parser(int argc, const char* const* argv) {
  if (argc < 2 || std::string_view(argv[1]) != "check") return argc;
  const char* const* const end = argv + argc;
  // Flags of GoogleTest are always the program's.
  const char* const* const last = std::find_if(argv, end, [](std::string_view word) {
    return word == "--" || word.starts_with("--gtest_");
  });
  if (last == end) return argc;
  program_arguments.assign(last + (std::string_view(*last) == "--" ? 1 : 0), end);
  return static_cast<int>(last - argv);
}

command check_command(program&) {
  command c{
      "check", "Check a program as it is, after fencepost c++ or cc has linked it",
      "Options come before the program; -- comes before arguments that begin with -, other\n"
      "than --gtest_filter and other --gtest_ options.\n"
      "Exit status: 0 verified; 1 violated; 2 wrong usage, or the program uses something that\n"
      "is not modelled; 3 a limit was hit, or an interrupt came, before the exploration was\n"
      "complete.\n"};
  auto options = std::make_shared<check_options>();
  using verify::memory_model;
  c.choice<memory_model>("--model", options->model,
                         {{"rc20", memory_model::rc20},
                          {"rc11", memory_model::rc11},
                          {"c++20", memory_model::cpp20},
                          {"xc20", memory_model::xc20}},
                         "The reading of the C++ memory model; xc20 has load buffering")
      .showing_default("rc20");
  add_reexecutions(c, options->reexecutions);
  c.option("--max-executions", options->max_executions, "N", "Give up after N executions")
      .must(whole_number(1, ~std::uint64_t{0}));
  c.option("--max-events", options->max_events, "N",
           "Give up when a thread has N events in an execution (default: 50,000; after the first "
           "execution, twice as many as that had, and 2,000)")
      .must(whole_number(1, 65'533));
  c.option("--timeout", options->timeout, "SECONDS", "Give up after this long")
      .must(positive_seconds());
  c.option("--spurious-failures", options->spurious_failures, "N",
           "At most N weak compare-exchanges fail spuriously in one execution")
      .must(whole_number(0, 1000))
      .showing_default(1);
  c.option("--spurious-wakeups", options->spurious_wakeups, "N",
           "At most N waits of condition variables wake spuriously in one execution")
      .must(whole_number(0, 1000))
      .showing_default(1);
  c.option("--time-outs", options->timeouts, "N",
           "At most N waits time out in one execution; 0: none")
      .must(whole_number(0, 1000))
      .showing_default(1);
  c.choice<freed_to>(
       "--reuse-addresses", options->reuse,
       {{"never", freed_to::nobody}, {"thread", freed_to::its_thread}, {"all", freed_to::all}},
       "Which threads may get a freed address again in the same execution: none, the one that "
       "freed it, or all")
      .showing_default("never");
  add_jobs(c, options->jobs, "tests side by side, and parts of a long exploration");
  c.flag("--recheck", options->recheck, "Also judge each execution by a second implementation");
  add_from_beginning(c, options->from_beginning);
  c.choice<bool>("--expect", options->expects_violation, {{"violation", true}},
                 "Exit with 0 if the program is violated, and with 1 if it is verified");
  c.flag("--each-test", options->each_test, "Check each GoogleTest test of the program separately");
  c.option("--shorten", options->shorten, "N",
           "Try N more runs for a shorter counterexample; 0: show the first")
      .must(whole_number(0, ~std::uint64_t{0}))
      .showing_default(options->shorten);
  c.option("--steps", options->steps, "N",
           "Show at most N steps of a counterexample; 0: all, and the whole set-up")
      .must(whole_number(0, ~std::uint64_t{0}))
      .showing_default(options->steps);
  c.flag("--models", options->models,
         "Find the first model under which there is a violation: sequential consistency, rc20 or "
         "xc20");
  c.flag("--replay", options->replay,
         "After a violation, reproduce it in the same process, for a debugger");
  c.file("--json", options->files.json, "Write the result to FILE, - for standard output");
  c.file("--junit", options->files.junit,
         "Write a JUnit report to FILE, with one test case for each test");
  c.file("--sarif", options->files.sarif,
         "Write the violations to FILE as SARIF, for code scanners");
  c.file("--html", options->files.html, "Write an HTML page to FILE, with the execution graphs");
  c.file("--svg", options->files.svg, "Write the execution graph to FILE as a picture");
  c.file("--dot", options->files.dot, "Write the execution graph to FILE for Graphviz");
  c.option("program", options->program, "PROGRAM", "The program, and its arguments").is_required();
  c.run = [options] { return run_check(*options); };
  return c;
}

}  // namespace fencepost::cli
