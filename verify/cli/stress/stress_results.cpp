#include "stress/stress_results.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/input_file.hpp"
#include "base/json.hpp"
#include "base/usage.hpp"

namespace fencepost::cli {
namespace {

// The shape of that name, if it was run.
const stressed* shape(const calibration& c, std::string_view name) {
  const auto found = std::find_if(c.shapes.begin(), c.shapes.end(),
                                  [&](const stressed& s) { return s.name == name; });
  return found == c.shapes.end() || found->samples == 0 ? nullptr : &*found;
}

bool shows_weak(const calibration& c, std::string_view name) {
  const stressed* const s = shape(c, name);
  return s != nullptr &&
         std::any_of(s->outcomes.begin(), s->outcomes.end(), [](const counted_outcome& o) {
           return o.verdict == expect::interesting && o.count != 0;
         });
}

void merge_claim(stressed& into, const stressed_claim& c) {
  for (stressed_claim& known : into.broken) {
    if (known.kind == c.kind && known.file == c.file && known.line == c.line &&
        (c.line != 0 || known.what == c.what)) {
      known.count += c.count;
      return;
    }
  }
  into.broken.push_back(c);
}

void merge_scenarios(std::vector<stressed>& into, const std::vector<stressed>& from) {
  for (const stressed& s : from) {
    const auto found = std::find_if(into.begin(), into.end(),
                                    [&](const stressed& known) { return known.name == s.name; });
    if (found == into.end()) {
      into.push_back(s);
      continue;
    }
    found->ran = found->ran || s.ran;
    found->samples += s.samples;
    found->seconds += s.seconds;
    for (const counted_outcome& o : s.outcomes) {
      const auto known =
          std::find_if(found->outcomes.begin(), found->outcomes.end(),
                       [&](const counted_outcome& k) { return k.result == o.result; });
      if (known == found->outcomes.end()) {
        found->outcomes.push_back(o);
      } else {
        known->count += o.count;
      }
    }
    for (const stressed_claim& c : s.broken) merge_claim(*found, c);
  }
}

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

bool stressed::forbidden_seen() const {
  return std::any_of(outcomes.begin(), outcomes.end(), [](const counted_outcome& o) {
    return o.verdict == expect::forbidden && o.count != 0;
  });
}

std::uint64_t stressed::times_broken() const {
  std::uint64_t times = 0;
  for (const stressed_claim& c : broken) times += c.count;
  for (const counted_outcome& o : outcomes) {
    if (o.verdict == expect::forbidden) times += o.count;
  }
  return times;
}

std::string_view to_string(stress_standing s) noexcept {
  switch (s) {
    case stress_standing::held: return "held";
    case stress_standing::broken: return "broken";
    case stress_standing::seen_violated: return "seen violated";
    case stress_standing::not_seen: return "not seen";
    case stress_standing::not_run: return "not run";
  }
  return "?";
}

stress_standing judge(const stressed& s) noexcept {
  const bool broken = !s.broken.empty() || s.forbidden_seen();
  if (s.expected == violation::none) {
    if (broken) return stress_standing::broken;
    return s.ran ? stress_standing::held : stress_standing::not_run;
  }
  if (broken) return stress_standing::seen_violated;
  return s.ran ? stress_standing::not_seen : stress_standing::not_run;
}

stressed stressed_from(const scenario& about) {
  stressed s;
  s.name = about.name;
  s.claim = about.claim;
  s.expected = about.expected;
  s.threads = about.threads;
  for (const known_outcome& o : about.outcomes) {
    s.outcomes.push_back({std::string(o.result), o.verdict, std::string(o.description), 0});
  }
  return s;
}

void add(stressed& s, const stress::result& r) {
  const bool knows_some = !s.outcomes.empty();
  s.ran = true;
  s.samples += r.samples;
  s.seconds += r.seconds;
  for (const stress::seen_outcome& seen : r.outcomes) {
    const auto known = std::find_if(s.outcomes.begin(), s.outcomes.end(),
                                    [&](const auto& o) { return o.result == seen.result; });
    if (known != s.outcomes.end()) {
      known->count += seen.count;
    } else {
      s.outcomes.push_back({seen.result, knows_some ? expect::forbidden : expect::allowed,
                            knows_some ? "the scenario does not know it" : "", seen.count});
    }
  }
  for (const stress::broken_claim& b : r.broken) {
    stressed_claim c;
    static_cast<stress::broken_claim&>(c) = b;
    c.seed = r.seed;
    merge_claim(s, c);
  }
}

std::vector<weak_outcome> weak_outcomes(const calibration& c) {
  std::vector<weak_outcome> all;
  for (const stressed& s : c.shapes) {
    for (const counted_outcome& o : s.outcomes) {
      if (o.verdict != expect::allowed) all.push_back({&s, &o});
    }
  }
  return all;
}

std::string what_it_cannot_show(const calibration& c) {
  std::string text;
  for (const stressed& s : c.shapes) {
    if (s.forbidden_seen()) text += s.name + " came to what C++ forbids. ";
  }
  if (!text.empty()) {
    text +=
        "The compiler, the processor or an emulator has a fault: what is seen broken here may be "
        "that, and not the code. ";
  }
  if (!c.where.emulator.empty()) {
    text += "This program is emulated, by " + c.where.emulator +
            ": what it shows is what the "
            "emulator and the processor under it do, not what a processor of the architecture " +
            c.where.architecture + " does. It finds wrong code, and says little of memory orders. ";
  }
  const bool mp = shows_weak(c, "litmus/mp");
  const bool lb = shows_weak(c, "litmus/lb");
  if (shape(c, "litmus/mp") == nullptr || shape(c, "litmus/lb") == nullptr) {
    text +=
        "Message passing (MP) or load buffering (LB) was not run: what this machine shows is "
        "not known. ";
  } else if (!mp && !lb) {
    text +=
        "Neither MP nor LB was seen. What holds here is no evidence for weaker machines (ARM, "
        "POWER, RISC-V): orders that this machine gives for nothing can be missing, and "
        "nothing of what follows would show it. ";
  } else if (!lb) {
    text += "LB was not seen: what holds here is no evidence for machines that show it. ";
  } else if (!mp) {
    text += "MP was not seen: what holds here is no evidence for machines that show it. ";
  }
  if (!text.empty()) text.pop_back();
  return text;
}

void stress_results::merge(const stress_results& other) {
  for (const calibration& c : other.machines) {
    const auto same = std::find_if(machines.begin(), machines.end(),
                                   [&](const calibration& m) { return m.where == c.where; });
    if (same == machines.end()) {
      machines.push_back(c);
    } else {
      merge_scenarios(same->shapes, c.shapes);
    }
  }
  merge_scenarios(scenarios, other.scenarios);
  seeds.insert(seeds.end(), other.seeds.begin(), other.seeds.end());
  seconds += other.seconds;
  interrupted = interrupted || other.interrupted;
}

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
