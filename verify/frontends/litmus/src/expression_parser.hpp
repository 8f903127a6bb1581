// Expressions of a thread's body, with the accesses in them, which become statements.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "fencepost/litmus/program.hpp"
#include "lexer.hpp"
#include "syntax.hpp"
#include "thread_frame.hpp"

namespace fencepost::litmus {

struct binary_operator {
  std::string_view symbol;
  int level;
  operation op;
};
// C's precedence; a higher level binds tighter. Null: it is none.
const binary_operator* operator_of(const token&);

class expression_parser {
 public:
  expression_parser(lexer& in, thread_frame& frame) : in_(in), frame_(frame) {}

  void begin_statement() noexcept { nodes_ = 0; }

  // Each parses what follows. `depth`: of what it is nested in.
  expression expr(int depth) { return binary_expr(unary_expr(depth), 0, depth); }
  // The expression that `first`, which is taken, begins.
  expression expr_from(const token& first, int depth) {
    return binary_expr(unary_from(first, depth), 0, depth);
  }
  // What a pointer gets, or a number.
  expression value_for(bool pointer, int depth);

  // Where an access goes.
  struct target {
    location_id named = 0;
    std::optional<expression> through;
    bool pointer = false;  // there is a pointer
  };
  // An expression that is an address: all of it, or as much as follows a star.
  target pointer(const std::string& of, int depth);

  [[noreturn]] void refuse_address(const expression&, const place&);
  void refuse_keyword(const token&);

 private:
  // ---- operators
  expression binary_expr(expression left, int weakest, int depth);
  // The right side is evaluated only when the left one leaves the answer open. Where that can make
  // no difference, because nothing is accessed there, it is plain arithmetic on truth values.
  expression logical(bool conjunction, expression left, int level, int depth);
  expression unary_expr(int depth);
  expression unary_from(const token& first, int depth);
  expression number(int depth);

  // ---- addresses
  // What C has of addresses: their distance, an address beyond them, comparisons.
  void check_operands(const binary_operator&, const expression& left, const expression& right,
                      const token& sign);
  expression address_sum(const std::string& of, int depth);
  // A parameter, a local pointer, or what a call or a star gives, perhaps in parentheses.
  expression address(const std::string& of, int depth);

  // ---- accesses
  template <class Access>
  expression loaded(Access a, bool pointer) {
    const register_id r = frame_.temporary(pointer);
    a.to = r;
    frame_.emit(std::move(a));
    return reg(r);
  }
  expression call(const token& name, int depth);
  // int* expected: a parameter, or the address of a local variable.
  std::variant<compare_exchange::in_register, compare_exchange::in_location> expected_value(
      bool of_pointer, int depth);

  // Expressions are walked recursively, also those that are long rather than nested.
  void count(const place&);

  token take(std::string_view symbol, const std::string& where) {
    return take_symbol(in_, symbol, where);
  }

  lexer& in_;
  thread_frame& frame_;
  int nodes_ = 0;
};

}  // namespace fencepost::litmus
