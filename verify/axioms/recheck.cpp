#include "axioms/recheck.hpp"

#include <algorithm>
#include <utility>

#include "axioms/axioms.hpp"
#include "axioms/event_values.hpp"
#include "axioms/graph_events.hpp"
#include "axioms/graph_fingerprint.hpp"
#include "axioms/translated_graph.hpp"

namespace fencepost::axioms {
namespace {

using verify::explored_event;
using verify::explored_graph;
using verify::silent_access;

// Finds accesses to plain data, and beginnings and ends of objects, that are not ordered.
template <std::size_t Words>
reading::unordered_uses unordered(const explored_graph& g, const translated_graph& t,
                                  const relation<Words>& hb) {
  struct use {
    std::size_t event;
    unsigned thread;
    silent_access::kind what;
    const silent_access* access = nullptr;
    unsigned number = 0;  // of an event
  };
  const auto is_access = [](const use& u) {
    return u.access != nullptr &&
           (u.what == silent_access::kind::read || u.what == silent_access::kind::write);
  };
  const auto of_life = [](const char* why, const use& life, const use& other) {
    return reading::unordered_uses{why, {}, *life.access, {other.thread, other.number}};
  };
  if (g.silent.empty()) return {};
  std::vector<std::vector<use>> of(g.cells.size());
  for (std::size_t i = 0; i < g.silent.size(); ++i) {
    const silent_access& a = g.silent[i];
    std::vector<use>& all = of[a.object];
    const use u{t.silent[i], a.thread, a.what, &a};
    const bool again = std::any_of(all.begin(), all.end(), [&](const use& other) {
      return other.event == u.event && other.what == u.what;
    });
    if (!again) all.push_back(u);
  }
  for (unsigned thread = 0; thread < g.threads.size(); ++thread) {
    for (std::size_t i = 0; i < g.threads[thread].size(); ++i) {
      const explored_event& e = g.threads[thread][i];
      for (unsigned k = 0; k < cells_of(e); ++k) {
        // An atomic access conflicts only with the beginning and the end of the object.
        if (!of[e.cells[k]].empty()) {
          of[e.cells[k]].push_back({t.numbers[thread][i], thread, silent_access::kind::read,
                                    nullptr, static_cast<unsigned>(i + 1)});
        }
      }
    }
  }
  for (const std::vector<use>& all : of) {
    for (const use& a : all) {
      if (a.what == silent_access::kind::read) continue;
      for (const use& b : all) {
        if (a.thread == b.thread) {
          if (a.what == silent_access::kind::end && a.event < b.event) {
            return of_life("an object is accessed after its destruction", a, b);
          }
          continue;
        }
        const bool before = hb.has(a.event, b.event);
        const bool after = hb.has(b.event, a.event);
        if (a.what == silent_access::kind::begin && !before) {
          return of_life("an access is not ordered after the construction of its object", a, b);
        }
        if (a.what == silent_access::kind::end && !after) {
          return of_life("an access is not ordered before the destruction of its object", a, b);
        }
        if (before || after) continue;
        reading::unordered_uses both{"two accesses to plain data are not ordered", {}, {}, {}};
        if (is_access(a) && is_access(b)) both.accesses = {*a.access, *b.access};
        return both;
      }
    }
  }
  return {};
}

// Why the graph is not coherent or not atomic, or why its sequentially consistent events have no
// order; "" if it is consistent.
template <std::size_t Words>
std::string inconsistency(const explored_graph& g, const translated_graph& t,
                          const base_relations<Words>& base, const relation<Words>& hb) {
  ordered_cells<Words> cells(base.n);
  for (std::size_t cell = 0; cell < t.orders.size(); ++cell) {
    const ordered_cell<Words> ordered(t.c, base, cell, t.orders[cell]);
    if (!ordered.coherent(base, hb)) {
      return "the accesses to one location are not coherent, or a read-modify-write is not atomic";
    }
    cells.add(ordered);
  }
  if (tears(t.c, cells)) return "two accesses observe the fields of a word in different orders";
  const bool sc_ordered = g.model == verify::memory_model::cpp20
                              ? single_order_exists(base, hb, cells)
                              : psc_acyclic(base, hb, cells);
  return sc_ordered ? "" : "there is no single order of the sequentially consistent events";
}

template <std::size_t Words>
opinion judge(const explored_graph& g, const translated_graph& t) {
  const auto rejected = [](std::string why) {
    return opinion{opinion::kind::rejected, std::move(why)};
  };
  const base_relations<Words> base(t.c);
  if (!(base.sb | base.rf | base.additionally_synchronizes).acyclic()) {
    return rejected("program order and reads-from form a cycle");
  }
  const relation<Words> hb = happens_before(base, g.model == verify::memory_model::rc11);
  if (std::string why = inconsistency(g, t, base, hb); !why.empty()) {
    return rejected(std::move(why));
  }
  if (has_race(t.c, base, hb) != g.race) {
    return rejected(g.race ? "the explorer reports a race, and there is none"
                           : "the explorer reports no race, and there is one");
  }
  if (std::string why = unordered(g, t, hb).why; !why.empty()) return rejected(std::move(why));
  return {};
}

// True if an event came before one that happens before it.
template <std::size_t Words>
bool reversed(const translated_graph& t, const relation<Words>& hb,
              const std::vector<std::vector<unsigned>>& came) {
  const auto length = [&](std::size_t thread) {  // what has come may be more than the graph has
    return std::min(came[thread].size(), t.numbers[thread].size());
  };
  const std::size_t threads = std::min(came.size(), t.numbers.size());
  for (std::size_t thread = 0; thread < threads; ++thread)
    for (std::size_t i = 0; i < length(thread); ++i)
      for (std::size_t other = 0; other < threads; ++other) {
        if (other == thread) continue;
        // If any that came later happens before this one, so does the first of them.
        const auto& there = came[other];
        const auto first = std::upper_bound(there.begin(), there.end(), came[thread][i]);
        const auto j = static_cast<std::size_t>(first - there.begin());
        if (j < length(other) && hb.has(t.numbers[other][j], t.numbers[thread][i])) return true;
      }
  return false;
}

template <std::size_t Words>
reading read_with_cycles(const explored_graph& g, const translated_graph& t,
                         const std::vector<std::vector<unsigned>>& came) {
  const base_relations<Words> base(t.c);
  reading r;
  r.cyclic = !(base.sb | base.rf | base.additionally_synchronizes).acyclic();
  const relation<Words> hb = happens_before(base, g.model == verify::memory_model::rc11);
  r.consistent = inconsistency(g, t, base, hb).empty();
  if (!r.consistent) return r;
  r.race = has_race(t.c, base, hb);
  r.unordered = unordered(g, t, hb);
  r.reversed = reversed(t, hb, came);
  return r;
}

}  // namespace

opinion judge(const explored_graph& g) {
  if (std::string wrong = wrong_events(g); !wrong.empty()) {
    return {opinion::kind::rejected, std::move(wrong)};
  }
  const translated_graph t(g);
  const opinion too_large{
      opinion::kind::not_held,
      "more than " + std::to_string(event_set<most_words>::capacity) + " events"};
  return in_narrowest(t, too_large, [&]<std::size_t W> { return judge<W>(g, t); });
}

reading read_with_cycles(const explored_graph& g, const std::vector<std::vector<unsigned>>& came) {
  if (!wrong_events(g).empty()) return {};
  const translated_graph t(g);
  reading too_large;
  too_large.held = false;
  return in_narrowest(t, too_large, [&]<std::size_t W> { return read_with_cycles<W>(g, t, came); });
}

void second_opinion::hear(const explored_graph& g) {
  ++so_far_.graphs;
  opinion o = judge(g);
  if (o.what == opinion::kind::confirmed && !seen_.insert(fingerprint(g)).second) {
    o = {opinion::kind::rejected, "it was explored before"};
  }
  switch (o.what) {
    case opinion::kind::confirmed: ++so_far_.confirmed; break;
    case opinion::kind::not_held: ++so_far_.not_held[o.why]; break;
    case opinion::kind::rejected:
      if (so_far_.rejected++ == 0) {
        so_far_.why = std::move(o.why);
        so_far_.graph = to_text(g);
      }
  }
}

void second_opinion::restart() {
  so_far_ = {};
  seen_.clear();
}

}  // namespace fencepost::axioms
