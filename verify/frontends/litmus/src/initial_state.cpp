#include "initial_state.hpp"

#include <algorithm>
#include <utility>

namespace fencepost::litmus {

void initial_state::parse() {
  take("{", "");
  while (!in_.peek().is("}")) {
    if (in_.peek().is(";")) {
      in_.take();
      continue;
    }
    initial_value();
    if (in_.peek().is("}")) break;
    take(";", "after an initial value");
  }
  in_.take();
  set_addresses();
}

void initial_state::initial_value() {
  type_name type;
  if (const token& t = in_.peek(); is_type(t) || t.is("*")) {
    type = take_type(in_);
    if (type.stars > 1) in_.fail(type.at, "unsupported: pointers to pointers as values");
  }
  const token first = in_.take();
  if (first.what == token::kind::number || is_thread_name(first)) {
    if (in_.peek().is(":")) return initial_register_value(first, type.stars > 0);
  }
  const bool bracket = first.is("[");
  const token name = bracket ? in_.take() : first;
  if (name.what != token::kind::identifier) {
    in_.fail(name.at, "expected a location or a register such as 0:r0, found " + found(name));
  }
  if (bracket) take("]", "after a location");
  if (in_.peek().is("[")) in_.fail(in_.peek().at, "unsupported: arrays");
  if (location_named(program_, name.text)) {
    in_.fail(name.at, "location " + quote(name.text) + " has an initial value already");
  }
  location l;
  l.name = name.text;
  l.kind = type.atomic ? location_kind::atomic : location_kind::plain;
  const given_value given = assigned_value();
  l.initial = given.number;
  l.pointer = type.stars > 0 || given.address.has_value();
  if (type.stars > 0 && given.number != 0) refuse_number_for_pointer(in_, name);
  if (given.address) addresses_.push_back({false, program_.locations.size(), *given.address});
  program_.locations.push_back(std::move(l));
}

void initial_state::set_addresses() {
  for (const initial_address& a : addresses_) {
    const value address = address_of(location_of(program_, a.of.text));
    (a.of_register ? registers_[a.index].initial : program_.locations[a.index].initial) = address;
  }
}

void initial_state::initial_register_value(const token& thread, bool pointer) {
  initial_register r;
  r.thread = take_thread(in_, thread);
  const token name = in_.take();
  if (name.what != token::kind::identifier) {
    in_.fail(name.at, "expected the name of a register, found " + found(name));
  }
  r.name = name.text;
  r.at = thread.at;
  const given_value given = assigned_value();
  r.initial = given.number;
  r.pointer = pointer || given.address.has_value();
  if (pointer && given.number != 0) refuse_number_for_pointer(in_, name);
  if (given.address) addresses_.push_back({true, registers_.size(), *given.address});
  const auto same = [&](const initial_register& o) {
    return o.thread == r.thread && o.name == r.name;
  };
  if (std::any_of(registers_.begin(), registers_.end(), same)) {
    in_.fail(thread.at, "register " + quote(r.name) + " has an initial value already");
  }
  registers_.push_back(std::move(r));
}

initial_state::given_value initial_state::assigned_value() {
  if (!in_.peek().is("=")) return {};
  in_.take();
  if (in_.peek().is("ATOMIC_INIT")) {
    in_.take();
    take("(", "after ATOMIC_INIT");
    const given_value v = take_value();
    take(")", "after the value");
    return v;
  }
  return take_value();
}

initial_state::given_value initial_state::take_value() {
  bool minus = false;
  token t = in_.take();
  if (t.is("-")) {
    minus = true;
    t = in_.take();
  }
  const bool ampersand = t.is("&") && !minus;
  if (ampersand) t = in_.take();
  if (t.what == token::kind::identifier && !minus) {
    return {0, t};
  }
  if (ampersand) in_.fail(t.at, "expected a location after &, found " + found(t));
  if (t.is("{")) in_.fail(t.at, "unsupported: arrays; expected a number");
  if (t.what != token::kind::number) {
    in_.fail(t.at, "expected a number or the address of a location, found " + found(t));
  }
  return {number_value(in_, t, minus), std::nullopt};
}

thread initial_state::thread_numbered(std::size_t number) const {
  thread t;
  for (const initial_register& r : registers_) {
    if (r.thread == number) t.registers.push_back({r.name, r.initial, r.pointer});
  }
  return t;
}

void initial_state::check_threads() const {
  for (const initial_register& r : registers_) {
    if (r.thread >= program_.threads.size()) {
      in_.fail(r.at, "there is no thread P" + std::to_string(r.thread));
    }
  }
}

void initial_state::check_pointers() const {
  for (const initial_address& a : addresses_) {
    if (program_.locations[*location_named(program_, a.of.text)].pointer)
      in_.fail(a.of.at, "unsupported: pointers to pointers as values");
  }
}

void refuse_number_for_pointer(const lexer& in, const token& name) {
  in.fail(name.at, quote(name.text) + " is a pointer, but its initial value is a number");
}

}  // namespace fencepost::litmus
