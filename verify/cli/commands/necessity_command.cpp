// fencepost necessity: which memory orders of the headers are needed, as a table.
#include <fmt/format.h>

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
#include "fencepost/verify/report.hpp"
#include "source/own_headers.hpp"

namespace fencepost::cli {
namespace {

using verify::grouped;

// ---- the table ----

class table {
 public:
  table(const screen& out, const std::string& program) : out_(out), program_(program) {}

  std::string of(const header_report& h) const {
    std::vector<row> rows;
    std::string relaxed;
    for (const operation_report& o : h.operations) {
      if (o.asked && o.steps.empty()) {
        relaxed += (relaxed.empty() ? "" : ", ") +
                   (o.label.empty() ? "line " + std::to_string(o.source.line) : o.label);
        continue;
      }
      const std::string line = std::to_string(o.source.line);
      const std::string orders = o.asked ? in_words(*o.asked) : joined(o.source.orders);
      if (!o.asked) {
        const need n = o.standing();
        rows.push_back({line, o.label, o.source.name, orders, "", n, not_exercised(o)});
        continue;
      }
      bool first = true;
      for (const step_report& s : o.steps) {
        rows.push_back({first ? line : "", first ? o.label : "", first ? o.source.name : "",
                        first ? orders : "", s.step.name, s.verdict, verdict(s)});
        first = false;
      }
    }
    const std::string_view outside = h.outside ? ": compiled code, which no scenario explores" : "";
    return out_.tinted(tint::strong, h.name) + std::string(outside) + "\n" + lines(rows) +
           (relaxed.empty() ? "" : indented("relaxed, nothing to weaken: " + relaxed, 2));
  }

  // A paragraph with its further lines indented.
  std::string indented(const std::string& words, std::size_t by) const {
    std::string text;
    for (const std::string& line : verify::wrapped(words, std::max(out_.width(), by + 20) - by)) {
      text += std::string(by, ' ') + line + "\n";
    }
    return text;
  }

  std::string how_to_see(const step_report& s, const std::string& scenario) const {
    std::string text =
        fmt::format("{} explain {} --weaken {}", program_, scenario, to_text(s.change));
    if (s.model != verify::memory_model::rc20) {
      text += fmt::format(" --model {}", to_string(s.model));
    }
    return text;
  }

 private:
  struct row {
    std::string line, label, operation, order, weaker;
    need verdict;
    std::string words;
  };

  static std::string not_exercised(const operation_report& o) {
    const std::string_view so = o.outside ? "outside the scenarios" : "not exercised";
    return std::string(so) + (o.reason.empty() ? "" : ", kept: " + o.reason);
  }

  static std::string verdict(const step_report& s) {
    switch (s.verdict) {
      case need::needed:
        if (s.model == verify::memory_model::xc20) {
          return fmt::format("needed under xc20: {} in {}", to_string(s.kind), s.scenario);
        }
        return fmt::format("needed: {} in {}", to_string(s.kind), s.scenario) +
               (s.reason.empty()
                    ? ""
                    : "; but the source says that it is kept for another reason: " + s.reason);
      case need::kept:
        return "kept: " + s.reason + (s.limit.empty() ? "" : "; and unknown: " + s.limit);
      case need::stronger:
        return fmt::format("STRONGER than any scenario needs ({} {})", s.explored.size(),
                           s.explored.size() == 1 ? "holds" : "hold");
      case need::unknown: return "UNKNOWN: " + s.limit;
      case need::not_run: return "not run";
      case need::not_exercised:
      case need::outside: break;
    }
    return "?";
  }

  std::string lines(const std::vector<row>& rows) const {
    std::size_t line = 4;
    std::size_t label = 0;
    std::size_t operation = 9;
    std::size_t order = 5;
    std::size_t weaker = 6;
    for (const row& r : rows) {
      if (!r.label.empty()) label = std::max({label, r.label.size(), std::size_t{5}});
      line = std::max(line, r.line.size());
      operation = std::max(operation, r.operation.size());
      order = std::max(order, r.order.size());
      weaker = std::max(weaker, r.weaker.size());
    }
    const auto columns = [&](const row& r) {
      return fmt::format("  {:>{}}  ", r.line, line) +
             (label == 0 ? "" : fmt::format("{:<{}}  ", r.label, label)) +
             fmt::format("{:<{}}  {:<{}}  {:<{}}  ", r.operation, operation, r.order, order,
                         r.weaker, weaker);
    };
    if (rows.empty()) return {};
    std::string text =
        columns({"line", "label", "operation", "order", "weaker", {}, ""}) + "verdict\n";
    for (const row& r : rows) {
      const std::string begin = columns(r);
      // In a file there is room for the longest name of a scenario; on a terminal without any the
      // verdict stands below.
      const bool below = out_.is_terminal() && out_.width() < begin.size() + 40;
      const std::size_t room =
          below ? out_.width() - 8 : std::max(out_.width(), begin.size() + 76) - begin.size();
      std::string indent = begin;
      if (below) {
        text += begin.substr(0, begin.find_last_not_of(' ') + 1) + "\n";
        indent = std::string(8, ' ');
      }
      for (const std::string& part : verify::wrapped(r.words, room)) {
        text += indent + out_.tinted(tint_of(r.verdict), part) + "\n";
        indent = std::string(below ? 8 : begin.size(), ' ');
      }
    }
    return text;
  }

  static tint tint_of(need n) {
    switch (n) {
      case need::needed: return tint::good;
      case need::kept:
      case need::outside: return tint::none;
      case need::stronger:
      case need::not_exercised: return tint::bad;
      default: return tint::warning;
    }
  }

  const screen& out_;
  const std::string& program_;
};

std::string orders_of(const order_totals& t) {
  return fmt::format(
      "{} places, {} of them relaxed; of the orders of the others {} needed, {} kept with a "
      "reason, "
      "{} stronger than any scenario needs, {} unknown{}; {} not exercised{}",
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

// ---- JSON ----

json to_json(const step_report& s) {
  json j{{"weaker", s.step.name}, {"change", to_text(s.change)}, {"verdict", to_string(s.verdict)}};
  if (s.verdict == need::needed) {
    j["scenario"] = s.scenario;
    j["model"] = to_string(s.model);
    j["violation"] = to_string(s.kind);
    j["message"] = s.message;
  }
  if (!s.reason.empty()) j["reason"] = s.reason;
  if (!s.explored.empty() && s.verdict != need::needed) j["hold"] = s.explored;
  if (!s.limit.empty() && s.verdict != need::needed) j["limit"] = s.limit;
  return j;
}

json to_json(const operation_report& o) {
  json j{{"line", o.source.line}, {"column", o.source.column}};
  if (!o.label.empty()) j["label"] = o.label;
  j["operation"] = o.source.name;
  if (o.asked) {
    j["order"] = to_string(o.asked->success);
    if (o.asked->what == verify::access::compare_exchange) {
      j["failure"] = to_string(o.asked->failure);
      j["weak"] = o.asked->weak;
    }
  } else {
    j["order"] = o.source.orders.empty() ? "" : o.source.orders.front();
  }
  j["exercised"] = o.asked.has_value();
  j["scenarios"] = o.scenarios;
  if (!o.reason.empty()) j["reason"] = o.reason;
  j["weakened"] = json::array();
  for (const step_report& s : o.steps) j["weakened"].push_back(to_json(s));
  return j;
}

json to_json(const order_totals& t) {
  return {{"places", t.places},     {"relaxed", t.relaxed},
          {"needed", t.needed},     {"kept", t.kept},
          {"stronger", t.stronger}, {"not_exercised", t.not_exercised},
          {"unknown", t.unknown},   {"outside", t.outside},
          {"not_run", t.not_run},   {"reasons_out_of_date", t.stale_reasons}};
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

  const table text(out, p.name);
  const order_totals t = sum(report.headers);
  const exit_status status = status_of(report, t);
  for (const header_report& h : report.headers) out.print(text.of(h) + "\n");
  if (interrupted()) {
    out.print(out.tinted(tint::warning, "interrupted") +
              (options.cache.empty() ? "\n\n" : ": the same command goes on from here\n\n"));
  }
  for (const std::string& left : report.left_out) {
    out.print(out.tinted(tint::warning, "left out, since it does not hold as it is: ") + left +
              "\n");
  }
  for (const std::string& label : report.loose) {
    out.print(label + ": " + out.tinted(tint::bad, "a label that is at none of these places") +
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
    out.print(
        text.indented("What is stronger than any scenario needs: weaken it, add the scenario "
                      "that needs it, or say why it is kept, in a comment beside it: "
                      "\"kept acquire: ...\".",
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

// Beside the program, so that it goes away with the build.
std::string default_cache() {
  std::error_code error;
  const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", error);
  return error ? std::string() : program.string() + ".results";
}

}  // namespace

json to_json(const header_report& h) {
  json j{{"header", h.name}, {"outside", h.outside}, {"places", json::array()}};
  for (const operation_report& o : h.operations) j["places"].push_back(to_json(o));
  return j;
}

void add_headers(command& c, necessity_options& options) {
  argument headers{"--headers", "FOLDER", "The folder of the headers, as it ends their paths",
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
           "The folder of compiled code, whose places are listed as outside the scenarios; "
           "none with other headers")
      .showing_default(options.sources);
  c.flag("--nightly", options.nightly,
         "With the larger scenarios as well, each of which takes up to minutes");
  options.cache = default_cache();
  c.option("--cache", options.cache, "FILE",
           "Where results are kept, to be used again while nothing that they depend on has "
           "changed; '' for nowhere; default: beside the program");
}

command necessity_command(program& p) {
  command c{
      "necessity", "Weaken each memory order of the headers, one at a time, and check again",
      "Exit status: 0 each order is needed or kept with a reason; 1 some is not, or a scenario "
      "does\n"
      "not hold as it is; 2 wrong usage or bad input; 3 a limit was hit, or an interrupt came.\n"};
  auto options = std::make_shared<necessity_options>();
  c.option("patterns", options->patterns, "PATTERN",
           "Headers: a path within the folder, a part of it (deque), or a name without "
           "folder and ending (chase_lev); *, ? and [...] match as in a shell");
  add_common(c, *options, "");
  add_limits(c, *options);
  add_search(c, *options);
  c.run = [options, &p] { return run_necessity(*options, p); };
  return c;
}

}  // namespace fencepost::cli
