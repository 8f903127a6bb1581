// The oracle for load buffering: all executions of a small litmus test without loops, including
// those with cycles of program order and reads-from, judged by the axioms. It shares no code with
// the explorer or with re-execution: dependencies are those in the text of the program.
#pragma once

#include <algorithm>
#include <set>
#include <vector>

#include "axioms/axioms.hpp"
#include "dependencies.hpp"
#include "fencepost/litmus/outcome.hpp"
#include "fencepost/litmus/program.hpp"
#include "frontends/litmus/src/strength.hpp"

namespace fencepost::litmus::testing {

struct cyclic_outcomes {
  std::set<std::vector<value>> acyclic;  // program order and reads-from have no cycle: rc20
  // … or they have one, but none in which all program order is preserved: by acquire, release,
  // fences, the halves of a read-modify-write, or dependencies.
  std::set<std::vector<value>> ordered;
  std::set<std::vector<value>> any;  // rc20 without the axiom that excludes such cycles
};

class cyclic_enumerator {
 public:
  explicit cyclic_enumerator(const program& p) : program_(p), first_cell_{0} {
    for (const location& l : p.locations)
      first_cell_.push_back(first_cell_.back() + (l.kind == location_kind::halves ? 2 : 1));
  }

  cyclic_outcomes run() {
    find_values();
    std::size_t all = 1;
    for (const auto& paths : paths_) all *= paths.size();
    if (all > most) candidates_ = most + 1;
    std::vector<const path*> chosen;
    choose_paths(chosen);
    return std::move(found_);
  }
  // True if there are too many candidates to judge them all; outcomes may then be missing.
  [[nodiscard]] bool gave_up() const noexcept { return candidates_ > most; }

 private:
  using candidate = axioms::candidate;
  using relation = axioms::relation<1>;
  static constexpr std::size_t most = 50'000;
  static constexpr std::size_t most_values = 16;  // of a cell

  // A location has one cell, or two: the halves of a word.
  std::vector<std::size_t> cells_of(location_id l, word_part part) const {
    const std::size_t first = first_cell_[l], last = first_cell_[l + 1] - 1;
    if (part == word_part::high) return {last};
    if (part == word_part::low || first == last) return {first};
    return {first, last};
  }
  // The part in one cell of a value of one or two cells.
  static value in(std::size_t cell, std::size_t first, std::size_t cells, value v) {
    if (cells == 1) return v;
    return cell == first ? low_half(v) : high_half(v);
  }
  value in(std::size_t cell, std::size_t event, value v) const {
    const candidate::event& e = all_.events[event];
    return in(cell, e.cells[0], e.cell_count, v);
  }

  // Finds the values that each cell may hold, and the paths with them. Gives up where eight rounds
  // are not enough, as for a value that grows each time it passes through a write.
  void find_values() {
    values_of_locations values;
    for (location_id l = 0; l < program_.locations.size(); ++l) {
      const std::vector<std::size_t> cells = cells_of(l, word_part::whole);
      values.emplace_back();
      for (const std::size_t c : cells)
        values.back().push_back({in(c, cells[0], cells.size(), program_.locations[l].initial)});
    }
    for (unsigned round = 0; round < 8; ++round) {
      paths_.clear();
      values_of_locations more = values;
      for (unsigned t = 0; t < program_.threads.size(); ++t) {
        paths_.push_back(dependency_paths(program_, t, values).all());
        for (const path& p : paths_.back())
          for (const path_event& e : p.events) {
            if (!e.writes) continue;
            const std::vector<std::size_t> cells = cells_of(e.location, e.part);
            for (const std::size_t c : cells)
              more[e.location][c - first_cell_[e.location]].insert(
                  in(c, cells[0], cells.size(), e.written));
          }
      }
      if (more == values) return;
      values = std::move(more);
      for (const auto& of_location : values)
        for (const auto& of_cell : of_location)
          if (of_cell.size() > most_values) candidates_ = most + 1;
      if (gave_up()) return;
    }
    candidates_ = most + 1;
  }

  void choose_paths(std::vector<const path*>& chosen) {
    if (gave_up()) return;
    if (chosen.size() == paths_.size()) {
      begin(chosen);
      return;
    }
    for (const path& p : paths_[chosen.size()]) {
      chosen.push_back(&p);
      choose_paths(chosen);
      chosen.pop_back();
    }
  }

  void begin(const std::vector<const path*>& chosen) {
    chosen_ = &chosen;
    all_ = {};
    all_.cells = first_cell_.back();
    events_.clear();
    readers_.clear();
    writers_.assign(all_.cells, {});
    for (location_id l = 0; l < program_.locations.size(); ++l) {
      path_event e;
      e.writes = true;
      e.location = l;
      e.written = program_.locations[l].initial;
      add(candidate::no_thread, e);
    }
    for (unsigned t = 0; t < chosen.size(); ++t)
      for (const path_event& e : chosen[t]->events) add(t, e);
    choose_sources(0);
  }

  void add(unsigned t, const path_event& e) {
    candidate::event c;
    c.kind = e.fence ? axioms::event_kind::fence : axioms::event_kind::access;
    c.reads = e.reads;
    c.writes = e.writes;
    c.order = to_strength(e.order);
    c.thread = t;
    if (!e.fence)
      for (const std::size_t cell : cells_of(e.location, e.part)) {
        if (e.reads) readers_.push_back({all_.size(), c.cell_count});
        c.cells[c.cell_count++] = cell;
        if (e.writes) writers_[cell].push_back(all_.size());
      }
    all_.events.push_back(c);
    events_.push_back(e);
  }

  void choose_sources(std::size_t chosen) {
    if (gave_up()) return;
    if (chosen == readers_.size()) {
      ++candidates_;
      judge();
      return;
    }
    const auto [r, field] = readers_[chosen];
    const std::size_t cell = all_.events[r].cells[field];
    const value read = in(cell, r, events_[r].read);
    for (const std::size_t w : writers_[cell]) {
      if (w == r || in(cell, w, events_[w].written) != read) continue;
      all_.events[r].sources[field] = w;
      choose_sources(chosen + 1);
    }
  }

  void judge() {
    const auto [acyclic, ordered] = cycles();
    const axioms::base_relations<1> base(all_);
    const relation hb = axioms::happens_before(base, false);
    order_writes(base, hb, 0, axioms::ordered_cells<1>(base.n), {}, acyclic, ordered);
  }

  // Whether the execution is acyclic, and whether it is ordered: see cyclic_outcomes. Each access
  // is two nodes, its read and its write.
  std::pair<bool, bool> cycles() const {
    const std::size_t n = all_.size();
    relation by_program(2 * n), kept(2 * n);
    const auto write_of = [n](std::size_t e) { return n + e; };
    const auto acquires = [](const path_event& e) { return is_acquire(e.order); };
    const auto releases = [](const path_event& e) { return is_release(e.order); };
    for (std::size_t r = 0; r < n; ++r) {
      const path_event& read = events_[r];
      if (!read.reads) continue;
      const unsigned thread = all_.events[r].thread;
      for (unsigned k = 0; k < all_.events[r].cell_count; ++k) {
        const std::size_t source = all_.events[r].sources[k];
        by_program.add(write_of(source), r);
        if (all_.events[source].thread != thread) kept.add(write_of(source), r);
      }
      bool fenced = false;
      for (std::size_t w = r; w < n && all_.events[w].thread == thread; ++w) {
        const path_event& write = events_[w];
        if (write.fence) fenced = fenced || acquires(write) || releases(write);
        if (!write.writes) continue;
        by_program.add(r, write_of(w));
        const bool depends = (write.depends >> read.number & 1U) != 0;
        if (w == r || fenced || depends || acquires(read) || releases(write))
          kept.add(r, write_of(w));
        if (!depends || (w == r && !write.passes_on)) continue;
        // A later read of this write by the same thread depends on the same read.
        for (const auto& [later, field] : readers_)
          if (all_.events[later].thread == thread && later > w &&
              all_.events[later].sources[field] == w)
            kept.add(r, later);
      }
    }
    return {by_program.acyclic(), kept.acyclic()};
  }

  void order_writes(const axioms::base_relations<1>& base, const relation& hb, std::size_t cell,
                    const axioms::ordered_cells<1>& before, std::vector<std::size_t> last,
                    bool acyclic, bool ordered) {
    if (cell == all_.cells) {
      if (!axioms::tears(all_, before) && axioms::psc_acyclic(base, hb, before))
        count(last, acyclic, ordered);
      return;
    }
    std::vector<std::size_t> order = writers_[cell];
    do {
      const axioms::ordered_cell<1> o(all_, base, cell, order);
      if (!o.coherent(base, hb)) continue;
      axioms::ordered_cells<1> cells = before;
      cells.add(o);
      last.push_back(order.back());
      order_writes(base, hb, cell + 1, cells, last, acyclic, ordered);
      last.pop_back();
    } while (std::next_permutation(order.begin() + 1, order.end()));
  }

  void count(const std::vector<std::size_t>& last, bool acyclic, bool ordered) {
    final_state s;
    for (const path* p : *chosen_) s.registers.push_back(p->registers);
    for (location_id l = 0; l < program_.locations.size(); ++l) {
      const auto left = [&](std::size_t cell) {
        return in(cell, last[cell], events_[last[cell]].written);
      };
      const std::vector<std::size_t> cells = cells_of(l, word_part::whole);
      s.memory.push_back(cells.size() == 1 ? left(cells[0])
                                           : join_halves(left(cells[0]), left(cells[1])));
    }
    outcome_counter one(program_);
    one.add(s, false);
    for (const auto& [state, times] : one.result().states) {
      if (acyclic) found_.acyclic.insert(state);
      if (acyclic || ordered) found_.ordered.insert(state);
      found_.any.insert(state);
    }
  }

  const program& program_;
  std::vector<std::size_t> first_cell_;   // by location; then the number of cells
  std::vector<std::vector<path>> paths_;  // by thread
  const std::vector<const path*>* chosen_ = nullptr;
  candidate all_;
  std::vector<path_event> events_;  // in the order of all_.events
  struct reader {
    std::size_t event;
    unsigned field;
  };
  std::vector<reader> readers_;
  std::vector<std::vector<std::size_t>> writers_;  // by cell
  std::size_t candidates_ = 0;
  cyclic_outcomes found_;
};

}  // namespace fencepost::litmus::testing
