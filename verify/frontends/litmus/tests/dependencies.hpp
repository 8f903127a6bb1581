// The paths of each thread of a litmus test for all values that its reads may get, with the
// dependencies in the text of the program.
#pragma once

#include <cstdint>
#include <set>
#include <vector>

#include "fencepost/litmus/program.hpp"

namespace fencepost::litmus::testing {

using read_set = std::uint64_t;  // of a thread: a bit for the number of each read

struct path_event {
  bool reads = false, writes = false, fence = false;
  location_id location = 0;
  word_part part = word_part::whole;
  access_order order = access_order::plain;
  value read = 0, written = 0;
  unsigned number = 0;     // of the read
  read_set depends = 0;    // the write depends on these by value, address or condition
  bool passes_on = false;  // the value written depends on the value read
};

struct path {
  std::vector<path_event> events;
  std::vector<value> registers;
};

// The values that each location may hold: one set, or one for each half of a word.
using values_of_locations = std::vector<std::vector<std::set<value>>>;

class dependency_paths {
 public:
  dependency_paths(const program& p, unsigned thread, const values_of_locations& values)
      : program_(p), thread_(p.threads[thread]), values_(values) {}

  std::vector<path> all() {
    std::vector<value> answers;
    extend(answers);
    return std::move(found_);
  }

 private:
  struct tainted {
    value is = 0;
    read_set from = 0;
  };
  struct state {
    const std::vector<value>& answers;
    std::vector<tainted> registers;
    std::vector<path_event> events;
    unsigned reads = 0;
    bool asks = false;
    location_id asked = 0;
    word_part part = word_part::whole;
    bool strays = false;
  };

  void extend(std::vector<value>& answers) {
    state s{answers, {}, {}, 0, false, 0, word_part::whole, false};
    for (const register_info& r : thread_.registers) s.registers.push_back({r.initial, 0});
    run(thread_.body, 0, s);
    if (s.strays) return;
    if (!s.asks) {
      path p{std::move(s.events), {}};
      for (const tainted& r : s.registers) p.registers.push_back(r.is);
      found_.push_back(std::move(p));
      return;
    }
    for (const value v : possible(values_[s.asked], s.part)) {
      answers.push_back(v);
      extend(answers);
      answers.pop_back();
    }
  }

  static std::set<value> possible(const std::vector<std::set<value>>& cells, word_part part) {
    if (part == word_part::high) return cells.back();
    if (part == word_part::low || cells.size() == 1) return cells.front();
    std::set<value> all;
    for (const value low : cells.front())
      for (const value high : cells.back()) all.insert(join_halves(low, high));
    return all;
  }
  static value narrow(word_part part, value v) {
    return part == word_part::whole ? v : low_half(v);
  }

  static read_set taint(const expression& e, const state& s) {
    read_set all = e.op == operation::reg ? s.registers[e.reg].from : 0;
    for (const expression& o : e.operands) all |= taint(o, s);
    return all;
  }
  static value compute(const expression& e, const state& s) {
    std::vector<value> registers;
    for (const tainted& r : s.registers) registers.push_back(r.is);
    return evaluate(e, registers);
  }

  // Returns false if a read has no answer yet, or an address is not that of a location.
  bool run(const std::vector<statement>& body, read_set conditions, state& s) {
    for (const statement& what : body)
      if (!std::visit([&](const auto& w) { return step(w, conditions, s); }, what.what))
        return false;
    return true;
  }

  static bool ask(location_id at, word_part part, state& s, value& answer) {
    if (s.reads == s.answers.size()) {
      s.asks = true;
      s.asked = at;
      s.part = part;
      return false;
    }
    answer = s.answers[s.reads++];
    return true;
  }
  struct place {
    location_id at = 0;
    read_set from = 0;  // the reads that the address depends on
  };
  bool find(location_id named, const std::optional<expression>& through, state& s,
            place& there) const {
    there.at = named;
    if (!through) return true;
    const std::optional<location_id> l = location_at(program_, compute(*through, s));
    there.from = taint(*through, s);
    s.strays = !l;
    if (l) there.at = *l;
    return !s.strays;
  }
  static void set(const std::optional<register_id>& to, tainted v, state& s) {
    if (to) s.registers[*to] = v;
  }

  // The register also depends on the reads that the address depends on.
  bool step(const load& l, read_set, state& s) const {
    value v = 0;
    place from;
    if (!find(l.from, l.through, s, from) || !ask(from.at, l.part, s, v)) return false;
    path_event e;
    e.reads = true;
    e.location = from.at;
    e.part = l.part;
    e.order = l.order;
    e.read = v;
    e.number = s.reads - 1;
    s.events.push_back(e);
    set(l.to, {v, bit(e.number) | from.from}, s);
    return true;
  }
  bool step(const store& w, read_set conditions, state& s) const {
    place to;
    if (!find(w.to, w.through, s, to)) return false;
    path_event e;
    e.writes = true;
    e.location = to.at;
    e.part = w.part;
    e.order = w.order;
    e.written = narrow(w.part, compute(w.what, s));
    e.depends = taint(w.what, s) | to.from | conditions;
    s.events.push_back(e);
    return true;
  }
  bool step(const modify& m, read_set conditions, state& s) const {
    value v = 0;
    place at;
    if (!find(m.at, m.through, s, at)) return false;
    const tainted operand{compute(m.operand, s), taint(m.operand, s)};
    if (!ask(at.at, m.part, s, v)) return false;
    path_event e;
    e.reads = e.writes = true;
    e.location = at.at;
    e.part = m.part;
    e.order = m.order;
    e.read = v;
    e.written = narrow(m.part, apply(m.op, v, operand.is));
    e.number = s.reads - 1;
    e.depends = operand.from | at.from | conditions | bit(e.number);
    e.passes_on = m.op != rmw_operation::exchange;
    s.events.push_back(e);
    set(m.to, {v, bit(e.number) | at.from}, s);
    return true;
  }
  bool step(const compare_exchange& c, read_set conditions, state& s) const {
    value v = 0;
    place at;
    if (!find(c.at, c.through, s, at)) return false;
    const register_id expected = std::get<compare_exchange::in_register>(c.expected).id;
    const tainted desired{compute(c.desired, s), taint(c.desired, s)};
    if (!ask(at.at, c.part, s, v)) return false;
    path_event e;
    e.reads = true;
    e.location = at.at;
    e.part = c.part;
    e.read = v;
    e.number = s.reads - 1;
    const read_set from = s.registers[expected].from | at.from | bit(e.number);
    e.writes = v == narrow(c.part, s.registers[expected].is);
    e.order = e.writes ? c.success : c.failure;
    e.written = e.writes ? narrow(c.part, desired.is) : 0;
    e.depends = desired.from | from | conditions;
    s.events.push_back(e);
    s.registers[expected] = {e.writes ? s.registers[expected].is : v, from};
    set(c.to, {e.writes ? 1 : 0, from}, s);
    return true;
  }
  static bool step(const fence& f, read_set, state& s) {
    path_event e;
    e.fence = true;
    e.order = f.order;
    s.events.push_back(e);
    return true;
  }
  static bool step(const assign& a, read_set, state& s) {
    s.registers[a.to] = {compute(a.what, s), taint(a.what, s)};
    return true;
  }
  bool step(const branch& b, read_set conditions, state& s) {
    const read_set condition = taint(b.condition, s);
    if (!run(compute(b.condition, s) != 0 ? b.then : b.otherwise, conditions | condition, s))
      return false;
    std::set<register_id> assigned;
    collect(b.then, assigned);
    collect(b.otherwise, assigned);
    for (const register_id r : assigned) s.registers[r].from |= condition;
    return true;
  }
  static bool step(const loop&, read_set, state&) { return true; }  // the programs have none

  // Collects the registers that a body may change.
  static void collect(const std::vector<statement>& body, std::set<register_id>& all) {
    for (const statement& s : body) {
      if (const auto* l = std::get_if<load>(&s.what)) insert(l->to, all);
      if (const auto* m = std::get_if<modify>(&s.what)) insert(m->to, all);
      if (const auto* a = std::get_if<assign>(&s.what)) all.insert(a->to);
      if (const auto* c = std::get_if<compare_exchange>(&s.what)) {
        insert(c->to, all);
        all.insert(std::get<compare_exchange::in_register>(c->expected).id);
      }
      if (const auto* b = std::get_if<branch>(&s.what)) {
        collect(b->then, all);
        collect(b->otherwise, all);
      }
    }
  }
  static void insert(const std::optional<register_id>& r, std::set<register_id>& all) {
    if (r) all.insert(*r);
  }
  static read_set bit(unsigned number) { return read_set{1} << number; }

  const program& program_;
  const thread& thread_;
  const values_of_locations& values_;
  std::vector<path> found_;
};

}  // namespace fencepost::litmus::testing
