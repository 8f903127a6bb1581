// Calls of atomic functions.
#include <utility>
#include <variant>

#include "atomic_call.hpp"
#include "expression_parser.hpp"
#include "syntax.hpp"

namespace fencepost::litmus {

expression expression_parser::call(const token& name, int depth) {
  using kind = atomic_call::kind;
  const std::optional<atomic_call> c = atomic_call_named(name.text);
  if (!c) in_.fail(name.at, "unsupported: function " + quote(name.text));
  in_.take();  // (
  const std::string function(name.text);
  const auto comma = [&] { take(",", "and more arguments of " + function); };
  const auto order = [&](bool release, bool acquire) {
    if (!c->explicit_order) return access_order::seq_cst;
    comma();
    return take_order(in_, function, release, acquire);
  };
  const auto close = [&] { take(")", "after the arguments of " + function); };

  if (c->what == kind::fence) {
    fence f;
    f.order = take_order(in_, function, true, true);
    close();
    frame_.emit(f);
    return constant(0);
  }
  target at = pointer(function, depth);
  switch (c->what) {
    case kind::load: {
      load l;
      l.from = at.named;
      l.order = order(false, true);
      l.through = std::move(at.through);
      close();
      return loaded(std::move(l), at.pointer);
    }
    case kind::store: {
      store s;
      s.to = at.named;
      comma();
      s.what = value_for(at.pointer, depth);
      s.order = order(true, false);
      s.through = std::move(at.through);
      close();
      frame_.emit(std::move(s));
      return constant(0);
    }
    case kind::modify: {
      if (at.pointer && c->op != rmw_operation::exchange) {
        in_.fail(name.at, "unsupported: " + function + " of a pointer");
      }
      modify m;
      m.at = at.named;
      m.op = c->op;
      comma();
      m.operand = value_for(at.pointer, depth);
      m.order = order(true, true);
      m.through = std::move(at.through);
      close();
      return loaded(std::move(m), at.pointer);
    }
    default: break;
  }
  compare_exchange x;
  x.at = at.named;
  x.weak = c->weak;
  comma();
  x.expected = expected_value(at.pointer, depth);
  comma();
  x.desired = value_for(at.pointer, depth);
  x.success = order(true, true);
  x.failure = order(false, true);
  x.through = std::move(at.through);
  close();
  return loaded(std::move(x), false);
}

std::variant<compare_exchange::in_register, compare_exchange::in_location>
expression_parser::expected_value(bool of_pointer, int depth) {
  const place at = in_.peek().at;
  const auto check = [&](bool pointer) {
    if (pointer == of_pointer) return;
    in_.fail(at, pointer ? "expected a number to compare with, found an address"
                         : "expected an address to compare with, found a number");
  };
  if (in_.peek().is("&")) {
    in_.take();
    const token t = in_.take();
    if (const auto r =
            t.what == token::kind::identifier ? frame_.find_register(t.text) : std::nullopt) {
      check(frame_.is_pointer(*r));
      return compare_exchange::in_register{*r};
    }
    in_.fail(t.at, "expected a variable of " + frame_.name() + " after &, found " + found(t));
  }
  const target there = pointer("the expected value", depth);
  if (there.through) in_.fail(at, "unsupported: an expected value behind an address");
  check(there.pointer);
  return compare_exchange::in_location{there.named};
}

}  // namespace fencepost::litmus
