#include "result_json/result_json.hpp"

#include <cmath>
#include <cstdint>

#include "fencepost/verify/report.hpp"
#include "result_json/execution_json.hpp"
#include "result_json/from_json.hpp"

namespace fencepost::verify {

using json = nlohmann::ordered_json;

namespace {

double finite(double value) { return std::isfinite(value) ? value : 0; }

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

json to_json(const rechecked& r) {
  json j{{"graphs", r.graphs}, {"confirmed", r.confirmed}, {"rejected", r.rejected}};
  if (!r.not_held.empty()) j["not_held"] = r.not_held;
  if (!r.why.empty()) j["why"] = r.why;
  if (!r.graph.empty()) j["graph"] = r.graph;
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
