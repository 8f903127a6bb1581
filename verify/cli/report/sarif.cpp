#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "base/json.hpp"
#include "base/this_program.hpp"
#include "fencepost/verify/report.hpp"
#include "report/run_report.hpp"
#include "run/judgement.hpp"

#if !defined(FENCEPOST_VERSION)
#define FENCEPOST_VERSION "0"
#endif

namespace fencepost::cli {
namespace {

constexpr const char* not_found = "violation-not-found";
constexpr const char* nothing_shown = "nothing-shown";
constexpr const char* incomplete = "incomplete";

// Why a scenario is not as expected: "data-race", "violation-not-found".
std::string rule_of(const scenario& about, const verify::result& r) {
  if (judge(about, r) == standing::incomplete) return incomplete;
  if (!r.violation) return r.executions == 0 ? nothing_shown : not_found;
  std::string id(to_string(r.violation->kind));
  std::replace(id.begin(), id.end(), ' ', '-');
  return id;
}

std::string description(const std::string& rule) {
  if (rule == incomplete) return "A limit was hit before the exploration was complete.";
  if (rule == not_found) return "A scenario that must be violated is not.";
  if (rule == nothing_shown) return "No execution of the scenario is complete.";
  for (unsigned k = 0; to_string(static_cast<violation>(k)) != "?"; ++k) {
    std::string id(to_string(static_cast<violation>(k)));
    std::replace(id.begin(), id.end(), ' ', '-');
    if (id == rule) return std::string(verify::meaning(static_cast<violation>(k)));
  }
  return rule;
}

// Returns the path, relative to the source tree if it is below that.
std::string path_of(const source_location& where) {
  std::string path = verify::shown_path(where.file);
  if (this_program().is_fencepost || !path.starts_with('/')) return path;
  const std::string below =
      std::filesystem::path(path).lexically_relative(this_program().source_folder).generic_string();
  return below.empty() || below.starts_with("..") ? path : below;
}

// The path as a URI.
std::string uri(const source_location& where) {
  const std::string path = path_of(where);
  std::string text = path.starts_with('/') ? "file://" : "";
  for (const char c : valid_text(path)) {
    const auto byte = static_cast<unsigned char>(c);
    const bool plain = (byte >= '0' && byte <= '9') || (byte >= 'A' && byte <= 'Z') ||
                       (byte >= 'a' && byte <= 'z') ||
                       std::string_view("-._~/").find(c) != std::string_view::npos;
    text += plain ? std::string(1, c) : fmt::format("%{:02X}", byte);
  }
  return text;
}

json physical_location(const source_location& where) {
  json artifact{{"uri", uri(where)}};
  if (!artifact["uri"].get_ref<const std::string&>().starts_with("file:")) {
    artifact["uriBaseId"] = "SRCROOT";
  }
  json region{{"startLine", where.line}};
  if (where.column != 0) region["startColumn"] = where.column;
  return {{"artifactLocation", artifact}, {"region", region}};
}

json location(const source_location& where) {
  json j{{"physicalLocation", physical_location(where)}};
  if (where.function != nullptr && *where.function != '\0') {
    j["logicalLocations"] =
        json::array({{{"fullyQualifiedName", where.function}, {"kind", "function"}}});
  }
  return j;
}

bool is_of_the_tree(const source_location& where) {
  return where.line != 0 && !path_of(where).starts_with('/');
}

// Returns the place of the violation; if it is outside the source tree, that of the thread's last
// step inside.
source_location place_of(const verify::counterexample& c) {
  if (is_of_the_tree(c.where)) return c.where;
  const auto last = std::find_if(c.steps.rbegin(), c.steps.rend(), [&](const verify::step& s) {
    return s.thread == c.thread && is_of_the_tree(s.where);
  });
  return last == c.steps.rend() ? c.where : last->where;
}

// Makes one thread flow for each thread; executionOrder is the position among the steps of all
// threads.
json code_flow(const verify::result& r) {
  const verify::counterexample& c = *r.violation;
  std::map<unsigned, json> threads;
  for (std::size_t i = 0; i < c.steps.size(); ++i) {
    const verify::step& s = c.steps[i];
    json at = s.where.line == 0 ? json::object() : location(s.where);
    at["message"]["text"] = s.text;
    threads[s.thread].push_back({{"location", at}, {"executionOrder", i + 1}});
  }
  json flows = json::array();
  for (const auto& [thread, steps] : threads) {
    flows.push_back(
        {{"id", thread == 0 ? "main" : "thread " + std::to_string(thread)}, {"locations", steps}});
  }
  return {{"message", {{"text", which_counterexample(r)}}}, {"threadFlows", flows}};
}

json result_of(const scenario& about, const finished_job& done, std::size_t rule_index) {
  const verify::result& r = done.result;
  json j{{"ruleId", rule_of(about, r)},
         {"ruleIndex", rule_index},
         {"level", judge(about, r) == standing::incomplete ? "warning" : "error"},
         {"message", {{"text", what_is_wrong(about, done)}}},
         {"partialFingerprints", {{"scenario/v1", about.name}}}};
  if (!r.violation) return j;
  if (const source_location where = place_of(*r.violation); where.line != 0) {
    j["locations"] = json::array({location(where)});
  }
  if (!r.violation->steps.empty()) j["codeFlows"] = json::array({code_flow(r)});
  return j;
}

}  // namespace

json to_sarif(const run_report& run) {
  std::vector<std::string> ids;
  json results = json::array();
  for (std::size_t i = 0; i < run.done.size(); ++i) {
    const scenario& about = run.scenarios[i]->about;
    if (!run.done[i].ran || judge(about, run.done[i].result) == standing::as_expected) continue;
    const std::string id = rule_of(about, run.done[i].result);
    const auto at = std::find(ids.begin(), ids.end(), id);
    const auto index = static_cast<std::size_t>(at - ids.begin());
    if (at == ids.end()) ids.push_back(id);
    results.push_back(result_of(about, run.done[i], index));
  }
  json rules = json::array();
  for (const std::string& id : ids) {
    rules.push_back({{"id", id}, {"shortDescription", {{"text", description(id)}}}});
  }
  json driver{{"name", "fencepost"}, {"version", FENCEPOST_VERSION}, {"rules", rules}};
  const bool all_ran = std::all_of(run.done.begin(), run.done.end(),
                                   [](const finished_job& done) { return done.ran; });
  json invocation{{"executionSuccessful", all_ran}, {"exitCode", static_cast<int>(run.status)}};
  for (const std::string& note : run.notes)
    invocation["toolExecutionNotifications"].push_back(
        {{"level", "note"}, {"message", {{"text", valid_text(note)}}}});
  json one{{"tool", {{"driver", driver}}},
           {"invocations", json::array({invocation})},
           {"columnKind", "utf16CodeUnits"},
           {"results", results}};
  if (!run.compilers.empty()) one["properties"]["compilers"] = run.compilers;
  return {{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
          {"version", "2.1.0"},
          {"runs", json::array({one})}};
}

}  // namespace fencepost::cli
