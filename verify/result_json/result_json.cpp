#include "result_json/result_json.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>
#include <stdexcept>

#include "fencepost/verify/report.hpp"

namespace fencepost::verify {
namespace {

using json = nlohmann::ordered_json;

// source_location points to text that is expected to live for ever.
const char* interned(const std::string& text) {
  static std::set<std::string> all;
  return all.insert(text).first->c_str();
}

// The enumerator with that name; they are few and numbered from 0, and "?" is the name of none.
template <class Enum>
Enum named(const json& name, std::string_view what) {
  const auto& text = name.get_ref<const std::string&>();
  for (unsigned i = 0; i < 64 && text != "?"; ++i) {
    if (to_string(static_cast<Enum>(i)) == text) return static_cast<Enum>(i);
  }
  throw std::invalid_argument("there is no " + std::string(what) + " '" + text + "'");
}

template <class Number>
Number whole(const json& j) {
  if (j.is_number_unsigned() && j.get<std::uint64_t>() <= std::numeric_limits<Number>::max())
    return j.get<Number>();
  throw std::invalid_argument(j.dump() + " is not a whole number from 0 to " +
                              std::to_string(std::numeric_limits<Number>::max()));
}

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

double finite(double value) { return std::isfinite(value) ? value : 0; }

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

// Steps are numbered from 1, as in the text.
json json_of(const step& s, std::size_t index) {
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

json json_of(const edge& e) {
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

// Into an object that may have more.
void write_graph(const execution& shown, json& j) {
  j["threads"] = shown.threads;
  j["steps"] = json::array();
  for (std::size_t i = 0; i < shown.steps.size(); ++i) {
    j["steps"].push_back(json_of(shown.steps[i], i));
  }
  j["edges"] = json::array();
  for (const edge& e : shown.edges) j["edges"].push_back(json_of(e));
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

reexecuted reexecuted_from(const json& j) {
  reexecuted x;
  x.limit = whole<unsigned>(j.at("limit"));
  x.races = whole<std::uint64_t>(j.at("races"));
  x.executions = whole<std::uint64_t>(j.at("executions"));
  x.exhaustive = j.at("exhaustive").get<bool>();
  for (const json& race : j.at("open"))
    x.open.push_back({location_from(race.at("read")), location_from(race.at("write")),
                      race.at("why").get<std::string>()});
  return x;
}

}  // namespace

estimated estimated_from(const json& j) {
  return {j.at("probes").get<std::size_t>(), j.at("executions").get<double>(),
          j.at("at_least").get<double>(), j.at("at_most").get<double>()};
}

memory_model model_from(const json& j) { return named<memory_model>(j, "model"); }

counterexample counterexample_from_json(const json& j) {
  counterexample c;
  c.kind = named<violation>(j.at("kind"), "kind of violation");
  c.message = j.at("message").get<std::string>();
  c.thread = whole<unsigned>(j.at("thread"));
  if (j.contains("where")) c.where = location_from(j["where"]);
  c.path = j.value("path", std::string());
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
  if (!c.path.empty()) j["path"] = c.path;
  if (!c.priorities.empty()) j["priorities"] = c.priorities;
  if (c.samples != 0) {
    j["samples"] = c.samples;
    j["seed"] = c.seed;
  }
  if (c.preemptions) j["preemptions"] = *c.preemptions;
  write_graph(c, j);
  return j;
}

json to_json(const rechecked& r) {
  json j{{"graphs", r.graphs}, {"confirmed", r.confirmed}, {"rejected", r.rejected}};
  if (!r.not_held.empty()) j["not_held"] = r.not_held;
  if (!r.why.empty()) j["why"] = r.why;
  if (!r.graph.empty()) j["graph"] = r.graph;
  return j;
}

json to_json(const reexecuted& x) {
  json j{{"limit", x.limit},
         {"races", x.races},
         {"executions", x.executions},
         {"exhaustive", x.exhaustive},
         {"open", json::array()}};
  for (const reexecuted::open_race& race : x.open)
    j["open"].push_back(
        {{"read", json_of(race.read)}, {"write", json_of(race.write)}, {"why", race.why}});
  return j;
}

json to_json(const estimated& e) {
  return {{"executions", finite(e.executions)},
          {"at_least", finite(e.at_least)},
          {"at_most", finite(e.at_most)},
          {"probes", e.probes}};
}

json to_json(const result& r) {
  json j{{"verdict", to_string(r.outcome)},
         {"model", to_string(r.model)},
         {"executions", r.executions},
         {"blocked", r.blocked},
         {"seconds", finite(r.seconds)},
         {"explored", finite(r.fraction)},
         {"max_threads", r.threads},
         {"max_events", r.events},
         {"max_atomics", r.atomics},
         {"max_plain", r.plain},
         {"memory", r.memory}};
  if (r.whole) j["estimate"] = to_json(*r.whole);
  if (r.symmetric != 0) j["symmetric"] = r.symmetric;
  if (!r.from_beginning.empty()) j["from_beginning"] = r.from_beginning;
  if (!r.limit.empty()) {
    j["limit"] = r.limit;
    for (const changed_place& p : r.changed)
      j["changed"].push_back({{"where", json_of(p.where)}, {"runs", p.runs}});
  }
  if (r.outcome == verdict::verified || !r.load_buffering.empty()) {
    j["load_buffering"] = json::array();
    for (const load_buffering_race& race : r.load_buffering)
      j["load_buffering"].push_back({{"read", json_of(race.read)},
                                     {"write", json_of(race.write)},
                                     {"store", json_of(race.store)}});
  }
  if (r.reexecutions) j["reexecutions"] = to_json(*r.reexecutions);
  if (r.sample) {
    j["random"] = {{"seed", r.sample->seed},      {"draws", r.sample->draws},
                   {"graphs", r.sample->graphs},  {"once", r.sample->once},
                   {"twice", r.sample->twice},    {"at_least", r.sample->least()},
                   {"unseen", r.sample->unseen()}};
  }
  if (r.recheck) j["recheck"] = to_json(*r.recheck);
  if (r.preemptions) {
    j["bound"] = *r.preemptions;
    j["cut"] = r.cut;
  }
  if (!r.outcomes.empty() || !r.known_outcomes.empty()) {
    j["outcomes"] = json::array();
    for (const outcome_row& row : outcome_rows(r)) {
      json one{{"outcome", row.result}, {"executions", row.executions}};
      if (row.verdict) one["expectation"] = to_string(*row.verdict);
      if (row.known) one["known"] = true;
      if (!row.description.empty()) one["description"] = row.description;
      if (const auto example = r.examples.find(row.result); example != r.examples.end()) {
        write_graph(example->second, one["example"]);
      }
      j["outcomes"].push_back(std::move(one));
    }
  }
  if (!r.places.empty()) {
    j["places"] = json::array();
    for (const access_place& p : r.places) j["places"].push_back(json_of(p));
  }
  if (const auto example = r.examples.find(""); example != r.examples.end()) {
    write_graph(example->second, j["example"]);
  }
  if (r.violation) {
    j["violations"] = r.violations;
    j["violation"] = to_json(*r.violation);
  }
  return j;
}

result result_from_json(const json& j) {
  result r;
  r.outcome = named<verdict>(j.at("verdict"), "verdict");
  r.model = model_from(j.at("model"));
  r.executions = j.at("executions").get<std::uint64_t>();
  r.blocked = j.at("blocked").get<std::uint64_t>();
  r.seconds = j.at("seconds").get<double>();
  r.fraction = j.at("explored").get<double>();
  r.threads = j.at("max_threads").get<unsigned>();
  r.events = j.at("max_events").get<std::size_t>();
  r.atomics = j.value("max_atomics", std::size_t{0});
  r.plain = j.value("max_plain", std::size_t{0});
  r.memory = j.at("memory").get<std::size_t>();
  if (j.contains("estimate")) r.whole = estimated_from(j["estimate"]);
  r.symmetric = j.value("symmetric", 0U);
  r.from_beginning = j.value("from_beginning", "");
  r.limit = j.value("limit", "");
  if (j.contains("changed"))
    for (const json& p : j["changed"])
      r.changed.push_back({location_from(p.at("where")), p.at("runs").get<std::uint64_t>()});
  if (r.outcome == verdict::verified || j.contains("load_buffering"))
    for (const json& race : j.at("load_buffering"))
      r.load_buffering.push_back({location_from(race.at("read")), location_from(race.at("write")),
                                  location_from(race.at("store"))});
  if (j.contains("reexecutions")) r.reexecutions = reexecuted_from(j["reexecutions"]);
  if (j.contains("random")) {
    const json& drawn = j["random"];
    r.sample =
        sampled{drawn.at("seed").get<std::uint64_t>(), drawn.at("draws").get<std::uint64_t>(),
                drawn.at("graphs").get<std::uint64_t>(), drawn.at("once").get<std::uint64_t>(),
                drawn.at("twice").get<std::uint64_t>()};
  }
  if (j.contains("recheck")) {
    const json& second = j["recheck"];
    rechecked& said = r.recheck.emplace();
    said.graphs = second.at("graphs").get<std::uint64_t>();
    said.confirmed = second.at("confirmed").get<std::uint64_t>();
    said.rejected = second.at("rejected").get<std::uint64_t>();
    said.not_held = second.value("not_held", said.not_held);
    said.why = second.value("why", "");
    said.graph = second.value("graph", "");
  }
  if (j.contains("bound")) {
    r.preemptions = j["bound"].get<unsigned>();
    r.cut = j.at("cut").get<std::uint64_t>();
  }
  if (j.contains("outcomes")) {
    for (const json& o : j["outcomes"]) {
      const auto text = o.at("outcome").get<std::string>();
      if (const auto count = o.at("executions").get<std::uint64_t>(); count != 0) {
        r.outcomes[text] = count;
      }
      if (o.value("known", false)) {
        r.known_outcomes.push_back({interned(text),
                                    named<expect>(o.at("expectation"), "expectation"),
                                    interned(o.value("description", ""))});
      }
      if (o.contains("example")) read_graph(o["example"], r.examples[text]);
    }
  }
  if (j.contains("places")) {
    for (const json& p : j["places"]) r.places.push_back(place_from(p));
  }
  if (j.contains("example")) read_graph(j["example"], r.examples[""]);
  if (j.contains("violation")) r.violation = counterexample_from_json(j["violation"]);
  r.violations = j.value("violations", std::uint64_t{0});
  return r;
}

}  // namespace fencepost::verify
