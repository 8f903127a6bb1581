// fencepost explain NAME: the counterexample of a scenario, or the numbers of one that holds.
#include <fmt/format.h>

#include <algorithm>

#include "command.hpp"
#include "fencepost/verify/drawing.hpp"
#include "fencepost/verify/report.hpp"
#include "judgement.hpp"
#include "names.hpp"
#include "output_file.hpp"
#include "run_report.hpp"
#include "runs.hpp"

namespace fencepost::cli {
namespace {

struct explain_options : common_options, limit_options {
  std::size_t steps = 400;
  std::string dot;
  std::string svg;

  // The text, beside a file on standard output, goes to standard error.
  std::FILE* text() const {
    const auto files = {&json, &dot, &svg};
    const auto to_output =
        std::count_if(files.begin(), files.end(), [](const auto* path) { return *path == "-"; });
    if (to_output > 1) throw usage_error("explain: only one file can go to standard output");
    return to_output == 1 ? stderr : stdout;
  }
};

verify::drawing_style picture_of(const explain_options& options, const scenario& about) {
  verify::drawing_style style;
  style.title = std::string(about.name);
  style.max_steps = options.steps;
  return style;
}

std::string paragraph(const screen& out, const std::string& words, std::size_t indent) {
  std::string text;
  for (const std::string& line : verify::wrapped(words, out.width() - indent)) {
    text += (text.empty() ? "" : std::string(indent, ' ')) + line + "\n";
  }
  return text;
}

std::string explanation(const screen& out, const explain_options& options, const scenario& about,
                        const finished_job& done) {
  verify::text_style style;
  style.width = out.width();
  style.color = out.color();
  style.max_steps = options.steps;
  std::string text = out.tinted(tint::strong, about.name) + "\n";
  if (!about.claim.empty()) text += "  claim     " + paragraph(out, std::string(about.claim), 12);
  text += fmt::format("  expected  {}\n\n", expectation(about));
  verify::result nameless = done.result;
  nameless.name.clear();
  text += to_text(nameless, style);
  if (!done.output.empty()) text += "\nThe scenario printed:\n" + done.output + "\n";
  const standing s = judge(about, done.result);
  if (s == standing::as_expected && about.expected != violation::none) {
    text += "\nThis scenario must be violated in this way: as expected.\n";
  } else if (s == standing::unexpected) {
    text += "\n" +
            out.tinted(tint::bad,
                       "Not as expected: the scenario is expected " + expectation(about) + ".") +
            "\n";
  }
  return text;
}

int explain(const explain_options& options, const program& p) {
  if (options.patterns.empty())
    throw usage_error("explain: which scenario? 'fencepost list' shows them");
  const std::vector<const entry*> selected = select(p.entries, options.patterns);
  if (selected.size() > 1 && !(options.dot.empty() && options.svg.empty())) {
    throw usage_error("explain: a picture is of one scenario; " + std::to_string(selected.size()) +
                      " match");
  }
  std::FILE* const to = options.text();
  json_file file(options.json);
  output_file dot("--dot", options.dot);
  output_file svg("--svg", options.svg);
  screen out(to, options.color);
  const std::vector<finished_job> done =
      run_scenarios(selected, options, options, out, [](std::size_t, const finished_job&) {});

  std::vector<standing> standings;
  json whole = document("explain");
  json scenarios = json::array();
  for (std::size_t i = 0; i < done.size(); ++i) {
    const scenario& about = selected[i]->about;
    standings.push_back(judge(about, done[i].result));
    scenarios.push_back(to_json(*selected[i], done[i]));
    out.print((i == 0 ? "" : "\n\n") + explanation(out, options, about, done[i]));
    if (!done[i].result.violation) continue;
    const verify::counterexample& c = *done[i].result.violation;
    if (dot.wanted()) dot.write_line(valid_text(to_dot(c, picture_of(options, about))));
    if (svg.wanted()) svg.write_line(valid_text(to_svg(c, picture_of(options, about))));
  }
  whole["model"] = to_string(options.model);
  whole["exit_status"] = static_cast<int>(status_of(standings));
  whole["scenarios"] = std::move(scenarios);
  file.write(whole);
  return status_of(standings);
}

}  // namespace

void add_explain(CLI::App& app, program& p) {
  CLI::App* command =
      app.add_subcommand("explain", "Show the counterexample of a scenario, step by step");
  auto options = std::make_shared<explain_options>();
  add_common(*command, *options);
  add_limits(*command, *options);
  command
      ->add_option("--steps", options->steps,
                   "Show at most so many steps; 0: all, and the whole set-up")
      ->type_name("N")
      ->capture_default_str();
  command->add_option("--dot", options->dot, "Write the execution graph to FILE for Graphviz")
      ->type_name("FILE");
  command->add_option("--svg", options->svg, "Write the execution graph to FILE as a picture")
      ->type_name("FILE");
  options->shorten = 5'000;
  command
      ->add_option("--shorten", options->shorten,
                   "Look at so many runs more for a shorter counterexample; 0: show the first")
      ->type_name("N")
      ->check(whole_number(0, ~std::uint64_t{0}))
      ->capture_default_str();
  command->callback([options, &p] { p.action = [options, &p] { return explain(*options, p); }; });
}

}  // namespace fencepost::cli
