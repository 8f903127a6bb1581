#include "final_state.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "syntax.hpp"

namespace fencepost::litmus {
namespace {

class final_state_parser {
 public:
  final_state_parser(lexer& in, program& p) : in_(in), program_(p) {}

  void parse() {
    if (in_.peek().is("locations")) displayed_locations();
    if (in_.peek().is("filter")) {
      in_.take();
      program_.filter = disjunction(0);
    }
    const token first = in_.peek();
    if (first.is("exists") || first.is("final")) {
      in_.take();
      program_.condition = {quantifier::exists, disjunction(0)};
    } else if (first.is("forall")) {
      in_.take();
      program_.condition = {quantifier::forall, disjunction(0)};
    } else if (first.is("~") || first.is("not")) {
      in_.take();
      take("exists", "after ~");
      program_.condition = {quantifier::not_exists, disjunction(0)};
    } else if (first.is("(")) {
      program_.condition = {quantifier::exists, disjunction(0)};
    } else if (first.what != token::kind::end) {
      if (first.what == token::kind::identifier) {
        for (const std::string_view word : {"observed", "Observed", "regions", "scopes", "cases"}) {
          if (first.text == word) in_.fail(first.at, "unsupported: " + std::string(word));
        }
      }
      in_.fail(first.at,
               "expected a thread's body, locations, filter, exists, ~exists or forall, found " +
                   found(first));
    }
    if (in_.peek().is(";")) in_.take();
    if (in_.peek().is("with")) in_.fail(in_.peek().at, "unsupported: with");
    if (in_.peek().what != token::kind::end) {
      in_.fail(in_.peek().at, "expected the end of the file, found " + found(in_.peek()));
    }
  }

 private:
  void displayed_locations() {
    in_.take();
    take("[", "after locations");
    while (!in_.peek().is("]")) {
      program_.displayed.push_back(take_observable(in_.take()));
      if (in_.peek().is("*")) in_.fail(in_.peek().at, "unsupported: types in locations");
      if (in_.peek().is("]")) break;
      take(";", "or ] after a location");
    }
    in_.take();
  }

  proposition disjunction(int depth) {
    return joined("\\/", proposition::kind::disjunction, [&] {
      return joined("/\\", proposition::kind::conjunction, [&] { return implication(depth); });
    });
  }

  template <class F>
  proposition joined(std::string_view symbol, proposition::kind what, F part) {
    proposition first = part();
    if (!in_.peek().is(symbol)) return first;
    proposition all;
    all.what = what;
    all.parts.push_back(std::move(first));
    while (in_.peek().is(symbol)) {
      in_.take();
      proposition next = part();
      all.parts.push_back(std::move(next));
    }
    return all;
  }

  // As in herd, => binds tighter than /\.
  proposition implication(int depth) {
    proposition left = negation(depth);
    if (!in_.peek().is("=>")) return left;
    check_depth(in_, in_.take().at, depth);
    proposition p;
    p.what = proposition::kind::implication;
    p.parts.push_back(std::move(left));
    p.parts.push_back(implication(depth + 1));
    return p;
  }

  proposition negation(int depth) {
    const token first = in_.take();
    check_depth(in_, first.at, depth);
    proposition p;
    if (first.is("~") || first.is("not")) {
      p.what = proposition::kind::negation;
      p.parts.push_back(negation(depth + 1));
      return p;
    }
    if (first.is("(")) {
      p = disjunction(depth + 1);
      take(")", "to close the proposition");
      return p;
    }
    if (first.is("true")) return p;
    if (first.is("false")) {
      p.what = proposition::kind::disjunction;
      return p;
    }
    return atom(first);
  }

  proposition atom(const token& first) {
    proposition p;
    p.what = proposition::kind::atom;
    p.left = take_observable(first);
    const token comparison = in_.take();
    const bool differs = comparison.is("!=") || comparison.is("<>");
    if (!differs && !comparison.is("=") && !comparison.is("==")) {
      in_.fail(comparison.at, "expected = or != after " + to_string(program_, p.left) + ", found " +
                                  found(comparison));
    }
    token right = in_.take();
    if (right.is("[") || is_thread_name(right) ||
        (right.what == token::kind::number && in_.peek().is(":"))) {
      p.right = take_observable(right);
    } else {
      const bool minus = right.is("-");
      if (minus) right = in_.take();
      p.right = compared_value(right, minus, p.left);
    }
    if (!differs) return p;
    proposition negated;
    negated.what = proposition::kind::negation;
    negated.parts.push_back(std::move(p));
    return negated;
  }

  // Returns a number, or for a pointer the address of a location: &x, or as herd writes it, x.
  value compared_value(token right, bool minus, const observable& with) {
    const bool ampersand = right.is("&") && !minus;
    if (ampersand) right = in_.take();
    if (right.what == token::kind::identifier && !minus) {
      const std::optional<location_id> id = location_named(program_, right.text);
      if (!id) in_.fail(right.at, "there is no location " + quote(right.text));
      const bool pointer = with.thread
                               ? program_.threads[*with.thread].registers[with.index].pointer
                               : program_.locations[with.index].pointer;
      if (!pointer) {
        in_.fail(right.at, to_string(program_, with) + " is not a pointer; for the value of " +
                               quote(right.text) + " write it in brackets");
      }
      return address_of(*id);
    }
    if (ampersand || right.what != token::kind::number) {
      in_.fail(right.at, "expected a number, found " + found(right));
    }
    return number_value(in_, right, minus);
  }

  // 0:r0, P0:r0, x or [x]
  observable take_observable(const token& first) {
    observable o;
    if (first.what == token::kind::number || (is_thread_name(first) && in_.peek().is(":"))) {
      const unsigned t = take_thread(in_, first);
      if (t >= program_.threads.size()) {
        in_.fail(first.at, "there is no thread P" + std::to_string(t));
      }
      const token name = in_.take();
      if (name.what != token::kind::identifier) {
        in_.fail(name.at, "expected the name of a register, found " + found(name));
      }
      const auto& registers = program_.threads[t].registers;
      const auto it = std::find_if(registers.begin(), registers.end(),
                                   [&](const register_info& r) { return r.name == name.text; });
      if (it == registers.end()) {
        in_.fail(name.at, "thread P" + std::to_string(t) + " has no variable " + quote(name.text));
      }
      o.thread = t;
      o.index = static_cast<unsigned>(it - registers.begin());
      return o;
    }
    const bool bracket = first.is("[");
    const token name = bracket ? in_.take() : first;
    if (name.is("fault")) in_.fail(name.at, "unsupported: fault");
    if (name.what != token::kind::identifier) {
      in_.fail(name.at, "expected a register such as 0:r0 or a location, found " + found(name));
    }
    const std::optional<location_id> id = location_named(program_, name.text);
    if (!id) in_.fail(name.at, "there is no location " + quote(name.text));
    if (bracket) take("]", "after a location");
    if (in_.peek().is("[")) in_.fail(in_.peek().at, "unsupported: arrays");
    o.index = *id;
    return o;
  }

  token take(std::string_view symbol, const std::string& where) {
    return take_symbol(in_, symbol, where);
  }

  lexer& in_;
  program& program_;
};

}  // namespace

void parse_final_state(lexer& in, program& p) { final_state_parser(in, p).parse(); }

}  // namespace fencepost::litmus
