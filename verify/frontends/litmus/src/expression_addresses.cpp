// Addresses: the operations that C allows on them, and the targets of accesses.
#include <utility>

#include "expression_parser.hpp"
#include "syntax.hpp"

namespace fencepost::litmus {
namespace {

bool is_null(const expression& e) { return e.op == operation::constant && e.constant == 0; }

}  // namespace

void expression_parser::check_operands(const binary_operator& o, const expression& left,
                                       const expression& right, const token& sign) {
  const int a = frame_.stars(left);
  const int b = frame_.stars(right);
  if (a == 0 && b == 0) return;
  bool possible = false;
  if (o.op == operation::add) possible = a == 0 || b == 0;
  if (o.op == operation::subtract) possible = b == 0 || a == b;
  if (o.level == 6 || o.level == 7) possible = a == b || is_null(left) || is_null(right);
  if (!possible) refuse_address(a > 0 ? left : right, sign.at);
}

void expression_parser::refuse_address(const expression& e, const place& at) {
  const parameter* const p =
      e.op == operation::constant ? frame_.parameter_at(e.constant) : nullptr;
  if (p == nullptr) in_.fail(at, "expected a number, found an address");
  in_.fail(at, quote(p->name) + " is a pointer; expected *" + p->name + " or an atomic function");
}

expression expression_parser::value_for(bool pointer, int depth) {
  const place at = in_.peek().at;
  expression e = expr(depth + 1);
  const int found = frame_.stars(e);
  if (!pointer && found > 0) refuse_address(e, at);
  if (pointer && found == 0 && !is_null(e)) in_.fail(at, "expected an address, found a number");
  if (found > 1) in_.fail(at, "unsupported: pointers to pointers as values");
  return e;
}

expression_parser::target expression_parser::pointer(const std::string& of, int depth) {
  const place at = in_.peek().at;
  expression e = of == "*" ? address(of, depth) : address_sum(of, depth);
  target t;
  const int found = frame_.stars(e);
  if (found == 0) in_.fail(at, "expected an address after " + of + ", found a number");
  t.pointer = found == 2;
  if (e.op == operation::constant)
    t.named = frame_.parameter_at(e.constant)->location;
  else
    t.through = std::move(e);
  return t;
}

expression expression_parser::address_sum(const std::string& of, int depth) {
  expression e = address(of, depth);
  while (in_.peek().is("+") || in_.peek().is("-")) {
    const token sign = in_.take();
    const binary_operator* const o = operator_of(sign);
    count(sign.at);
    expression right = binary_expr(unary_expr(depth + 1), o->level, depth + 1);
    check_operands(*o, e, right, sign);
    e = binary(o->op, std::move(e), std::move(right));
  }
  return e;
}

expression expression_parser::address(const std::string& of, int depth) {
  const token t = in_.take();
  check_depth(in_, t.at, depth);
  if (t.is("(")) {
    if (is_type(in_.peek())) {
      take_type(in_);
      take(")", "after the type");
      return address(of, depth + 1);
    }
    expression e = address_sum(of, depth + 1);
    take(")", "after the pointer");
    return e;
  }
  if (t.is("*")) {
    expression e = unary_from(t, depth + 1);
    if (frame_.stars(e) == 0) in_.fail(t.at, "this pointer points to a number, not to an address");
    return e;
  }
  if (t.is("&")) in_.fail(t.at, "expected a parameter of " + frame_.name() + ", found '&'");
  if (t.what != token::kind::identifier) {
    in_.fail(t.at,
             "expected a parameter of " + frame_.name() + " after " + of + ", found " + found(t));
  }
  if (in_.peek().is("[")) in_.fail(in_.peek().at, "unsupported: arrays");
  if (in_.peek().is("(")) return call(t, depth);
  if (const parameter* const p = frame_.parameter_named(t.text))
    return constant(address_of(p->location));
  const std::optional<register_id> r = frame_.find_register(t.text);
  if (r && frame_.is_pointer(*r)) return reg(*r);
  if (r) in_.fail(t.at, quote(t.text) + " is not a pointer; declare it as int*");
  in_.fail(t.at, quote(t.text) + " is not a parameter of " + frame_.name());
}

}  // namespace fencepost::litmus
