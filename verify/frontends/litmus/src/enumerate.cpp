#include "fencepost/litmus/enumerate.hpp"

#include <algorithm>
#include <optional>

#include "axioms/axioms.hpp"
#include "fencepost/litmus/machine.hpp"
#include "strength.hpp"
#include "unfolding.hpp"

namespace fencepost::litmus {

namespace {

using axioms::candidate;
using axioms::cell_id;
using verify::memory_model;
using base_relations = axioms::base_relations<1>;
using ordered_cell = axioms::ordered_cell<1>;
using relation = axioms::relation<1>;

constexpr std::size_t max_events = axioms::event_set<1>::capacity;

class enumeration {
 public:
  enumeration(const program& p, std::vector<memory_model> models, const enumerate_options& options)
      : models_(std::move(models)), options_(options) {
    for (const location& l : p.locations) {
      std::vector<cell_id> cells;
      for (int i = 0; i < (l.kind == location_kind::halves ? 2 : 1); ++i) {
        cells.push_back(cell_count_++);
      }
      cells_.push_back(std::move(cells));
    }
    for (std::size_t i = 0; i < models_.size(); ++i) counters_.emplace_back(p);
    for (unsigned t = 0; t < p.threads.size(); ++t) {
      unfoldings_.emplace_back(p, t);
      nodes_.push_back(unfoldings_.back().root());
    }
    done_.assign(p.threads.size(), 0);
    last_.assign(p.threads.size(), 0);
    for (cell_id cell = 0; cell < cell_count_; ++cell) writers_.emplace_back();
    for (location_id l = 0; l < p.locations.size(); ++l) {
      push({.writes = true, .location = l, .written = p.locations[l].initial}, candidate::no_thread,
           {});
    }
    candidate_.cells = cell_count_;
  }

  std::vector<outcome_set> run() {
    extend();
    std::vector<outcome_set> results;
    for (outcome_counter& c : counters_) {
      if (!limit_.empty()) c.stopped(limit_);
      results.push_back(c.result());
    }
    return results;
  }

 private:
  // -------------------------------------------------------------- candidates
  //
  // Events are added one by one, a read after the write that it reads from: so po ∪ rf is acyclic,
  // and every acyclic graph can be built. Each is built once, in the order that always adds an
  // event of the first thread that can continue: an event that could have been added before one of
  // a later thread is refused.

  void extend() {
    if (!limit_.empty()) return;
    bool ended = true;
    for (unsigned t = 0; t < nodes_.size(); ++t) {
      unfolding::node* const node = nodes_[t];
      if (done_[t] < node->events.size()) {
        ended = false;
        add(t, node->events[done_[t]], {});
      } else if (node->next) {
        ended = false;
        answer_question(t, *node->next, {});
      }
    }
    if (ended) judge();
  }

  std::vector<cell_id> cells_of(location_id l, word_part part) const {
    const std::vector<cell_id>& all = cells_[l];
    if (part == word_part::low) return {all.front()};
    if (part == word_part::high) return {all.back()};
    return all;
  }

  // Chooses the write that a read sees, for each cell in turn.
  void answer_question(unsigned t, const question& q, std::vector<std::size_t> sources) {
    const std::vector<cell_id> cells = cells_of(q.location, q.part);
    if (sources.size() < cells.size()) {
      // By index, since the list grows and shrinks again while the candidate is extended.
      const std::vector<std::size_t>& writers = writers_[cells[sources.size()]];
      for (std::size_t i = 0, n = writers.size(); i < n; ++i) {
        std::vector<std::size_t> more = sources;
        more.push_back(writers[i]);
        answer_question(t, q, std::move(more));
      }
      return;
    }
    const value seen = sources.size() == 1 ? written(sources[0], cells[0])
                                           : join_halves(written(sources[0], cells[0]),
                                                         written(sources[1], cells[1]));
    go_on(t, {seen, false}, sources);
    if (q.may_fail_at == seen && spurious_ < options_.spurious_failures) {
      ++spurious_;
      go_on(t, {seen, true}, sources);
      --spurious_;
    }
  }

  value written(std::size_t w, cell_id cell) const {
    const event& e = events_[w];
    if (e.part != word_part::whole || cells_[e.location].size() == 1) return e.written;
    return cell == cells_[e.location].front() ? low_half(e.written) : high_half(e.written);
  }

  void go_on(unsigned t, const answer& a, const std::vector<std::size_t>& sources) {
    unfolding::node* const before = nodes_[t];
    nodes_[t] = unfoldings_[t].after(before, a);
    add(t, nodes_[t]->events[done_[t]], sources);
    nodes_[t] = before;
  }

  void add(unsigned t, const event& e, const std::vector<std::size_t>& sources) {
    std::size_t possible_since = last_[t];  // the first index that the event could have had
    for (const std::size_t w : sources) possible_since = std::max(possible_since, w + 1);
    for (std::size_t i = possible_since; i < candidate_.size(); ++i) {
      const unsigned other = candidate_.events[i].thread;
      if (other != candidate::no_thread && other > t) return;
    }
    if (e.reads && e.writes && read_by_another_update(e, sources)) return;
    if (candidate_.size() == max_events) {
      limit_ = "an execution has more than " + std::to_string(max_events) + " events";
      return;
    }
    const std::size_t before = last_[t];
    push(e, t, sources);
    last_[t] = candidate_.size();
    ++done_[t];
    extend();
    --done_[t];
    last_[t] = before;
    pop();
  }

  // True if another read-modify-write reads from one of these sources: the write of one would then
  // come between the read and the write of the other.
  bool read_by_another_update(const event& e, const std::vector<std::size_t>& sources) const {
    const std::vector<cell_id> cells = cells_of(e.location, e.part);
    for (std::size_t i = 0; i < candidate_.size(); ++i) {
      const candidate::event& other = candidate_.events[i];
      if (!other.reads || !other.writes) continue;
      for (std::size_t mine = 0; mine < cells.size(); ++mine) {
        for (unsigned theirs = 0; theirs < other.cell_count; ++theirs) {
          if (other.cells[theirs] == cells[mine] && other.sources[theirs] == sources[mine]) {
            return true;
          }
        }
      }
    }
    return false;
  }

  void push(const event& e, unsigned thread, const std::vector<std::size_t>& sources) {
    candidate::event c;
    c.reads = e.reads;
    c.writes = e.writes;
    c.order = to_strength(e.order);
    c.thread = thread;
    c.kind = e.reads || e.writes ? axioms::event_kind::access : axioms::event_kind::fence;
    if (c.kind == axioms::event_kind::access) {
      for (const cell_id cell : cells_of(e.location, e.part)) {
        if (e.writes) writers_[cell].push_back(candidate_.size());
        c.cells[c.cell_count++] = cell;
      }
    }
    std::copy(sources.begin(), sources.end(), c.sources.begin());
    events_.push_back(e);
    candidate_.events.push_back(c);
  }

  void pop() {
    const candidate::event& last = candidate_.events.back();
    for (unsigned k = 0; last.writes && k < last.cell_count; ++k)
      writers_[last.cells[k]].pop_back();
    candidate_.events.pop_back();
    events_.pop_back();
  }

  // -------------------------------------------------------------- modification orders

  std::size_t source_of(std::size_t reader, cell_id cell) const {
    const candidate::event& e = candidate_.events[reader];
    return e.sources[e.cells[0] == cell ? 0 : 1];
  }

  void judge() {
    ++candidates_;
    if (options_.max_candidates != 0 && candidates_ > options_.max_candidates) {
      limit_ = "more than " + std::to_string(options_.max_candidates) + " candidate executions";
      return;
    }
    const base_relations base(candidate_);
    const relation hb11 = axioms::happens_before(base, true);
    const relation hb20 = axioms::happens_before(base, false);
    const bool cut = std::any_of(nodes_.begin(), nodes_.end(), [](auto* n) { return n->cut; });

    std::vector<std::size_t> with_hb11, with_hb20;
    for (std::size_t m = 0; m < models_.size(); ++m) {
      (models_[m] == memory_model::rc11 ? with_hb11 : with_hb20).push_back(m);
    }
    if (hb11 == hb20) {
      with_hb20.insert(with_hb20.end(), with_hb11.begin(), with_hb11.end());
      with_hb11.clear();
    }
    if (!with_hb11.empty()) judge(base, hb11, with_hb11, cut);
    if (!with_hb20.empty()) judge(base, hb20, with_hb20, cut);
  }

  struct found {
    bool race = false;
    bool load_buffering = false;
  };

  void judge(const base_relations& base, const relation& hb, const std::vector<std::size_t>& models,
             bool cut) {
    std::vector<std::vector<ordered_cell>> possible(cell_count_);
    for (cell_id cell = 0; cell < cell_count_; ++cell) {
      std::vector<std::size_t> order(1, writers_[cell].front());
      std::vector<std::size_t> rest(writers_[cell].begin() + 1, writers_[cell].end());
      order_writes(base, hb, cell, order, rest, possible[cell]);
      if (possible[cell].empty()) return;
    }
    const found has{axioms::has_race(candidate_, base, hb),
                    axioms::has_load_buffering_race(candidate_, base, hb)};
    std::vector<const ordered_cell*> chosen;
    choose(base, hb, models, cut, has, possible, chosen);
  }

  // Finds all coherent permutations of `rest` after `order`. Two rules are checked as each write is
  // placed: writes that happen before it come before it, and a read-modify-write comes immediately
  // after the write that it reads from.
  void order_writes(const base_relations& base, const relation& hb, cell_id cell,
                    std::vector<std::size_t>& order, std::vector<std::size_t>& rest,
                    std::vector<ordered_cell>& possible) const {
    if (rest.empty()) {
      ordered_cell o(candidate_, base, cell, order);
      if (o.coherent(base, hb)) possible.push_back(std::move(o));
      return;
    }
    for (std::size_t i = 0; i < rest.size(); ++i) {
      const std::size_t w = rest[i];
      if (std::any_of(rest.begin(), rest.end(), [&](std::size_t r) { return hb.has(r, w); })) {
        continue;
      }
      if (base.updates.has(w) && source_of(w, cell) != order.back()) continue;
      order.push_back(w);
      rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(i));
      order_writes(base, hb, cell, order, rest, possible);
      rest.insert(rest.begin() + static_cast<std::ptrdiff_t>(i), w);
      order.pop_back();
    }
  }

  void choose(const base_relations& base, const relation& hb,
              const std::vector<std::size_t>& models, bool cut, const found& has,
              const std::vector<std::vector<ordered_cell>>& possible,
              std::vector<const ordered_cell*>& chosen) {
    if (chosen.size() < possible.size()) {
      for (const ordered_cell& o : possible[chosen.size()]) {
        chosen.push_back(&o);
        choose(base, hb, models, cut, has, possible, chosen);
        chosen.pop_back();
      }
      return;
    }
    axioms::ordered_cells<1> cells(base.n);
    for (const ordered_cell* cell : chosen) cells.add(*cell);
    if (axioms::tears(candidate_, cells)) return;
    std::optional<bool> psc;
    std::optional<final_state> state;
    for (const std::size_t m : models) {
      if (models_[m] == memory_model::cpp20) {
        if (!axioms::single_order_exists(base, hb, cells)) continue;
      } else {
        if (!psc) psc = axioms::psc_acyclic(base, hb, cells);
        if (!*psc) continue;
      }
      if (has.load_buffering) counters_[m].add_load_buffering();
      if (const auto t = straying()) {
        if (limit_.empty()) limit_ = stray_message(*t);
      } else if (cut) {
        counters_[m].add_cut();
      } else {
        if (!state) state = end(chosen);
        counters_[m].add(*state, has.race);
      }
    }
  }

  // Returns the first thread that strays, if any does.
  std::optional<unsigned> straying() const {
    const auto t = std::find_if(nodes_.begin(), nodes_.end(), [](auto* n) { return n->strays; });
    if (t == nodes_.end()) return std::nullopt;
    return static_cast<unsigned>(t - nodes_.begin());
  }

  final_state end(const std::vector<const ordered_cell*>& chosen) const {
    final_state s;
    for (const unfolding::node* n : nodes_) s.registers.push_back(n->registers);
    for (const std::vector<cell_id>& cells : cells_) {
      const auto last = [&](cell_id cell) { return written(chosen[cell]->last_write(), cell); };
      s.memory.push_back(cells.size() == 1 ? last(cells[0])
                                           : join_halves(last(cells[0]), last(cells[1])));
    }
    return s;
  }

  std::vector<memory_model> models_;
  enumerate_options options_;
  std::vector<outcome_counter> counters_;
  std::string limit_;
  std::uint64_t candidates_ = 0;

  std::vector<std::vector<cell_id>> cells_;  // by location
  cell_id cell_count_ = 0;

  std::vector<unfolding> unfoldings_;    // by thread
  std::vector<unfolding::node*> nodes_;  // by thread: the node for what its reads got so far
  std::vector<std::size_t> done_;        // by thread: how many events are in the candidate
  std::vector<std::size_t> last_;        // by thread: the index after its last event
  candidate candidate_;
  std::vector<event> events_;                      // as the program performs them
  std::vector<std::vector<std::size_t>> writers_;  // by cell, the initial one first
  unsigned spurious_ = 0;
};

}  // namespace

outcome_set enumerate(const program& p, memory_model model, const enumerate_options& options) {
  return enumeration(p, {model}, options).run().front();
}

std::array<outcome_set, all_models.size()> enumerate_all(const program& p,
                                                         const enumerate_options& options) {
  std::vector<outcome_set> all =
      enumeration(p, {all_models.begin(), all_models.end()}, options).run();
  std::array<outcome_set, all_models.size()> results;
  std::move(all.begin(), all.end(), results.begin());
  return results;
}

}  // namespace fencepost::litmus
