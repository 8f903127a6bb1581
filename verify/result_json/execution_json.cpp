#include "result_json/execution_json.hpp"

#include <algorithm>
#include <iterator>

#include "fencepost/verify/report.hpp"
#include "result_json/from_json.hpp"
#include "result_json/result_json.hpp"

namespace fencepost::verify {

using json = nlohmann::ordered_json;

json json_of(const source_location& where) {
  json j{{"file", where.file == nullptr ? "" : where.file}, {"line", where.line}};
  if (where.column != 0) j["column"] = where.column;
  if (where.function != nullptr && *where.function != '\0') j["function"] = where.function;
  return j;
}

source_location location_from(const json& j) {
  source_location where;
  where.file = interned(j.at("file").get<std::string>());
  where.function = interned(j.value("function", ""));
  where.line = j.at("line").get<std::uint32_t>();
  where.column = j.value("column", std::uint32_t{0});
  return where;
}

json json_of(const access_place& p) {
  json j{{"what", to_string(p.asked.what)}, {"order", to_string(p.asked.success)}};
  if (p.asked.what == access::compare_exchange) {
    j["failure"] = to_string(p.asked.failure);
    j["weak"] = p.asked.weak;
  }
  j["where"] = json_of(p.where);
  return j;
}

access_place place_from(const json& j) {
  access_place p;
  p.where = location_from(j.at("where"));
  p.asked.what = named<access>(j.at("what"), "operation");
  p.asked.success = named<order>(j.at("order"), "order");
  p.asked.failure = named<order>(j.value("failure", json("relaxed")), "order");
  p.asked.weak = j.value("weak", false);
  return p;
}

namespace {

constexpr std::string_view step_names[] = {
    "load",
    "store",
    "read-modify-write",
    "failed compare-exchange",
    "fence",
    "plain read",
    "plain write",
    "allocate",
    "release",
    "create",
    "join",
    "finish",
    "wait",
    "choose",
    "violation",
    "note",
};

constexpr std::string_view relation_names[] = {"rf", "mo", "fr", "sw"};

// Steps are numbered from 1, as in the text.
json json_of_step(const step& s, std::size_t index) {
  json j{{"step", index + 1}, {"thread", s.thread}};
  const auto kind = static_cast<std::size_t>(s.kind);
  j["kind"] = kind < std::size(step_names) ? step_names[kind] : "note";
  j["text"] = s.text;
  if (s.reads_from) j["reads_from"] = *s.reads_from + 1;
  if (!s.location.empty()) j["location"] = s.location;
  j["value_read"] = s.value_read;
  j["value_written"] = s.value_written;
  if (!s.order.empty()) j["order"] = s.order;
  if (s.where.line != 0) j["where"] = json_of(s.where);
  return j;
}

json json_of_edge(const edge& e) {
  json j{{"kind", relation_names[static_cast<std::size_t>(e.kind)]},
         {"from", e.from + 1},
         {"to", e.to + 1}};
  if (!e.location.empty()) j["location"] = e.location;
  return j;
}

edge edge_from(const json& j) {
  edge e;
  const auto* const at = std::find(std::begin(relation_names), std::end(relation_names),
                                   j.at("kind").get_ref<const std::string&>());
  if (at != std::end(relation_names)) {
    e.kind = static_cast<relation>(at - std::begin(relation_names));
  }
  e.from = j.at("from").get<std::size_t>() - 1;
  e.to = j.at("to").get<std::size_t>() - 1;
  e.location = j.value("location", "");
  return e;
}

step step_from(const json& j) {
  step s;
  s.thread = j.at("thread").get<unsigned>();
  const auto* const at = std::find(std::begin(step_names), std::end(step_names),
                                   j.at("kind").get_ref<const std::string&>());
  if (at != std::end(step_names)) s.kind = static_cast<step_kind>(at - std::begin(step_names));
  s.text = j.at("text").get<std::string>();
  if (j.contains("reads_from")) s.reads_from = j["reads_from"].get<std::size_t>() - 1;
  s.location = j.value("location", "");
  s.value_read = j.value("value_read", std::uint64_t{0});
  s.value_written = j.value("value_written", std::uint64_t{0});
  s.order = j.value("order", "");
  if (j.contains("where")) s.where = location_from(j["where"]);
  return s;
}

}  // namespace

void write_graph(const execution& shown, json& j) {
  j["threads"] = shown.threads;
  j["steps"] = json::array();
  for (std::size_t i = 0; i < shown.steps.size(); ++i) {
    j["steps"].push_back(json_of_step(shown.steps[i], i));
  }
  j["edges"] = json::array();
  for (const edge& e : shown.edges) j["edges"].push_back(json_of_edge(e));
  if (!shown.names.empty()) j["names"] = shown.names;
}

void read_graph(const json& j, execution& shown) {
  shown.threads = j.at("threads").get<std::size_t>();
  for (const json& s : j.at("steps")) shown.steps.push_back(step_from(s));
  if (j.contains("names")) shown.names = j["names"].get<std::map<std::string, std::string>>();
  if (!j.contains("edges")) return;
  for (const json& e : j["edges"]) {
    edge link = edge_from(e);
    if (link.from < shown.steps.size() && link.to < shown.steps.size()) {
      shown.edges.push_back(std::move(link));
    }
  }
}

counterexample counterexample_from_json(const json& j) {
  counterexample c;
  c.kind = named<violation>(j.at("kind"), "kind of violation");
  c.message = j.at("message").get<std::string>();
  c.thread = whole<unsigned>(j.at("thread"));
  if (j.contains("where")) c.where = location_from(j["where"]);
  c.came_again = j.value("came_again", true);
  c.path = j.value("path", std::string());
  c.no_path = j.value("no_path", std::string());
  if (j.contains("priorities")) {
    for (const json& p : j["priorities"]) c.priorities.push_back(whole<unsigned>(p));
  }
  c.samples = j.value("samples", std::uint64_t{0});
  c.seed = j.value("seed", std::uint64_t{0});
  if (j.contains("preemptions")) c.preemptions = whole<unsigned>(j["preemptions"]);
  read_graph(j, c);
  return c;
}

json to_json(const counterexample& c) {
  json j{{"kind", to_string(c.kind)}, {"message", c.message}, {"thread", c.thread}};
  if (c.where.line != 0) j["where"] = json_of(c.where);
  if (std::string words = what_went_wrong(c); !words.empty()) j["explanation"] = std::move(words);
  if (!c.came_again) j["came_again"] = false;
  if (!c.path.empty()) j["path"] = c.path;
  if (!c.no_path.empty()) j["no_path"] = c.no_path;
  if (!c.priorities.empty()) j["priorities"] = c.priorities;
  if (c.samples != 0) {
    j["samples"] = c.samples;
    j["seed"] = c.seed;
  }
  if (c.preemptions) j["preemptions"] = *c.preemptions;
  write_graph(c, j);
  return j;
}

}  // namespace fencepost::verify
