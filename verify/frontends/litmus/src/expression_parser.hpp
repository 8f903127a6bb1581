// Parses the expressions of a thread's body; the accesses in them become statements.
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
// Levels follow C's precedence: a higher one binds tighter. Null if the token is no such operator.
const binary_operator* operator_of(const token&);

class expression_parser {
 public:
  expression_parser(lexer& in, thread_frame& frame) : in_(in), frame_(frame) {}

  void begin_statement() noexcept { nodes_ = 0; }

  // Each of these parses what follows, at the given depth of nesting.
  expression expr(int depth) { return binary_expr(unary_expr(depth), 0, depth); }
  // Parses the expression that begins with `first`, which was already taken.
  expression expr_from(const token& first, int depth) {
    return binary_expr(unary_from(first, depth), 0, depth);
  }
  // Parses the value to assign to a pointer, or to a number.
  expression value_for(bool pointer, int depth);

  // The target of an access.
  struct target {
    location_id named = 0;
    std::optional<expression> through;
    bool pointer = false;  // the target holds a pointer
  };
  // Parses an expression that is an address: all of it, or only the operand of a star.
  target pointer(const std::string& of, int depth);

  [[noreturn]] void refuse_address(const expression&, const place&);
  void refuse_keyword(const token&);

 private:
  // ---- operators
  expression binary_expr(expression left, int weakest, int depth);
  // The right side is evaluated only if the left one does not decide the result. Where this makes
  // no difference, because the right side has no access, the result is arithmetic on truth values.
  expression logical(bool conjunction, expression left, int level, int depth);
  expression unary_expr(int depth);
  expression unary_from(const token& first, int depth);
  expression number(int depth);

  // ---- addresses
  // Allows the operations that C has on addresses: differences, offsets and comparisons.
  void check_operands(const binary_operator&, const expression& left, const expression& right,
                      const token& sign);
  expression address_sum(const std::string& of, int depth);
  // Parses a parameter, a local pointer, a call or a dereference, perhaps in parentheses.
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
  // Parses the int* expected of a compare-exchange: a parameter, or the address of a local.
  std::variant<compare_exchange::in_register, compare_exchange::in_location> expected_value(
      bool of_pointer, int depth);

  // Bounds the length of an expression: even a long, flat one is walked recursively.
  void count(const place&);

  token take(std::string_view symbol, const std::string& where) {
    return take_symbol(in_, symbol, where);
  }

  lexer& in_;
  thread_frame& frame_;
  int nodes_ = 0;
};

}  // namespace fencepost::litmus
