// Reports a test as herd7 prints it, and as JSON.
#include <array>
#include <cstdio>

#include "fencepost/litmus/test_runs.hpp"

namespace fencepost::litmus {

namespace {

std::string_view kind(quantifier q) {
  switch (q) {
    case quantifier::exists: return "Allowed";
    case quantifier::not_exists: return "Forbidden";
    case quantifier::forall: return "Required";
  }
  return "?";
}

// True if the answer is known: executions that were not explored cannot change it once there is an
// example or a counterexample.
bool decided(const program& p, const outcome_set& o) {
  if (o.limit.empty()) return true;
  return p.condition.how == quantifier::forall ? o.negative > 0 : o.positive > 0;
}

std::string_view verdict(const program& p, const outcome_set& o) {
  if (o.undef) return "Undef";
  if (!decided(p, o)) return "Unknown";
  return holds(p, o) ? "Ok" : "No";
}

std::string_view observation(const outcome_set& o) {
  if (o.positive > 0 && o.negative > 0) return "Sometimes";
  if (!o.limit.empty()) return "Unknown";
  return o.positive == 0 ? "Never" : "Always";
}

std::string fixed(double seconds, const char* format) {
  std::array<char, 64> text{};
  std::snprintf(text.data(), text.size(), format, seconds);
  return text.data();
}

std::string json(std::string_view s) {
  std::string text = "\"";
  for (const char c : s) {
    if (c == '"' || c == '\\') {
      text += '\\';
      text += c;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      std::array<char, 8> code{};
      std::snprintf(code.data(), code.size(), "\\u%04x", static_cast<unsigned char>(c));
      text += code.data();
    } else {
      text += c;
    }
  }
  return text + '"';
}

}  // namespace

std::string to_herd(const test_result& r) {
  const program& p = r.test;
  const outcome_set& o = r.outcomes;
  std::string text = "Test " + p.name + ' ' + std::string(kind(p.condition.how)) + '\n';
  text += "States " + std::to_string(o.states.size()) + '\n';
  for (const auto& [state, times] : o.states) text += spell(p, state) + '\n';
  if (o.cut) text += "Loop ";
  text += std::string(verdict(p, o)) + "\nWitnesses\n";
  const bool wanted = p.condition.how != quantifier::not_exists;
  text += "Positive: " + std::to_string(wanted ? o.positive : o.negative);
  text += " Negative: " + std::to_string(wanted ? o.negative : o.positive) + '\n';
  if (o.undef) text += "Flag *undef*\n";
  text += "Condition " + to_string(p, p.condition) + '\n';
  text += "Observation " + p.name + ' ' + std::string(observation(o)) + ' ' +
          std::to_string(o.positive) + ' ' + std::to_string(o.negative) + '\n';
  text += "Time " + p.name + ' ' + fixed(r.seconds, "%.2f") + "\n\n";
  return text;
}

std::string to_json(const test_result& r) {
  const program& p = r.test;
  const outcome_set& o = r.outcomes;
  std::string states;
  for (const auto& [state, times] : o.states) {
    if (!states.empty()) states += ", ";
    states += json(spell(p, state));
  }
  const auto truth = [](bool b) { return std::string(b ? "true" : "false"); };
  return "{\"name\": " + json(p.name) + ", \"file\": " + json(r.file) +
         ", \"kind\": " + json(kind(p.condition.how)) +
         ", \"condition\": " + json(to_string(p, p.condition)) + ", \"states\": [" + states +
         "], \"nstates\": " + std::to_string(o.states.size()) +
         ", \"executions\": " + std::to_string(o.executions) +
         ", \"positive\": " + std::to_string(o.positive) +
         ", \"negative\": " + std::to_string(o.negative) + ", \"verdict\": " + json(verdict(p, o)) +
         ", \"observation\": " + json(observation(o)) + ", \"undef\": " + truth(o.undef) +
         ", \"load_buffering\": " + truth(o.load_buffering) + ", \"cut\": " + truth(o.cut) +
         ", \"limit\": " + json(o.limit) + ", \"seconds\": " + fixed(r.seconds, "%.6f") + '}';
}

}  // namespace fencepost::litmus
