#include "stress/stress_results.hpp"

#include <algorithm>

namespace fencepost::cli {
namespace {

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
                            knows_some ? "the scenario does not list it" : "", seen.count});
    }
  }
  for (const stress::broken_claim& b : r.broken) {
    stressed_claim c;
    static_cast<stress::broken_claim&>(c) = b;
    c.seed = r.seed;
    merge_claim(s, c);
  }
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

}  // namespace fencepost::cli
