// A program without a load-buffering race has no execution with a cycle of program order and
// reads-from that its accesses and fences allow: checked against an enumeration of all executions.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <sstream>
#include <vector>

#include "axioms/axioms.hpp"
#include "fencepost/litmus/explore.hpp"
#include "frontends/litmus/src/strength.hpp"
#include "load_buffering_programs.hpp"
#include "random_program.hpp"

namespace fencepost::litmus::testing {
namespace {

using axioms::candidate;
using relation = axioms::relation<1>;

// Looks for an execution of a program without branches that writes constants: it is consistent but
// for a cycle of po ∪ rf, and has no such cycle in which every thread's accesses are ordered by
// acquire, release, fences, or as the halves of a read-modify-write.
class cyclic_executions {
 public:
  explicit cyclic_executions(const program& p) {
    all_.cells = p.locations.size();
    writers_.resize(all_.cells);
    for (location_id l = 0; l < p.locations.size(); ++l)
      access(candidate::no_thread, l, false, true);
    for (unsigned t = 0; t < p.threads.size(); ++t) {
      for (const statement& s : p.threads[t].body)
        std::visit([&](const auto& what) { add(t, what); }, s.what);
    }
  }

  // True if there is one. Tries each set of compare-exchanges that succeed.
  bool exist(std::size_t from = 0) {
    while (from < all_.size() && !compares_[from].is_one) ++from;
    if (from < all_.size()) {
      candidate::event& e = all_.events[from];
      e.writes = true;
      e.order = to_strength(compares_[from].success);
      const bool exists = exist(from + 1);
      e.writes = false;
      e.order = to_strength(compares_[from].failure);
      return exists || exist(from + 1);
    }
    readers_.clear();
    for (auto& writers : writers_) writers.clear();
    for (std::size_t e = 0; e < all_.size(); ++e) {
      if (all_.events[e].reads) readers_.push_back(e);
      if (all_.events[e].writes) writers_[all_.events[e].cells[0]].push_back(e);
    }
    return choose_sources(0);
  }

 private:
  void add(unsigned t, const load& s) { access(t, s.from, true, false, s.order); }
  void add(unsigned t, const store& s) {
    access(t, s.to, false, true, s.order);
    written_.back() = s.what.constant;
  }
  void add(unsigned t, const modify& s) {
    access(t, s.at, true, true, s.order);
    written_.back() = s.operand.constant;
  }
  // It expects 0.
  void add(unsigned t, const compare_exchange& s) {
    access(t, s.at, true, true, s.success);
    written_.back() = s.desired.constant;
    compares_.back() = {true, s.success, s.failure};
  }
  void add(unsigned, const assign&) {}
  void add(unsigned t, const fence& s) {
    candidate::event e;
    e.kind = axioms::event_kind::fence;
    e.order = to_strength(s.order);
    e.thread = t;
    push(e);
  }
  template <class Other>
  void add(unsigned, const Other&) {
    FAIL() << "not one of these programs";
  }

  void access(unsigned t, location_id l, bool reads, bool writes,
              access_order order = access_order::plain) {
    candidate::event e;
    e.kind = axioms::event_kind::access;
    e.reads = reads;
    e.writes = writes;
    e.order = to_strength(order);
    e.thread = t;
    e.cell_count = 1;
    e.cells[0] = l;
    push(e);
  }
  void push(const candidate::event& e) {
    all_.events.push_back(e);
    written_.push_back(0);
    compares_.emplace_back();
  }

  static bool acquires(axioms::strength s) {
    return s != axioms::strength::plain && s != axioms::strength::relaxed &&
           s != axioms::strength::release;
  }
  static bool releases(axioms::strength s) {
    return s != axioms::strength::plain && s != axioms::strength::relaxed &&
           s != axioms::strength::acquire;
  }

  bool choose_sources(std::size_t chosen) {
    if (chosen == readers_.size()) return cyclic() && consistent();
    candidate::event& e = all_.events[readers_[chosen]];
    for (const std::size_t w : writers_[e.cells[0]]) {
      if (w == readers_[chosen]) continue;
      if (compares_[readers_[chosen]].is_one && (written_[w] == 0) != e.writes) continue;
      e.sources[0] = w;
      if (choose_sources(chosen + 1)) return true;
    }
    return false;
  }

  // Whether the cycles are as the class requires. Each access is two nodes, its read and its
  // write.
  bool cyclic() const {
    const std::size_t n = all_.size();
    relation by_program(2 * n), kept(2 * n);
    const auto write_of = [n](std::size_t e) { return n + e; };
    for (std::size_t r = 0; r < n; ++r) {
      const candidate::event& read = all_.events[r];
      if (!read.reads) continue;
      by_program.add(write_of(read.sources[0]), r);
      if (all_.events[read.sources[0]].thread != read.thread)
        kept.add(write_of(read.sources[0]), r);
      bool fenced = false;
      for (std::size_t w = r; w < n && all_.events[w].thread == read.thread; ++w) {
        const candidate::event& write = all_.events[w];
        if (write.kind == axioms::event_kind::fence)
          fenced = fenced || acquires(write.order) || releases(write.order);
        if (!write.writes) continue;
        by_program.add(r, write_of(w));
        if (w == r || fenced || acquires(read.order) || releases(write.order))
          kept.add(r, write_of(w));
      }
    }
    return !by_program.acyclic() && kept.acyclic();
  }

  bool consistent() const {
    const axioms::base_relations<1> base(all_);
    const relation hb = axioms::happens_before(base, false);
    axioms::ordered_cells<1> cells(base.n);
    return order_writes(base, hb, 0, cells);
  }

  bool order_writes(const axioms::base_relations<1>& base, const relation& hb, std::size_t cell,
                    const axioms::ordered_cells<1>& before) const {
    if (cell == all_.cells) return axioms::psc_acyclic(base, hb, before);
    std::vector<std::size_t> order = writers_[cell];
    do {
      const axioms::ordered_cell<1> o(all_, base, cell, order);
      if (!o.coherent(base, hb)) continue;
      axioms::ordered_cells<1> cells = before;
      cells.add(o);
      if (order_writes(base, hb, cell + 1, cells)) return true;
    } while (std::next_permutation(order.begin() + 1, order.end()));
    return false;
  }

  struct comparison {
    bool is_one = false;
    access_order success = access_order::relaxed, failure = access_order::relaxed;
  };

  candidate all_;
  std::vector<value> written_;        // by event
  std::vector<comparison> compares_;  // by event
  std::vector<std::vector<std::size_t>> writers_;
  std::vector<std::size_t> readers_;
};

// The program with writes that depend on nothing, and compare-exchanges that expect 0.
program straightened(program p) {
  value next = 0;
  for (thread& t : p.threads) {
    for (statement& s : t.body) {
      if (auto* w = std::get_if<store>(&s.what)) w->what = constant(++next % 3);
      if (auto* m = std::get_if<modify>(&s.what)) {
        m->op = rmw_operation::exchange;
        m->operand = constant(++next % 3);
      }
      if (auto* a = std::get_if<assign>(&s.what)) a->what = constant(0);
      if (auto* c = std::get_if<compare_exchange>(&s.what)) c->desired = constant(++next % 3);
    }
  }
  return p;
}

TEST(load_buffering, races_are_those_that_are_known) { EXPECT_EQ(wrong_load_buffering(), ""); }

TEST(load_buffering, is_enumerated_where_it_is_known) {
  for (const buffered& p : buffered_programs()) {
    const bool conditional = std::any_of(p.threads.begin(), p.threads.end(), [](const auto& t) {
      return t.find("if") != std::string::npos;
    });
    if (conditional) continue;
    const bool exist = cyclic_executions(parse(to_litmus(p))).exist();
    EXPECT_LE(exist, p.race) << p.name;
  }
}

TEST(load_buffering, comes_with_a_race_in_random_programs) {
  const char* number = std::getenv("FENCEPOST_RANDOM_PROGRAMS");
  rc::detail::TestParams params = rc::detail::configuration().testParams;
  params.maxSuccess = number != nullptr ? std::atoi(number) : 2000;
  program_shape shape;
  shape.accesses = 7;
  shape.branches = false;
  unsigned with_race = 0, with_cycle = 0;
  const auto result = rc::detail::checkTestable(
      [&] {
        const program p = straightened(*any_program(shape));
        const bool race = explore(p).load_buffering;
        const bool cycle = cyclic_executions(p).exist();
        with_race += race ? 1 : 0;
        with_cycle += cycle ? 1 : 0;
        if (cycle) RC_ASSERT(race);
      },
      rc::detail::TestMetadata{}, params);
  std::ostringstream text;
  rc::detail::printResultMessage(result, text);
  EXPECT_TRUE(result.is<rc::detail::SuccessResult>()) << text.str();
  std::cout << with_race << " with a race, " << with_cycle << " of them with a cycle\n";
  EXPECT_GT(with_cycle, static_cast<unsigned>(params.maxSuccess) / 200);
}

}  // namespace
}  // namespace fencepost::litmus::testing
