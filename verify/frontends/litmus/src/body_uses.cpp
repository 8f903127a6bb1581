#include "body_uses.hpp"

#include <algorithm>
#include <variant>

namespace fencepost::litmus {

void body_uses::see(const std::vector<statement>& body) {
  for (const statement& s : body) {
    std::visit([this](const auto& what) { see(what); }, s.what);
  }
}

void body_uses::see(const expression& e) {
  if (e.op == operation::reg) read(e.reg);
  if (const auto l = e.op == operation::constant ? location_at(program_, e.constant) : std::nullopt)
    touched_[*l] = true;  // its address
  for (const expression& part : e.operands) see(part);
}

void body_uses::see(const load& s) {
  touch(s.from, s.through);
  assign_to(s.to);
}

void body_uses::see(const store& s) {
  touch(s.to, s.through);
  see(s.what);
}

void body_uses::see(const modify& s) {
  touch(s.at, s.through);
  see(s.operand);
  assign_to(s.to);
}

void body_uses::see(const compare_exchange& s) {
  touch(s.at, s.through);
  see(s.desired);
  if (const auto* l = std::get_if<compare_exchange::in_location>(&s.expected)) {
    touched_[l->id] = true;
  } else {
    read(std::get<compare_exchange::in_register>(s.expected).id);
  }
  assign_to(s.to);
}

void body_uses::see(const assign& s) {
  see(s.what);
  assign_to(s.to);
}

void body_uses::see(const branch& s) {
  see(s.condition);
  see(s.then);
  see(s.otherwise);
}

void body_uses::see(const loop& s) {
  see(s.before);
  see(s.condition);
  see(s.body);
}

void body_uses::read(register_id r) {
  early_ = early_ || std::find(assigned_.begin(), assigned_.end(), r) == assigned_.end();
}

void body_uses::assign_to(const std::optional<register_id>& r) {
  if (r && std::find(assigned_.begin(), assigned_.end(), *r) == assigned_.end()) {
    assigned_.push_back(*r);
  }
}

void body_uses::touch(location_id named, const std::optional<expression>& through) {
  if (through)
    see(*through);
  else
    touched_[named] = true;
}

}  // namespace fencepost::litmus
