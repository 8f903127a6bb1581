// fencepost litmus FILE...: herd's C litmus tests, in herd's format.
#include <fmt/format.h>

#include <filesystem>

#include "base/input_file.hpp"
#include "base/interrupts.hpp"
#include "base/json.hpp"
#include "base/printable.hpp"
#include "base/streams.hpp"
#include "base/usage.hpp"
#include "commands/shared_options.hpp"
#include "fencepost/litmus/enumerate.hpp"
#include "fencepost/litmus/explore.hpp"
#include "fencepost/litmus/test_runs.hpp"
#include "report/run_report.hpp"

namespace fencepost::cli {
namespace {

struct litmus_options : common_options, limit_options {
  std::vector<std::string> files;
  unsigned loop_bound = litmus::parse_options{}.loop_bound;
  bool enumerate = false;
};

litmus::solver solver_for(const litmus_options& options) {
  if (!options.enumerate) {
    litmus::explore_options o;
    o.model = options.model;
    o.reexecutions = options.reexecutions.value_or(o.reexecutions);
    o.max_executions = options.max_executions;
    o.timeout = milliseconds_of(options.timeout);
    o.stop = &interrupt_flag();
    return [o](const litmus::program& p) { return litmus::explore(p, o); };
  }
  if (options.model == verify::memory_model::xc20) {
    throw usage_error(
        "litmus: --enumerate does not track dependencies, so it cannot be used with --model xc20");
  }
  if (options.timeout != 0)
    throw usage_error(
        "litmus: --timeout cannot be used with --enumerate; limit it by --max-executions");
  litmus::enumerate_options o;
  o.max_candidates = options.max_executions;
  return [o, model = options.model](const litmus::program& p) {
    if (interrupted()) {
      litmus::outcome_set nothing;
      nothing.limit = "interrupted";
      return nothing;
    }
    return litmus::enumerate(p, model, o);
  };
}

int run_litmus(const litmus_options& options) {
  require_one_part("litmus", options, options);
  std::vector<std::filesystem::path> tests;
  try {
    tests = litmus::find_tests({options.files.begin(), options.files.end()});
  } catch (const litmus::parse_error& e) {
    throw usage_error(std::string("litmus: ") + e.what());
  }
  output_files files("litmus", {{"--json", options.json}});
  screen out(files.text(), options.color);
  const interrupt_guard guard(interrupt_guard::second::ends_the_program);
  litmus::run_options how;
  how.jobs = options.jobs;
  how.parse.loop_bound = options.loop_bound;
  how.read = content_of;
  std::size_t done = 0;
  const std::vector<litmus::test_result> results =
      litmus::run_tests(tests, solver_for(options), how, [&](const litmus::test_result& r) {
        ++done;
        if (r.error.empty()) {
          out.print(printable(to_herd(r)));
          files.write("--json", valid_text(to_json(r)));
        }
        out.clear();
        const std::string& remark = r.error.empty() ? r.warnings : r.error + "\n";
        print(stderr, printable_message(remark));
        if (tests.size() > 1) out.live(fmt::format("[{}/{}]", done, tests.size()));
      });
  files.save();
  return litmus::exit_status(results);
}

}  // namespace

command litmus_command(program&) {
  command c{
      "litmus", "Run litmus tests in herd's C format",
      "Exit status: 0 all tests were run, whatever their conditions say; 2 wrong usage, or a file\n"
      "is not a test; 3 a limit was hit, or an interrupt came, before a test was complete.\n"};
  auto options = std::make_shared<litmus_options>();
  add_common(c, *options, "");
  add_limits(c, *options);
  c.option("files", options->files, "FILE", "Litmus files, or folders that contain them")
      .is_required();
  c.option("--unroll", options->loop_bound, "N", "Explore at most N iterations of a while loop")
      .must(whole_number(1, 1000))
      .showing_default(options->loop_bound);
  add_reexecutions(c, options->reexecutions);
  c.flag(
      "--enumerate", options->enumerate,
      "Test all candidate graphs against the axioms instead of exploring: slow, but independent");
  c.run = [options] { return run_litmus(*options); };
  return c;
}

}  // namespace fencepost::cli
