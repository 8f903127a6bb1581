#include "thread_frame.hpp"

#include <algorithm>
#include <utility>

#include "syntax.hpp"

namespace fencepost::litmus {

std::optional<register_id> thread_frame::find_register(std::string_view name) const {
  for (register_id i = 0; i < thread_.registers.size(); ++i) {
    if (thread_.registers[i].name == name) return i;
  }
  return std::nullopt;
}

const parameter* thread_frame::parameter_named(std::string_view name) const {
  for (const parameter& p : parameters_) {
    if (p.name == name) return &p;
  }
  return nullptr;
}

const parameter* thread_frame::parameter_at(value address) const {
  for (const parameter& p : parameters_) {
    if (address_of(p.location) == address) return &p;
  }
  return nullptr;
}

register_id thread_frame::declare(const token& name, bool pointer) {
  if (const auto r = find_register(name.text)) {
    if (thread_.registers[*r].pointer != pointer) {
      in_.fail(name.at, quote(name.text) + " is declared as a pointer and as a number");
    }
    return *r;
  }
  thread_.registers.push_back({std::string(name.text), 0, pointer});
  return static_cast<register_id>(thread_.registers.size() - 1);
}

int thread_frame::stars(const expression& e) const {
  if (e.op == operation::reg) return thread_.registers[e.reg].pointer ? 1 : 0;
  if (e.op == operation::constant) {
    const parameter* const p = parameter_at(e.constant);
    return p == nullptr ? 0 : p->pointer ? 2 : 1;
  }
  if (e.op != operation::add && e.op != operation::subtract) return 0;
  const int left = stars(e.operands[0]);
  const int right = stars(e.operands[1]);
  return e.op == operation::subtract && right > 0 ? 0 : std::max(left, right);
}

register_id thread_frame::temporary(bool pointer) {
  const auto r = static_cast<register_id>(thread_.registers.size());
  thread_.registers.push_back({"", 0, pointer});  // named at the end
  temporaries_.push_back(r);
  return r;
}

std::optional<register_id>* thread_frame::last_target(const expression& e) {
  if (e.op != operation::reg || out_->empty() || temporaries_.empty()) return nullptr;
  if (e.reg != temporaries_.back() || e.reg + 1 != thread_.registers.size()) return nullptr;
  std::optional<register_id>* to = nullptr;
  std::visit(
      [&](auto& s) {
        if constexpr (requires { s.to.has_value(); }) to = &s.to;
      },
      out_->back().what);
  return to != nullptr && *to == e.reg ? to : nullptr;
}

void thread_frame::drop_last_temporary() {
  temporaries_.pop_back();
  thread_.registers.pop_back();
}

void thread_frame::drop(const expression& e) {
  if (std::optional<register_id>* to = last_target(e)) {
    drop_last_temporary();
    to->reset();
  }
}

void thread_frame::name_temporaries() {
  int next = 0;
  for (const register_id r : temporaries_) {
    std::string name;
    do {
      name = "_t" + std::to_string(next++);
    } while (find_register(name) || parameter_named(name) != nullptr);
    thread_.registers[r].name = std::move(name);
  }
}

}  // namespace fencepost::litmus
