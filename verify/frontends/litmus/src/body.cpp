#include "body.hpp"

#include <optional>

#include "expression_parser.hpp"
#include "syntax.hpp"
#include "thread_frame.hpp"

namespace fencepost::litmus {

namespace {

class body_parser {
 public:
  body_parser(lexer& in, thread begun, const std::vector<parameter>& parameters,
              const std::string& name, unsigned loop_bound)
      : in_(in),
        frame_(in, std::move(begun), parameters, name),
        expressions_(in, frame_),
        loop_bound_(loop_bound) {}

  thread parse() {
    in_.in_body(true);
    take("{", "and the body of " + frame_.name());
    block(frame_.body(), 0);
    in_.in_body(false);
    return frame_.finish();
  }

 private:
  using statements = thread_frame::statements;

  // Parses what follows a {, up to and including the matching }.
  void block(statements& into, int depth) {
    while (!in_.peek().is("}")) {
      if (in_.peek().what == token::kind::end) {
        in_.fail(in_.peek().at, "expected } to close the body of " + frame_.name() +
                                    ", found the end of the file");
      }
      one(into, depth);
    }
    in_.take();
  }

  void one(statements& into, int depth) {
    const token first = in_.peek();
    check_depth(in_, first.at, depth);
    frame_.put_into(&into);
    expressions_.begin_statement();
    if (first.is(";")) {
      in_.take();
    } else if (first.is("{")) {
      in_.take();
      block(into, depth + 1);
    } else if (first.is("if")) {
      in_.take();
      conditional(into, depth);
    } else if (first.is("while")) {
      in_.take();
      repeated(into, depth);
    } else if (first.is("*")) {
      in_.take();
      plain_store(depth);
    } else if (is_type(first)) {
      declaration(depth);
    } else {
      expressions_.refuse_keyword(first);
      simple(depth);
    }
  }

  void conditional(statements& into, int depth) {
    take("(", "after if");
    branch b;
    b.condition = condition(depth);
    take(")", "after the condition");
    one(b.then, depth + 1);
    if (in_.peek().is("else")) {
      in_.take();
      one(b.otherwise, depth + 1);
    }
    frame_.put_into(&into);
    frame_.emit(std::move(b));
  }

  void repeated(statements& into, int depth) {
    take("(", "after while");
    loop l;
    l.bound = loop_bound_;
    frame_.put_into(&l.before);
    l.condition = condition(depth);
    take(")", "after the condition");
    one(l.body, depth + 1);
    frame_.put_into(&into);
    frame_.emit(std::move(l));
  }

  expression condition(int depth) {
    const place at = in_.peek().at;
    expression e = expressions_.expr(depth + 1);
    if (e.op == operation::constant && frame_.stars(e) > 0) expressions_.refuse_address(e, at);
    return e;
  }

  void plain_store(int depth) {
    expression_parser::target to = expressions_.pointer("*", depth);
    const token sign = in_.take();
    if (!sign.is("=")) refuse_assignment(sign);
    store s;
    s.to = to.named;
    s.order = access_order::plain;
    s.what = expressions_.value_for(to.pointer, depth);
    s.through = std::move(to.through);
    frame_.emit(std::move(s));
    take(";", "after the statement");
  }

  void declaration(int depth) {
    const type_name type = take_type(in_);
    const bool pointer = type.stars > 0;
    if (type.stars > 1) in_.fail(type.at, "unsupported: local pointers to pointers");
    if (type.atomic && !pointer) in_.fail(type.at, "unsupported: local atomics");
    if (type.nothing) in_.fail(type.at, "expected a type such as int, found void");
    for (;;) {
      const token name = in_.take();
      if (name.what != token::kind::identifier || is_type(name)) {
        in_.fail(name.at, "expected the name of a variable, found " + found(name));
      }
      if (frame_.parameter_named(name.text) != nullptr) {
        in_.fail(name.at, quote(name.text) + " is a parameter of " + frame_.name() + " already");
      }
      if (in_.peek().is("[")) in_.fail(in_.peek().at, "unsupported: arrays");
      if (in_.peek().is("=")) {
        in_.take();
        expression e = expressions_.value_for(pointer, depth);
        // Declares after parsing the initial value: registers are numbered in the order in which
        // they get a value.
        frame_.set([&] { return frame_.declare(name, pointer); }, std::move(e));
      } else {
        frame_.declare(name, pointer);
      }
      const token end = in_.take();
      if (end.is(";")) return;
      if (end.is(",") && pointer) {
        in_.fail(end.at, "unsupported: several pointers in one declaration");
      }
      if (!end.is(",")) in_.fail(end.at, "expected ; after the declaration, found " + found(end));
    }
  }

  // Parses an assignment, a call, or an expression whose value is discarded.
  void simple(int depth) {
    const token first = in_.take();
    if (first.what == token::kind::identifier && !in_.peek().is("(")) {
      const std::optional<register_id> r = frame_.find_register(first.text);
      const token& sign = in_.peek();
      if (sign.is("[")) in_.fail(sign.at, "unsupported: arrays");
      if (!r && frame_.parameter_named(first.text) != nullptr) {
        in_.fail(first.at, quote(first.text) + " is a pointer; expected *" +
                               std::string(first.text) + " or an atomic function");
      }
      if (!r) in_.fail(first.at, "unknown variable " + quote(first.text) + "; declare it as int");
      if (sign.is("=")) {
        in_.take();
        expression e = expressions_.value_for(frame_.is_pointer(*r), depth);
        frame_.set([&] { return *r; }, std::move(e));
        take(";", "after the statement");
        return;
      }
      if (sign.what == token::kind::symbol && !sign.is(";")) refuse_assignment(sign);
    }
    // (void) e; and f(…);
    frame_.drop(expressions_.expr_from(first, depth));
    take(";", "after the statement");
  }

  [[noreturn]] void refuse_assignment(const token& sign) {
    for (const std::string_view s :
         {"+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>=", "++", "--", "->", "."}) {
      if (sign.is(s)) in_.fail(sign.at, "unsupported: operator " + std::string(s));
    }
    in_.fail(sign.at, "expected =, found " + found(sign));
  }

  token take(std::string_view symbol, const std::string& where) {
    return take_symbol(in_, symbol, where);
  }

  lexer& in_;
  thread_frame frame_;
  expression_parser expressions_;
  unsigned loop_bound_;
};

}  // namespace

thread parse_body(lexer& in, thread begun, const std::vector<parameter>& parameters,
                  const std::string& name, unsigned loop_bound) {
  return body_parser(in, std::move(begun), parameters, name, loop_bound).parse();
}

}  // namespace fencepost::litmus
