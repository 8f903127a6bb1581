#include <nlohmann/json.hpp>

#include "base/input_file.hpp"
#include "base/json.hpp"
#include "base/usage.hpp"
#include "stress/stress_results.hpp"

namespace fencepost::cli {
namespace {

template <class Enum>
Enum named(const json& name, std::initializer_list<Enum> all) {
  for (const Enum e : all) {
    if (name == to_string(e)) return e;
  }
  throw usage_error("there is no '" + name.get<std::string>() + "'");
}

violation violation_from(const json& name) {
  for (unsigned i = 0; i <= static_cast<unsigned>(violation::misuse); ++i) {
    if (name == to_string(static_cast<violation>(i))) return static_cast<violation>(i);
  }
  throw usage_error("there is no violation '" + name.get<std::string>() + "'");
}

json to_json(const stressed& s) {
  json j{{"name", s.name},         {"claim", s.claim},     {"expected", to_string(s.expected)},
         {"threads", s.threads},   {"ran", s.ran},         {"status", to_string(judge(s))},
         {"samples", s.samples},   {"seconds", s.seconds}, {"outcomes", json::array()},
         {"broken", json::array()}};
  for (const counted_outcome& o : s.outcomes) {
    j["outcomes"].push_back({{"result", o.result},
                             {"count", o.count},
                             {"expectation", to_string(o.verdict)},
                             {"description", o.description}});
  }
  for (const stressed_claim& c : s.broken) {
    j["broken"].push_back({{"kind", to_string(c.kind)},
                           {"what", c.what},
                           {"file", c.file},
                           {"line", c.line},
                           {"function", c.function},
                           {"count", c.count},
                           {"after", c.after},
                           {"seed", c.seed}});
  }
  return j;
}

stressed stressed_from(const json& j) {
  stressed s;
  s.name = j.at("name");
  s.claim = j.at("claim");
  s.expected = violation_from(j.at("expected"));
  s.threads = whole<decltype(s.threads)>(j.at("threads"));
  s.ran = j.at("ran");
  s.samples = whole<std::uint64_t>(j.at("samples"));
  s.seconds = j.at("seconds");
  for (const json& o : j.at("outcomes")) {
    s.outcomes.push_back(
        {o.at("result"),
         named(o.at("expectation"), {expect::allowed, expect::interesting, expect::forbidden}),
         o.at("description"), whole<std::uint64_t>(o.at("count"))});
  }
  for (const json& c : j.at("broken")) {
    stressed_claim claim;
    claim.kind = violation_from(c.at("kind"));
    claim.what = c.at("what");
    claim.file = c.at("file");
    claim.line = whole<decltype(claim.line)>(c.at("line"));
    claim.function = c.at("function");
    claim.count = whole<std::uint64_t>(c.at("count"));
    claim.after = c.at("after");
    claim.seed = whole<std::uint64_t>(c.at("seed"));
    s.broken.push_back(std::move(claim));
  }
  return s;
}

std::vector<stressed> all_stressed_from(const json& j) {
  std::vector<stressed> all;
  for (const json& s : j) all.push_back(stressed_from(s));
  return all;
}

json all_to_json(const std::vector<stressed>& all) {
  json j = json::array();
  for (const stressed& s : all) j.push_back(to_json(s));
  return j;
}

stress_results results_from(const json& j) {
  stress_results r;
  for (const json& m : j.at("machines")) {
    calibration c;
    c.where.architecture = m.at("architecture");
    c.where.processor = m.at("processor");
    c.where.processors = whole<decltype(c.where.processors)>(m.at("processors"));
    c.where.emulator = m.at("emulator");
    c.shapes = all_stressed_from(m.at("calibration"));
    r.machines.push_back(std::move(c));
  }
  r.scenarios = all_stressed_from(j.at("scenarios"));
  for (const json& seed : j.at("seeds")) r.seeds.push_back(whole<std::uint64_t>(seed));
  r.seconds = j.at("seconds");
  r.interrupted = j.at("interrupted");
  return r;
}

}  // namespace

json to_json(const stress_results& r) {
  json j = document("stress");
  j["seconds"] = r.seconds;
  j["seeds"] = r.seeds;
  j["interrupted"] = r.interrupted;
  j["machines"] = json::array();
  for (const calibration& c : r.machines) {
    j["machines"].push_back({{"architecture", c.where.architecture},
                             {"processor", c.where.processor},
                             {"processors", c.where.processors},
                             {"emulator", c.where.emulator},
                             {"cannot_show", what_it_cannot_show(c)},
                             {"calibration", all_to_json(c.shapes)}});
  }
  j["scenarios"] = all_to_json(r.scenarios);
  return j;
}

stress_results read_stress_results(const std::string& path) {
  const std::string what = "what 'fencepost stress --json FILE' wrote";
  const json j = read_document("--merge", path, "stress", what);
  try {
    return results_from(j);
  } catch (const std::exception& e) {
    throw usage_error("--merge: '" + path + "' is not " + what + ": " + in_words(e));
  }
}

}  // namespace fencepost::cli
