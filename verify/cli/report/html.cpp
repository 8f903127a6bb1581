// The page of verify --html: the template of html/, filled with the run as JSON.
#include <fmt/format.h>

#include <fstream>
#include <map>
#include <nlohmann/json.hpp>

#include "base/json.hpp"
#include "fencepost/verify/drawing.hpp"
#include "fencepost/verify/report.hpp"
#include "report/html/page.hpp"
#include "report/run_report.hpp"
#include "run/judgement.hpp"

namespace fencepost::cli {
namespace {

constexpr std::size_t most_steps_shown = 200;  // in a picture
constexpr std::size_t largest_file = std::size_t{1} << 20;

// The lines of the source files of the steps, by path; each file is read once.
class sources {
 public:
  // Returns {path, line}, or null for an unknown place.
  json place(const source_location& where) {
    if (where.line == 0) return nullptr;
    const std::string path = valid_text(verify::shown_path(where.file));
    if (!lines_.contains(path)) lines_[path] = read(where.file);
    return {path, where.line};
  }
  const json& all() const noexcept { return lines_; }

 private:
  static json read(const char* file) {
    json lines = json::array();
    std::ifstream in(file);
    std::size_t size = 0;
    for (std::string text; std::getline(in, text) && size < largest_file;) {
      size += text.size() + 1;
      lines.push_back(valid_text(text));
    }
    return lines.empty() ? json(nullptr) : lines;
  }

  json lines_ = json::object();
};

std::string bounds(const scenario& about, const verify::result& r) {
  if (r.threads == 0) return {};
  std::string text = fmt::format("{} threads", r.threads);
  if (r.symmetric != 0) text += fmt::format(" ({} of them symmetric)", r.symmetric);
  text += fmt::format(", {} events", r.events);
  if (const std::string objects = verify::watched(r); !objects.empty())
    text += "; watched " + objects;
  if (about.nightly) text += ", nightly";
  return text;
}

json outcomes(const verify::result& r) {
  json rows = json::array();
  for (const verify::outcome_row& row : outcome_rows(r)) {
    rows.push_back({row.result, verify::grouped(row.executions),
                    row.verdict ? std::string(to_string(*row.verdict)) : "", row.description});
  }
  return rows;
}

json scenario_of(const scenario& about, const finished_job& done, bool own_data, sources& files) {
  const verify::result& r = done.result;
  json j{{"name", about.name},
         {"claim", about.claim},
         {"status", done.ran ? to_string(judge(about, r)) : "not run"},
         {"verdict", done.ran ? describe(about, r) : "not run"},
         {"result", to_string(r.outcome)},
         {"executions", verify::grouped(r.executions)},
         {"blocked", verify::grouped(r.blocked)},
         {"time", verify::duration(r.seconds)},
         {"bounds", bounds(about, r)},
         {"outcomes", outcomes(r)}};
  if (!r.violation) return j;
  const verify::counterexample& c = *r.violation;
  j["message"] = std::string(to_string(c.kind)) + ": " + c.message;
  j["why"] = what_went_wrong(c);
  j["which"] = which_counterexample(r);
  if (c.steps.empty()) return j;
  verify::drawing_style style;
  style.style_sheet = false;
  style.max_steps = most_steps_shown;
  style.own_data = own_data;
  j["svg"] = valid_text(to_svg(c, style));
  j["places"] = json::array({nullptr});  // indexed by the number of the step
  for (const verify::step& s : c.steps) j["places"].push_back(files.place(s.where));
  return j;
}

// In a script element nothing may look like a tag.
std::string embedded(const json& j) {
  std::string out;
  for (const char c : dump(j, -1)) {
    if (c == '<') {
      out += "\\u003c";
    } else {
      out += c;
    }
  }
  return out;
}

std::string filled(std::string_view page, const std::map<std::string, std::string>& parts) {
  std::string out;
  for (std::size_t at = 0; at < page.size();) {
    const auto part = std::find_if(parts.begin(), parts.end(), [&](const auto& p) {
      return page.substr(at).starts_with(p.first);
    });
    if (part == parts.end()) {
      out += page[at++];
    } else {
      out += part->second;
      at += part->first.size();
    }
  }
  return out;
}

}  // namespace

std::string to_html(const run_report& run) {
  std::size_t as_expected = 0;
  std::uint64_t executions = 0;
  sources files;
  json scenarios = json::array();
  for (std::size_t i = 0; i < run.done.size(); ++i) {
    const scenario& about = run.scenarios[i]->about;
    const finished_job& done = run.done[i];
    if (done.ran && judge(about, done.result) == standing::as_expected) ++as_expected;
    executions += done.result.executions;
    scenarios.push_back(scenario_of(about, done, run.command != "check", files));
  }
  std::string summary = fmt::format("{} of {} scenarios as expected under {}; {} executions, {}",
                                    as_expected, run.done.size(), run.model,
                                    verify::grouped(executions), verify::duration(run.seconds));
  for (const std::string& name : run.compilers)
    summary += (name == run.compilers.front() ? "; compiled by " : ", ") + name;
  std::string not_covered(verify::not_covered(true));
  for (const std::string& note : run.notes) not_covered += ' ' + note;
  json data{{"summary", std::move(summary)},
            {"not_covered", std::move(not_covered)},
            {"scenarios", std::move(scenarios)},
            {"files", files.all()}};
  return filled(page_html, {{"@style@", page_css + verify::svg_style_sheet()},
                            {"@script@", page_js},
                            {"@data@", embedded(data)}});
}

}  // namespace fencepost::cli
