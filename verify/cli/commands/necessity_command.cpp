// fencepost necessity: which memory orders of the headers are needed, as a table.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>

#include "base/interrupts.hpp"
#include "base/json.hpp"
#include "base/names.hpp"
#include "base/this_program.hpp"
#include "commands/shared_options.hpp"
#include "evidence/necessity.hpp"
#include "evidence/necessity_table.hpp"
#include "fencepost/verify/report.hpp"
#include "source/own_headers.hpp"

namespace fencepost::cli {
namespace {

using verify::grouped;

std::string orders_of(const order_totals& t) {
  return fmt::format(
      "{} places, {} of them relaxed; of the orders of the others {} needed, {} kept with a "
      "reason, {} stronger than any scenario needs, {} unknown{}; {} not exercised{}",
      t.places, t.relaxed, t.needed, t.kept, t.stronger, t.unknown,
      t.not_run == 0 ? "" : fmt::format(", {} not run", t.not_run), t.not_exercised,
      t.outside == 0 ? ""
                     : fmt::format("; {} more in compiled code, outside the scenarios", t.outside));
}

std::string work_of(const necessity_report& report, double seconds) {
  return fmt::format("{} scenarios, {} checks with an order weakened ({} known from earlier), {}",
                     report.scenarios, grouped(report.checks), grouped(report.reused),
                     verify::duration(seconds));
}

int run_necessity(const necessity_options& options, const program& p) {
  output_files files("necessity", {{"--json", options.json}},
                     output_files::wish{"--cache", options.cache});
  screen out(files.text(), options.color);
  result_store store(options.cache, digests_of(p.entries));
  const auto began = std::chrono::steady_clock::now();
  const necessity_report report = find_needs(p.entries, options, store, out);
  const double seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();

  const necessity_table text(out, p.name);
  const order_totals t = sum(report.headers);
  const exit_status status = status_of(report, t);
  for (const header_report& h : report.headers) out.print(text.of(h) + "\n");
  if (interrupted()) {
    out.print(out.tinted(tint::warning, "interrupted") +
              (options.cache.empty() ? "\n\n" : ": to continue, run the same command again\n\n"));
  }
  for (const std::string& left : report.left_out) {
    out.print(out.tinted(tint::warning, "left out, since it is not verified without a change: ") +
              left + "\n");
  }
  for (const std::string& label : report.loose) {
    out.print(label + ": " + out.tinted(tint::bad, "this label belongs to none of these places") +
              "\n");
  }
  bool example = false;
  for (const header_report& h : report.headers) {
    for (const operation_report& o : h.operations) {
      for (const step_report& s : o.steps) {
        if (example || s.verdict != need::needed) continue;
        example = true;
        out.print(text.indented("Why " + h.name + ":" +
                                    (o.label.empty() ? std::to_string(o.source.line) : o.label) +
                                    " is needed, and each of the others in the same way:",
                                0) +
                  "  " + text.how_to_see(s, s.scenario) + "\n");
      }
    }
  }
  out.print((example ? "\n" : "") + text.indented(orders_of(t), 0) +
            text.indented(work_of(report, seconds), 0));
  if (t.stronger != 0) {
    out.print(text.indented(
        "For an order that is stronger than any scenario needs: weaken it, add a scenario that "
        "needs it, or give the reason to keep it in a comment beside it: \"kept acquire: ...\".",
        0));
  }

  json whole = document("necessity");
  whole["model"] = to_string(options.model);
  whole["exit_status"] = static_cast<int>(status);
  whole["interrupted"] = interrupted();
  whole["seconds"] = seconds;
  whole["summary"] = to_json(t);
  whole["checks"] = report.checks;
  whole["reused"] = report.reused;
  whole["executions"] = report.executions;
  whole["left_out"] = report.left_out;
  whole["loose_labels"] = report.loose;
  whole["not_covered"] = verify::not_covered(true);
  whole["headers"] = json::array();
  for (const header_report& h : report.headers) whole["headers"].push_back(to_json(h));
  write_json(files, whole);
  files.save();
  return status;
}

// Returns a file beside the program, so that it is deleted with the build; none if the program is
// installed where its user may not write.
std::string default_cache() {
  std::error_code error;
  const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", error);
  if (error || ::access(program.parent_path().c_str(), W_OK) != 0) return {};
  return program.string() + ".results";
}

}  // namespace

void add_headers(command& c, necessity_options& options) {
  argument headers{"--headers", "FOLDER", "The folder of the headers, as the end of a path",
                   argument::values::one, [&options](const std::vector<std::string>& given) {
                     options.folder = given.front();
                     options.own_headers = false;
                   }};
  if (has_own_headers()) headers.text += "; default: the headers that the program was built with";
  if (this_program().is_fencepost) headers.showing_default(options.folder);
  c.add(std::move(headers));
}

void add_search(command& c, necessity_options& options) {
  options.timeout = 60;
  if (!this_program().is_fencepost) {
    options.own_headers = has_own_headers();
    options.folder = own_headers_folder();
    options.sources.clear();
  }
  add_headers(c, options);
  c.option("--sources", options.sources, "FOLDER",
           "The folder of compiled code, whose places are listed as outside the scenarios; ignored "
           "when --headers names other headers")
      .showing_default(options.sources);
  c.flag("--nightly", options.nightly,
         "Include the larger scenarios, each of which may take minutes");
  options.cache = default_cache();
  c.option("--cache", options.cache, "FILE",
           "Where results are stored, to be reused while nothing that they depend on changes; '': "
           "do not store them; default: beside the program, if its folder is writable");
}

command necessity_command(program& p) {
  command c{"necessity", "Weaken each memory order of the headers, one at a time, and check again",
            "Exit status: 0 each order is needed or kept with a reason; 1 some order is not, or a\n"
            "scenario does not hold without a change; 2 wrong usage or bad input; 3 a limit was\n"
            "hit, or an interrupt came.\n"};
  auto options = std::make_shared<necessity_options>();
  c.option("patterns", options->patterns, "PATTERN",
           "Headers: a path within the folder, a part of it (deque), or a name without folder and "
           "extension (chase_lev); *, ? and [...] match as in a shell");
  add_common(c, *options, "");
  add_limits(c, *options);
  add_search(c, *options);
  c.run = [options, &p] { return run_necessity(*options, p); };
  return c;
}

}  // namespace fencepost::cli
