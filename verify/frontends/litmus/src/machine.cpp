#include "fencepost/litmus/machine.hpp"

#include <optional>
#include <utility>

namespace fencepost::litmus {

namespace {

// The limit of statements that one thread executes, so that loops without accesses end too.
constexpr unsigned long most_steps = 1'000'000;

class interpreter {
 public:
  interpreter(const program& p, const std::vector<value>& registers, machine& m)
      : program_(p), registers_(registers), machine_(m) {}

  // Returns false if the thread was cut, or strays.
  bool run(const std::vector<statement>& body) {
    for (const statement& s : body) {
      if (++steps_ > most_steps) return cut();
      if (!std::visit([&](const auto& what) { return step(what); }, s.what)) return false;
    }
    return true;
  }

  std::vector<value> registers() && { return std::move(registers_); }
  [[nodiscard]] bool strays() const noexcept { return strays_; }

 private:
  static value narrow(word_part part, value v) {
    return part == word_part::whole ? v : low_half(v);
  }
  value compute(const expression& e) const { return evaluate(e, registers_); }
  void set(const std::optional<register_id>& to, value v) {
    if (to) registers_[*to] = v;
  }

  // Returns the location of an access; nothing if the address is not a location's.
  std::optional<location_id> place(location_id named, const std::optional<expression>& through) {
    if (!through) return named;
    const std::optional<location_id> there = location_at(program_, compute(*through));
    if (there) return there;
    strays_ = true;
    machine_.stray();
    return std::nullopt;
  }

  bool step(const load& s) {
    const auto from = place(s.from, s.through);
    if (!from) return false;
    set(s.to, machine_.load(*from, s.part, s.order));
    return true;
  }

  bool step(const store& s) {
    const auto to = place(s.to, s.through);
    if (!to) return false;
    machine_.store(*to, s.part, narrow(s.part, compute(s.what)), s.order);
    return true;
  }

  bool step(const modify& s) {
    const auto at = place(s.at, s.through);
    if (!at) return false;
    const value operand = narrow(s.part, compute(s.operand));
    set(s.to, machine_.modify(*at, s.part, s.op, operand, s.order));
    return true;
  }

  bool step(const compare_exchange& s) {
    const auto at = place(s.at, s.through);
    if (!at) return false;
    const auto* location = std::get_if<compare_exchange::in_location>(&s.expected);
    const auto* local = std::get_if<compare_exchange::in_register>(&s.expected);
    const value expected = location
                               ? machine_.load(location->id, word_part::whole, access_order::plain)
                               : registers_[local->id];
    const machine::compared got =
        machine_.compare_exchange(*at, s.part, narrow(s.part, expected),
                                  narrow(s.part, compute(s.desired)), s.success, s.failure, s.weak);
    if (!got.success) {
      if (location) {
        machine_.store(location->id, word_part::whole, got.seen, access_order::plain);
      } else {
        registers_[local->id] = got.seen;
      }
    }
    set(s.to, got.success ? 1 : 0);
    return true;
  }

  bool step(const fence& s) {
    if (s.order != access_order::plain && s.order != access_order::relaxed) machine_.fence(s.order);
    return true;
  }

  bool step(const assign& s) {
    registers_[s.to] = compute(s.what);
    return true;
  }

  bool step(const branch& s) { return run(compute(s.condition) != 0 ? s.then : s.otherwise); }

  bool step(const loop& s) {
    for (unsigned turn = 0;; ++turn) {
      if (!run(s.before)) return false;
      if (compute(s.condition) == 0) return true;
      if (turn == s.bound || ++steps_ > most_steps) return cut();
      if (!run(s.body)) return false;
    }
  }

  bool cut() {
    machine_.cut();
    return false;
  }

  const program& program_;
  std::vector<value> registers_;
  machine& machine_;
  bool strays_ = false;
  unsigned long steps_ = 0;
};

}  // namespace

std::string stray_message(unsigned thread) {
  return "P" + std::to_string(thread) +
         " accesses an address that is not a location: the test is undefined";
}

thread_end run_thread(const program& p, unsigned thread, machine& m) {
  const litmus::thread& t = p.threads[thread];
  std::vector<value> registers;
  registers.reserve(t.registers.size());
  for (const register_info& r : t.registers) registers.push_back(r.initial);
  interpreter run(p, registers, m);
  const bool complete = run.run(t.body);
  const bool strays = run.strays();
  return {std::move(run).registers(), !complete && !strays, strays};
}

}  // namespace fencepost::litmus
