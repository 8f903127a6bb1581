#include "fencepost/litmus/outcome.hpp"

#include <algorithm>

namespace fencepost::litmus {

namespace {

value value_of(const final_state& s, const observable& o) {
  return o.thread ? s.registers[*o.thread][o.index] : s.memory[o.index];
}

}  // namespace

bool satisfies(const final_state& s, const proposition& p) {
  using kind = proposition::kind;
  const auto part = [&](const proposition& q) { return satisfies(s, q); };
  switch (p.what) {
    case kind::atom: {
      const auto* other = std::get_if<observable>(&p.right);
      return value_of(s, p.left) == (other ? value_of(s, *other) : std::get<value>(p.right));
    }
    case kind::negation: return !part(p.parts[0]);
    case kind::conjunction: return std::all_of(p.parts.begin(), p.parts.end(), part);
    case kind::disjunction: return std::any_of(p.parts.begin(), p.parts.end(), part);
    case kind::implication: return !part(p.parts[0]) || part(p.parts[1]);
  }
  return false;
}

outcome_counter::outcome_counter(const program& p) : program_(&p), observed_(observed(p)) {}

void outcome_counter::add(const final_state& s, bool race, std::uint64_t times) {
  if (program_->filter && !satisfies(s, *program_->filter)) return;
  std::vector<value> shown;
  shown.reserve(observed_.size());
  for (const observable& o : observed_) shown.push_back(value_of(s, o));
  result_.states[std::move(shown)] += times;
  result_.executions += times;
  (satisfies(s, program_->condition.what) ? result_.positive : result_.negative) += times;
  result_.undef = result_.undef || race;
}

bool holds(const program& p, const outcome_set& o) {
  switch (p.condition.how) {
    case quantifier::exists: return o.positive > 0;
    case quantifier::not_exists: return o.positive == 0;
    case quantifier::forall: return o.negative == 0;
  }
  return false;
}

std::string spell(const program& p, const std::vector<value>& state) {
  const std::vector<observable> names = observed(p);
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i != 0) text += ' ';
    text += to_string(p, names[i]) + '=' + spell(p, state[i]) + ';';
  }
  return text;
}

}  // namespace fencepost::litmus
