#include "expression_parser.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "syntax.hpp"

namespace fencepost::litmus {

const binary_operator* operator_of(const token& t) {
  static constexpr std::array<binary_operator, 16> all = {{
      {"||", 1, operation::bit_or},
      {"&&", 2, operation::bit_and},
      {"|", 3, operation::bit_or},
      {"^", 4, operation::bit_xor},
      {"&", 5, operation::bit_and},
      {"==", 6, operation::equal},
      {"!=", 6, operation::not_equal},
      {"<", 7, operation::less},
      {"<=", 7, operation::less_equal},
      {">", 7, operation::greater},
      {">=", 7, operation::greater_equal},
      {"+", 8, operation::add},
      {"-", 8, operation::subtract},
      {"*", 9, operation::multiply},
      {"/", 9, operation::divide},
      {"%", 9, operation::remainder},
  }};
  if (t.what != token::kind::symbol) return nullptr;
  const auto it = std::find_if(all.begin(), all.end(),
                               [&](const binary_operator& o) { return o.symbol == t.text; });
  return it == all.end() ? nullptr : &*it;
}

expression expression_parser::binary_expr(expression left, int weakest, int depth) {
  for (;;) {
    const token sign = in_.peek();
    for (const std::string_view s : {"<<", ">>", "?", "++", "--"}) {
      if (sign.is(s)) in_.fail(sign.at, "unsupported: operator " + std::string(s));
    }
    const binary_operator* o = operator_of(sign);
    if (o == nullptr || o->level <= weakest) return left;
    in_.take();
    check_depth(in_, sign.at, depth);
    count(sign.at);
    if (sign.is("&&") || sign.is("||")) {
      left = logical(sign.is("&&"), std::move(left), o->level, depth + 1);
      continue;
    }
    expression right = binary_expr(unary_expr(depth + 1), o->level, depth + 1);
    check_operands(*o, left, right, sign);
    left = binary(o->op, std::move(left), std::move(right));
  }
}

namespace {

expression truth(expression e) {
  switch (e.op) {
    case operation::logical_not:
    case operation::equal:
    case operation::not_equal:
    case operation::less:
    case operation::less_equal:
    case operation::greater:
    case operation::greater_equal: return e;
    default: return binary(operation::not_equal, std::move(e), constant(0));
  }
}

}  // namespace

expression expression_parser::logical(bool conjunction, expression left, int level, int depth) {
  thread_frame::statements inner;
  thread_frame::statements* const outer = frame_.put_into(&inner);
  expression right = truth(binary_expr(unary_expr(depth), level, depth));
  frame_.put_into(outer);
  left = truth(std::move(left));
  if (inner.empty()) {
    return binary(conjunction ? operation::bit_and : operation::bit_or, std::move(left),
                  std::move(right));
  }
  const register_id result = frame_.temporary();
  frame_.emit(assign{result, std::move(left)});
  inner.push_back(statement{assign{result, std::move(right)}});
  branch b;
  b.condition = reg(result);
  (conjunction ? b.then : b.otherwise) = std::move(inner);
  frame_.emit(std::move(b));
  return reg(result);
}

expression expression_parser::unary_expr(int depth) {
  const token first = in_.take();
  return unary_from(first, depth);
}

expression expression_parser::unary_from(const token& first, int depth) {
  check_depth(in_, first.at, depth);
  count(first.at);
  if (first.what == token::kind::number) return constant(number_value(in_, first, false));
  if (first.is("-")) {
    if (in_.peek().what == token::kind::number) {
      return constant(number_value(in_, in_.take(), true));
    }
    return unary(operation::negate, number(depth));
  }
  if (first.is("+")) return number(depth);
  if (first.is("!")) return unary(operation::logical_not, unary_expr(depth + 1));
  if (first.is("~")) return unary(operation::bit_not, number(depth));
  if (first.is("*")) {
    target from = pointer("*", depth);
    load l;
    l.from = from.named;
    l.order = access_order::plain;
    l.through = std::move(from.through);
    return loaded(std::move(l), from.pointer);
  }
  if (first.is("(")) {
    if (is_type(in_.peek())) {
      const type_name type = take_type(in_);
      if (type.stars > 0) in_.fail(type.at, "unsupported: casts to pointers");
      take(")", "after the type");
      return unary_expr(depth + 1);
    }
    expression e = expr(depth + 1);
    take(")", "to close the expression");
    return e;
  }
  if (first.is("&")) {
    in_.fail(first.at, "expected an expression, found '&': a parameter is an address already");
  }
  if (first.is("++") || first.is("--")) {
    in_.fail(first.at, "unsupported: operator " + std::string(first.text));
  }
  if (first.what != token::kind::identifier) {
    in_.fail(first.at, "expected an expression, found " + found(first));
  }
  refuse_keyword(first);
  if (first.is("sizeof")) in_.fail(first.at, "unsupported: sizeof");
  if (in_.peek().is("(")) return call(first, depth);
  if (in_.peek().is("[")) in_.fail(in_.peek().at, "unsupported: arrays");
  if (in_.peek().is("{")) {
    in_.fail(first.at, "unsupported: function " + quote(first.text) + " with an annotation");
  }
  if (const std::optional<register_id> r = frame_.find_register(first.text)) return reg(*r);
  if (const parameter* const p = frame_.parameter_named(first.text))
    return constant(address_of(p->location));
  in_.fail(first.at, "unknown variable " + quote(first.text) + "; declare it as int");
}

expression expression_parser::number(int depth) {
  const place at = in_.peek().at;
  expression e = unary_expr(depth + 1);
  if (frame_.stars(e) > 0) refuse_address(e, at);
  return e;
}

void expression_parser::count(const place& at) {
  constexpr int most = 2000;
  if (++nodes_ > most) in_.fail(at, "this expression is too long: split the statement");
}

void expression_parser::refuse_keyword(const token& t) {
  if (t.is("do")) in_.fail(t.at, "unsupported: do-while");
  for (const std::string_view word :
       {"for", "switch", "case", "goto", "break", "continue", "return", "asm", "__asm__"}) {
    if (t.is(word)) in_.fail(t.at, "unsupported: " + std::string(word));
  }
  if (t.is("else")) in_.fail(t.at, "expected a statement, found an else without its if");
  if (t.is("#")) in_.fail(t.at, "unsupported: preprocessor directives");
}

}  // namespace fencepost::litmus
