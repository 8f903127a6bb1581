#include "axioms/recheck.hpp"

#include <algorithm>
#include <bit>
#include <map>
#include <utility>

#include "axioms/axioms.hpp"
#include "axioms/mixed.hpp"

namespace fencepost::axioms {

namespace {

using verify::explored_event;
using verify::explored_graph;
using verify::location;
using verify::no_location;
using verify::order;
using verify::silent_access;
using verify::value;
using kind = explored_event::kind;
using name = explored_event::name;

strength to_strength(order o) {
  switch (o) {
    case order::plain: return strength::plain;
    case order::relaxed: return strength::relaxed;
    case order::acquire: return strength::acquire;
    case order::release: return strength::release;
    case order::acq_rel: return strength::acq_rel;
    case order::seq_cst: break;
  }
  return strength::seq_cst;
}

bool reads(const explored_event& e) { return e.what == kind::load || e.what == kind::update; }
bool accesses(const explored_event& e) { return reads(e) || e.what == kind::store; }
unsigned cells_of(const explored_event& e) {
  return e.cells[0] == no_location ? 0 : e.cells[1] == no_location ? 1 : 2;
}

bool is_acquire(strength s) {
  return s == strength::acquire || s == strength::acq_rel || s == strength::seq_cst;
}

std::string text_of(const name& n) {
  if (n.number == 0) return "the initial value";
  return "#" + std::to_string(n.number) + " of thread " + std::to_string(n.thread);
}

// ---------------------------------------------------------------------------------------------
// Values: what each event did, computed from what the program asked for.

// The value that a write leaves in one of its cells.
value left_by(const explored_graph& g, const name& writer, location cell) {
  if (writer.number == 0) return g.cells[cell].initial;
  const explored_event& w = g.threads[writer.thread][writer.number - 1];
  if (cells_of(w) == 1) return w.written;
  return w.cells[0] == cell ? w.written & 0xffffffffU : w.written >> 32U;
}

value modified(const explored_event& e) {
  if (e.compares) return e.operand;
  value v = 0;
  switch (e.op) {
    case verify::operation::exchange: return e.operand;
    case verify::operation::bit_and: return e.read & e.operand;
    case verify::operation::bit_or: return e.read | e.operand;
    case verify::operation::bit_xor: return e.read ^ e.operand;
    case verify::operation::add: v = e.read + e.operand; break;
    case verify::operation::subtract: v = e.read - e.operand; break;
    case verify::operation::custom: v = e.custom(e.read, e.operand); break;
  }
  return e.size >= 8 ? v : v & ~(~value{0} << 8U * e.size);
}

bool is_write_to(const explored_graph& g, const name& n, location cell) {
  if (n.number == 0) return true;
  if (n.thread >= g.threads.size() || n.number > g.threads[n.thread].size()) return false;
  const explored_event& e = g.threads[n.thread][n.number - 1];
  return e.writes && (e.cells[0] == cell || e.cells[1] == cell);
}

// What is wrong with the event, or "".
std::string wrong_values(const explored_graph& g, const explored_event& e) {
  if (reads(e)) {
    value seen = 0;
    for (unsigned k = 0; k < cells_of(e); ++k) {
      if (!is_write_to(g, e.sources[k], e.cells[k])) return "reads from what does not write there";
      seen |= left_by(g, e.sources[k], e.cells[k]) << 32U * k;
    }
    if (seen != e.read) return "reads another value than was written";
  }
  if (e.what == kind::store) {
    return e.writes && e.written == e.operand ? "" : "stores another value than it was given";
  }
  if (e.what != kind::update) return e.writes ? "writes" : "";
  const bool equal = !e.compares || e.read == e.expected;
  if (e.spurious && !(e.weak && e.compares && equal)) return "may not fail spuriously";
  if (e.writes != (equal && !e.spurious)) return "succeeds where it must fail, or the reverse";
  return !e.writes || e.written == modified(e) ? "" : "writes another value than it computes";
}

// Is each write once in the modification order of each of its cells, and nothing else?
bool orders_are_whole(const explored_graph& g) {
  std::size_t ordered = 0;
  std::size_t writes = 0;
  for (location l = 0; l < g.cells.size(); ++l) {
    std::vector<name> all = g.cells[l].order;
    ordered += all.size();
    for (const name& w : all) {
      if (w.number == 0 || !is_write_to(g, w, l)) return false;
    }
    std::sort(all.begin(), all.end());
    if (std::adjacent_find(all.begin(), all.end()) != all.end()) return false;
  }
  for (const auto& thread : g.threads) {
    for (const explored_event& e : thread) {
      if (e.writes) writes += cells_of(e);
    }
  }
  return ordered == writes;
}

// ---------------------------------------------------------------------------------------------
// The graph in the axioms' terms.

// Silent accesses between the same two events of a thread are one event here: happens-before orders
// all of them alike, and program order among themselves.
struct translated {
  explicit translated(const explored_graph& g);

  candidate c;
  std::vector<std::vector<std::size_t>> orders;   // by cell
  std::vector<std::vector<std::size_t>> numbers;  // by thread and event
  std::vector<std::size_t> silent;                // by silent access
  std::string wrong;
};

translated::translated(const explored_graph& g) : silent(g.silent.size()) {
  std::vector<std::size_t> cell_of(g.cells.size(), g.cells.size());
  for (const auto& thread : g.threads) {
    for (const explored_event& e : thread) {
      for (unsigned k = 0; k < cells_of(e); ++k) cell_of[e.cells[k]] = 0;
    }
  }
  for (std::size_t& cell : cell_of) {
    if (cell == g.cells.size()) continue;
    cell = c.cells++;
    candidate::event e;
    e.kind = event_kind::access;
    e.writes = true;
    e.cell_count = 1;
    e.cells[0] = cell;
    c.events.push_back(e);
  }

  std::vector<std::vector<std::size_t>> silent_of(g.threads.size());
  for (std::size_t i = 0; i < g.silent.size(); ++i) silent_of[g.silent[i].thread].push_back(i);
  const auto other = [&](unsigned thread) {
    candidate::event e;
    e.thread = thread;
    c.events.push_back(e);
    return c.events.size() - 1;
  };
  std::vector<std::size_t> begin(g.threads.size());
  std::vector<std::size_t> end(g.threads.size());
  for (unsigned t = 0; t < g.threads.size(); ++t) {
    std::vector<std::size_t>& mine = numbers.emplace_back();
    begin[t] = other(t);
    std::size_t next = 0;  // silent access
    const auto add_silent = [&](std::size_t after) {
      std::size_t event = 0;
      for (; next < silent_of[t].size() && g.silent[silent_of[t][next]].after <= after; ++next) {
        if (event == 0) event = other(t);
        silent[silent_of[t][next]] = event;
      }
    };
    add_silent(0);
    for (const explored_event& e : g.threads[t]) {
      mine.push_back(c.events.size());
      candidate::event out;
      out.thread = t;
      out.reads = reads(e);
      out.writes = e.writes;
      out.order = to_strength(e.what == kind::update && !e.writes ? e.failure : e.success);
      out.kind = accesses(e)             ? event_kind::access
                 : e.what == kind::fence ? event_kind::fence
                                         : event_kind::other;
      out.cell_count = cells_of(e);
      for (unsigned k = 0; k < out.cell_count; ++k) out.cells[k] = cell_of[e.cells[k]];
      c.events.push_back(out);
      add_silent(mine.size());
    }
    end[t] = other(t);
  }

  const auto number_of = [&](const name& n, std::size_t cell) {
    return n.number == 0 ? cell : numbers[n.thread][n.number - 1];
  };
  for (unsigned t = 0; t < g.threads.size(); ++t) {
    for (std::size_t i = 0; i < g.threads[t].size(); ++i) {
      const explored_event& e = g.threads[t][i];
      const std::size_t n = numbers[t][i];
      for (unsigned k = 0; reads(e) && k < cells_of(e); ++k) {
        c.events[n].sources[k] = number_of(e.sources[k], cell_of[e.cells[k]]);
      }
      if (e.what != kind::create && e.what != kind::join) continue;
      for (unsigned u = 0; u < g.threads.size(); ++u) {
        if ((e.threads >> u & 1U) == 0) continue;
        if (e.what == kind::create) c.synchronized.emplace_back(n, begin[u]);
        if (e.what == kind::join) c.synchronized.emplace_back(end[u], n);
      }
    }
  }
  orders.resize(c.cells);
  for (location l = 0; l < g.cells.size(); ++l) {
    if (cell_of[l] == g.cells.size()) continue;
    std::vector<std::size_t>& order = orders[cell_of[l]];
    order.push_back(cell_of[l]);
    for (const name& w : g.cells[l].order) order.push_back(number_of(w, 0));
  }
}

// ---------------------------------------------------------------------------------------------
// The verdict.

// Of plain data, and of the lives of all objects: what is not ordered.
template <std::size_t Words>
reading::unordered_uses unordered(const explored_graph& g, const translated& t,
                                  const relation<Words>& hb) {
  struct use {
    std::size_t event;
    unsigned thread;
    silent_access::kind what;
    const silent_access* access = nullptr;
  };
  const auto is_access = [](const use& u) {
    return u.access != nullptr &&
           (u.what == silent_access::kind::read || u.what == silent_access::kind::write);
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
        // An atomic access conflicts with the beginning and the end of the object alone.
        if (!of[e.cells[k]].empty()) {
          of[e.cells[k]].push_back({t.numbers[thread][i], thread, silent_access::kind::read});
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
            return {"an object is accessed after its end", {}};
          }
          continue;
        }
        const bool before = hb.has(a.event, b.event);
        const bool after = hb.has(b.event, a.event);
        if (a.what == silent_access::kind::begin && !before) {
          return {"an access is not ordered after the construction of its object", {}};
        }
        if (a.what == silent_access::kind::end && !after) {
          return {"an access is not ordered before the end of its object", {}};
        }
        if (before || after) continue;
        reading::unordered_uses both{"two accesses to plain data are not ordered", {}};
        if (is_access(a) && is_access(b)) both.accesses = {*a.access, *b.access};
        return both;
      }
    }
  }
  return {};
}

// Coherent, atomic, and with an order of the sequentially consistent events; or why not.
template <std::size_t Words>
std::string inconsistency(const explored_graph& g, const translated& t,
                          const base_relations<Words>& base, const relation<Words>& hb) {
  ordered_cells<Words> cells(base.n);
  for (std::size_t cell = 0; cell < t.orders.size(); ++cell) {
    const ordered_cell<Words> ordered(t.c, base, cell, t.orders[cell]);
    if (!ordered.coherent(base, hb)) {
      return "the accesses to one location are not coherent, or a read-modify-write is not atomic";
    }
    cells.add(ordered);
  }
  if (tears(t.c, cells)) return "two accesses see the fields of a word in other orders";
  const bool sc_ordered = g.model == verify::memory_model::cpp20
                              ? single_order_exists(base, hb, cells)
                              : psc_acyclic(base, hb, cells);
  return sc_ordered ? "" : "the sequentially consistent events have no order";
}

template <std::size_t Words>
opinion judge(const explored_graph& g, const translated& t) {
  const auto rejected = [](std::string why) {
    return opinion{opinion::kind::rejected, std::move(why)};
  };
  const base_relations<Words> base(t.c);
  if (!(base.sb | base.rf | base.additionally_synchronizes).acyclic()) {
    return rejected("program order and reads-from have a cycle");
  }
  const relation<Words> hb = happens_before(base, g.model == verify::memory_model::rc11);
  if (std::string why = inconsistency(g, t, base, hb); !why.empty()) {
    return rejected(std::move(why));
  }
  if (has_race(t.c, base, hb) != g.race) {
    return rejected(g.race ? "it is said to have a race, and has none"
                           : "it is said to have no race, and has one");
  }
  if (std::string why = unordered(g, t, hb).why; !why.empty()) return rejected(std::move(why));
  return {};
}

// Did an event come before one that happens before it?
template <std::size_t Words>
bool reversed(const translated& t, const relation<Words>& hb,
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
reading read_with_cycles(const explored_graph& g, const translated& t,
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

using pair_of_names = std::pair<name, name>;

template <std::size_t Words>
std::vector<pair_of_names> load_buffering_races(const explored_graph& g, translated t) {
  std::vector<name> names(t.c.size());
  for (unsigned thread = 0; thread < g.threads.size(); ++thread) {
    for (unsigned i = 0; i < g.threads[thread].size(); ++i) {
      names[t.numbers[thread][i]] = {thread, i + 1};
    }
  }
  const base_relations<Words> base(t.c);
  const relation<Words> hb = happens_before(base, g.model == verify::memory_model::rc11);
  base_relations<Words> weaker = base;
  for (unsigned thread = 0; thread < g.threads.size(); ++thread) {
    for (unsigned i = 0; i < g.threads[thread].size(); ++i) {
      const explored_event& e = g.threads[thread][i];
      const bool may_not_acquire =
          !is_acquire(to_strength(e.success)) || !is_acquire(to_strength(e.failure));
      if (e.compares && may_not_acquire) weaker.acquire.remove(t.numbers[thread][i]);
    }
  }
  std::vector<pair_of_names> all;
  for (const auto& [read, write] : axioms::load_buffering_races(t.c, weaker, hb)) {
    // The initial writes have no name here; nothing leads to them.
    all.emplace_back(names[read], names[write]);
  }
  return all;
}

template <std::size_t Words>
std::vector<pair_of_names> exchangeable_updates(const explored_graph& g, const translated& t) {
  std::vector<pair_of_names> all;
  std::vector<name> updates;
  for (unsigned thread = 0; thread < g.threads.size(); ++thread)
    for (unsigned i = 0; i < g.threads[thread].size(); ++i)
      if (g.threads[thread][i].what == kind::update && cells_of(g.threads[thread][i]) == 1)
        updates.push_back({thread, i + 1});
  if (updates.size() < 2) return all;
  const base_relations<Words> base(t.c);
  const relation<Words> hb = happens_before(base, g.model == verify::memory_model::rc11);
  const auto at = [&](const name& n) -> const explored_event& {
    return g.threads[n.thread][n.number - 1];
  };
  const auto ordered = [&](const name& first, const name& second) {
    if (second.number == 1) return false;
    const std::size_t before = t.numbers[second.thread][second.number - 2];
    for (std::size_t i = first.number; i < g.threads[first.thread].size(); ++i)
      if (hb.has(t.numbers[first.thread][i], before)) return true;
    return false;
  };
  for (const name& first : updates)
    for (const name& second : updates)
      if (at(first).writes && first.thread != second.thread &&
          at(first).cells[0] == at(second).cells[0] && !ordered(first, second))
        all.emplace_back(first, second);
  return all;
}

// What is wrong with what single events do, or "".
std::string wrong_events(const explored_graph& g) {
  for (unsigned t = 0; t < g.threads.size(); ++t) {
    for (unsigned i = 0; i < g.threads[t].size(); ++i) {
      if (std::string wrong = wrong_values(g, g.threads[t][i]); !wrong.empty()) {
        return text_of({t, i + 1}) + " " + wrong;
      }
    }
  }
  return orders_are_whole(g) ? "" : "a modification order is not one of all writes";
}

}  // namespace

opinion judge(const explored_graph& g) {
  if (std::string wrong = wrong_events(g); !wrong.empty()) {
    return {opinion::kind::rejected, std::move(wrong)};
  }
  const translated t(g);
#define FENCEPOST_JUDGE(W) \
  if (t.c.size() <= event_set<W>::capacity) return judge<W>(g, t);
  FENCEPOST_EACH_WIDTH(FENCEPOST_JUDGE)
#undef FENCEPOST_JUDGE
  return {opinion::kind::not_held,
          "more than " + std::to_string(event_set<most_words>::capacity) + " events"};
}

reading read_with_cycles(const explored_graph& g, const std::vector<std::vector<unsigned>>& came) {
  if (!wrong_events(g).empty()) return {};
  const translated t(g);
#define FENCEPOST_READ(W) \
  if (t.c.size() <= event_set<W>::capacity) return read_with_cycles<W>(g, t, came);
  FENCEPOST_EACH_WIDTH(FENCEPOST_READ)
#undef FENCEPOST_READ
  reading none;
  none.held = false;
  return none;
}

std::vector<pair_of_names> load_buffering_races(const explored_graph& g) {
  const translated t(g);
#define FENCEPOST_RACES(W) \
  if (t.c.size() <= event_set<W>::capacity) return load_buffering_races<W>(g, t);
  FENCEPOST_EACH_WIDTH(FENCEPOST_RACES)
#undef FENCEPOST_RACES
  return {};
}

std::vector<pair_of_names> exchangeable_updates(const explored_graph& g) {
  const translated t(g);
#define FENCEPOST_UPDATES(W) \
  if (t.c.size() <= event_set<W>::capacity) return exchangeable_updates<W>(g, t);
  FENCEPOST_EACH_WIDTH(FENCEPOST_UPDATES)
#undef FENCEPOST_UPDATES
  return {};
}

std::uint64_t fingerprint(const explored_graph& g, told_apart by) {
  // Threads by who created them.
  std::vector<std::uint64_t> names(g.threads.size(), 0);
  if (!names.empty()) names[0] = 1;
  for (bool progress = true; progress;) {
    progress = false;
    for (std::size_t t = 0; t < g.threads.size(); ++t) {
      if (names[t] == 0) continue;
      for (std::size_t i = 0; i < g.threads[t].size(); ++i) {
        const explored_event& e = g.threads[t][i];
        if (e.what != kind::create) continue;
        std::uint64_t nth = 0;
        for (std::size_t child = 0; child < g.threads.size(); ++child) {
          if ((e.threads >> child & 1U) == 0) continue;
          ++nth;
          if (names[child] != 0) continue;
          names[child] = mixed(mixed(mixed(names[t], i), nth), 5);
          progress = true;
        }
      }
    }
  }
  const auto name_of = [&](const name& n) {
    return n.number == 0 ? std::uint64_t{0} : mixed(names[n.thread], n.number);
  };
  // Which cell an event accesses follows from what its thread has read; and an initial write, from
  // its reader.
  std::uint64_t sum = 0;
  for (std::size_t t = 0; t < g.threads.size(); ++t) {
    std::uint64_t h = names[t];
    for (const explored_event& e : g.threads[t]) {
      h = mixed(h, static_cast<std::uint64_t>(e.what));
      if (e.what == kind::choose) h = mixed(h, e.read);
      for (unsigned k = 0; reads(e) && k < cells_of(e); ++k) h = mixed(h, name_of(e.sources[k]));
      h = mixed(h, e.spurious ? 2 : 1);
      if (by == told_apart::by_values_too && reads(e)) h = mixed(h, e.read);
    }
    sum += mixed(h, g.threads[t].size());
  }
  for (const explored_graph::cell& cell : g.cells) {
    if (cell.order.empty()) continue;
    std::uint64_t h = 7;
    for (const name& w : cell.order) h = mixed(h, name_of(w));
    sum += mixed(h, cell.order.size());
  }
  return sum;
}

std::string to_text(const explored_graph& g) {
  constexpr const char* kinds[] = {"load", "store", "update", "fence", "create", "join", "choose"};
  std::string text;
  for (unsigned t = 0; t < g.threads.size(); ++t) {
    for (unsigned i = 0; i < g.threads[t].size(); ++i) {
      const explored_event& e = g.threads[t][i];
      text += text_of({t, i + 1}) + ": " + kinds[static_cast<std::size_t>(e.what)];
      if (accesses(e) || e.what == kind::fence) {
        const order o = e.what == kind::update && !e.writes ? e.failure : e.success;
        text += " " + std::string(to_string(o));
      }
      for (unsigned k = 0; k < cells_of(e); ++k) {
        text += (k == 0 ? " location " : " and ") + std::to_string(e.cells[k]);
      }
      if (reads(e)) {
        text += ", reads " + std::to_string(e.read) + " from " + text_of(e.sources[0]);
        if (cells_of(e) == 2) text += " and " + text_of(e.sources[1]);
      }
      if (e.writes) text += ", writes " + std::to_string(e.written);
      for (unsigned u = 0; u < g.threads.size(); ++u) {
        if ((e.threads >> u & 1U) != 0) text += " " + std::to_string(u);
      }
      if (e.where.file != nullptr && e.where.line != 0) {
        text += "  (" + std::string(e.where.file) + ":" + std::to_string(e.where.line) + ")";
      }
      text += "\n";
    }
  }
  for (location l = 0; l < g.cells.size(); ++l) {
    if (g.cells[l].order.empty()) continue;
    text += "location " + std::to_string(l) + ": the initial value";
    for (const name& w : g.cells[l].order) text += ", " + text_of(w);
    text += "\n";
  }
  return text;
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
