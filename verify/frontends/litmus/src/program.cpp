#include "fencepost/litmus/program.hpp"

#include <algorithm>
#include <string>
#include <tuple>
#include <utility>

namespace fencepost::litmus {

bool is_acquire(access_order o) noexcept {
  return o == access_order::acquire || o == access_order::acq_rel || o == access_order::seq_cst;
}
bool is_release(access_order o) noexcept {
  return o == access_order::release || o == access_order::acq_rel || o == access_order::seq_cst;
}

std::string_view to_string(access_order o) noexcept {
  switch (o) {
    case access_order::plain: return "plain";
    case access_order::relaxed: return "relaxed";
    case access_order::acquire: return "acquire";
    case access_order::release: return "release";
    case access_order::acq_rel: return "acq_rel";
    case access_order::seq_cst: return "seq_cst";
  }
  return "?";
}

bool operator==(const expression& a, const expression& b) {
  return a.op == b.op && a.constant == b.constant && a.reg == b.reg && a.operands == b.operands;
}
bool operator==(const branch& a, const branch& b) {
  return a.condition == b.condition && a.then == b.then && a.otherwise == b.otherwise;
}
bool operator==(const loop& a, const loop& b) {
  return a.before == b.before && a.condition == b.condition && a.body == b.body &&
         a.bound == b.bound;
}
bool operator==(const statement& a, const statement& b) { return a.what == b.what; }
bool operator==(const proposition& a, const proposition& b) {
  return a.what == b.what && a.left == b.left && a.right == b.right && a.parts == b.parts;
}

expression constant(value v) {
  expression e;
  e.constant = v;
  return e;
}

expression reg(register_id r) {
  expression e;
  e.op = operation::reg;
  e.reg = r;
  return e;
}

expression unary(operation op, expression a) {
  expression e;
  e.op = op;
  e.operands.push_back(std::move(a));
  return e;
}

expression binary(operation op, expression a, expression b) {
  expression e;
  e.op = op;
  e.operands.reserve(2);
  e.operands.push_back(std::move(a));
  e.operands.push_back(std::move(b));
  return e;
}

namespace {

// For signed arithmetic that wraps.
value wrap(std::uint64_t v) noexcept { return static_cast<value>(v); }
std::uint64_t bits(value v) noexcept { return static_cast<std::uint64_t>(v); }

value divide(value a, value b) noexcept {
  if (b == 0) return 0;
  if (b == -1) return wrap(0 - bits(a));  // the one quotient that can overflow
  return a / b;
}

value remainder(value a, value b) noexcept { return b == 0 || b == -1 ? 0 : a % b; }

}  // namespace

value evaluate(const expression& e, const std::vector<value>& registers) {
  const auto operand = [&](std::size_t i) { return evaluate(e.operands[i], registers); };
  const auto truth = [](bool b) -> value { return b ? 1 : 0; };
  switch (e.op) {
    case operation::constant: return e.constant;
    case operation::reg: return registers[e.reg];
    case operation::negate: return wrap(0 - bits(operand(0)));
    case operation::bit_not: return ~operand(0);
    case operation::logical_not: return truth(operand(0) == 0);
    case operation::add: return wrap(bits(operand(0)) + bits(operand(1)));
    case operation::subtract: return wrap(bits(operand(0)) - bits(operand(1)));
    case operation::multiply: return wrap(bits(operand(0)) * bits(operand(1)));
    case operation::divide: return divide(operand(0), operand(1));
    case operation::remainder: return remainder(operand(0), operand(1));
    case operation::bit_and: return operand(0) & operand(1);
    case operation::bit_or: return operand(0) | operand(1);
    case operation::bit_xor: return operand(0) ^ operand(1);
    case operation::equal: return truth(operand(0) == operand(1));
    case operation::not_equal: return truth(operand(0) != operand(1));
    case operation::less: return truth(operand(0) < operand(1));
    case operation::less_equal: return truth(operand(0) <= operand(1));
    case operation::greater: return truth(operand(0) > operand(1));
    case operation::greater_equal: return truth(operand(0) >= operand(1));
  }
  return 0;
}

std::optional<location_id> location_at(const program& p, value address) noexcept {
  if (address < first_address || (address - first_address) % address_distance != 0) return {};
  const value number = (address - first_address) / address_distance;
  if (number >= static_cast<value>(p.locations.size())) return {};
  return static_cast<location_id>(number);
}

std::string spell(const program& p, value v) {
  const std::optional<location_id> l = location_at(p, v);
  return l ? p.locations[*l].name : std::to_string(v);
}

value apply(rmw_operation op, value old, value operand) noexcept {
  switch (op) {
    case rmw_operation::exchange: return operand;
    case rmw_operation::fetch_add: return wrap(bits(old) + bits(operand));
    case rmw_operation::fetch_sub: return wrap(bits(old) - bits(operand));
    case rmw_operation::fetch_and: return old & operand;
    case rmw_operation::fetch_or: return old | operand;
    case rmw_operation::fetch_xor: return old ^ operand;
  }
  return operand;
}

namespace {

void collect(const proposition& p, std::vector<observable>& into) {
  if (p.what == proposition::kind::atom) {
    into.push_back(p.left);
    if (const auto* other = std::get_if<observable>(&p.right)) into.push_back(*other);
  }
  for (const proposition& part : p.parts) collect(part, into);
}

}  // namespace

std::vector<observable> observed(const program& p) {
  std::vector<observable> all = p.displayed;
  collect(p.condition.what, all);
  const auto key = [&](const observable& o) {
    return o.thread ? std::tuple(0, *o.thread,
                                 std::string_view(p.threads[*o.thread].registers[o.index].name))
                    : std::tuple(1, 0U, std::string_view(p.locations[o.index].name));
  };
  std::sort(all.begin(), all.end(),
            [&](const observable& a, const observable& b) { return key(a) < key(b); });
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

std::string to_string(const program& p, const observable& o) {
  if (o.thread)
    return std::to_string(*o.thread) + ':' + p.threads[*o.thread].registers[o.index].name;
  return '[' + p.locations[o.index].name + ']';
}

namespace {

// Returns the proposition as herd prints it: with parentheses only where the parent binds
// differently.
std::string spell(const program& p, const proposition& what, proposition::kind parent) {
  using kind = proposition::kind;
  const auto join = [&](std::string_view between) {
    std::string text;
    for (const proposition& part : what.parts) {
      if (!text.empty()) text += between;
      text += spell(p, part, what.what);
    }
    return text;
  };
  const auto grouped = [&](std::string text) {
    const bool alone = parent == what.what || parent == kind::atom;
    return alone ? text : '(' + text + ')';
  };
  switch (what.what) {
    case kind::atom:
      if (const auto* other = std::get_if<observable>(&what.right)) {
        return to_string(p, what.left) + '=' + to_string(p, *other);
      }
      return to_string(p, what.left) + '=' + litmus::spell(p, std::get<value>(what.right));
    case kind::negation: return "not (" + spell(p, what.parts[0], kind::atom) + ')';
    case kind::conjunction: return what.parts.empty() ? "true" : grouped(join(" /\\ "));
    case kind::disjunction: return what.parts.empty() ? "false" : grouped(join(" \\/ "));
    case kind::implication:
      return grouped(spell(p, what.parts[0], kind::negation) + " => " +
                     spell(p, what.parts[1], kind::implication));
  }
  return {};
}

}  // namespace

std::string to_string(const program& p, const proposition& what) {
  return spell(p, what, proposition::kind::atom);
}

std::string to_string(const program& p, const final_condition& c) {
  std::string_view how = "forall";
  if (c.how == quantifier::exists) how = "exists";
  if (c.how == quantifier::not_exists) how = "~exists";
  return std::string(how) + " (" + to_string(p, c.what) + ')';
}

}  // namespace fencepost::litmus
