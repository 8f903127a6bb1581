#include "candidate_judge.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "fencepost/litmus/machine.hpp"

namespace fencepost::litmus {

using axioms::cell_id;
using verify::memory_model;

// A candidate under one definition of happens-before, and the models that use it.
struct candidate_judge::judged {
  const base_relations& base;
  const relation& hb;
  std::vector<std::size_t> models;
  const std::vector<unfolding::node*>& ends;
  bool race = false;
  bool load_buffering = false;
};

candidate_judge::candidate_judge(const program& p, std::vector<memory_model> models,
                                 const candidate_graph& graph)
    : graph_(graph), models_(std::move(models)) {
  for (std::size_t i = 0; i < models_.size(); ++i) counters_.emplace_back(p);
}

void candidate_judge::judge(const std::vector<unfolding::node*>& ends) {
  const base_relations base(graph_.of_axioms());
  const relation hb11 = axioms::happens_before(base, true);
  const relation hb20 = axioms::happens_before(base, false);
  std::vector<std::size_t> with_hb11, with_hb20;
  for (std::size_t m = 0; m < models_.size(); ++m) {
    (models_[m] == memory_model::rc11 ? with_hb11 : with_hb20).push_back(m);
  }
  if (hb11 == hb20) {
    with_hb20.insert(with_hb20.end(), with_hb11.begin(), with_hb11.end());
    with_hb11.clear();
  }
  if (!with_hb11.empty()) judge_under({base, hb11, std::move(with_hb11), ends});
  if (!with_hb20.empty()) judge_under({base, hb20, std::move(with_hb20), ends});
}

void candidate_judge::judge_under(const judged& given) {
  std::vector<std::vector<ordered_cell>> possible(graph_.cell_count());
  for (cell_id cell = 0; cell < possible.size(); ++cell) {
    const std::vector<std::size_t>& writers = graph_.writers(cell);
    std::vector<std::size_t> order(1, writers.front());
    std::vector<std::size_t> rest(writers.begin() + 1, writers.end());
    order_writes(given, cell, order, rest, possible[cell]);
    if (possible[cell].empty()) return;
  }
  judged j = given;
  j.race = axioms::has_race(graph_.of_axioms(), j.base, j.hb);
  j.load_buffering = axioms::has_load_buffering_race(graph_.of_axioms(), j.base, j.hb);
  std::vector<const ordered_cell*> chosen;
  choose(j, possible, chosen);
}

// Finds all coherent permutations of `rest` after `order`. Two rules are checked as each write is
// placed: writes that happen before it come before it, and a read-modify-write comes immediately
// after the write that it reads from.
void candidate_judge::order_writes(const judged& j, cell_id cell, std::vector<std::size_t>& order,
                                   std::vector<std::size_t>& rest,
                                   std::vector<ordered_cell>& possible) const {
  if (rest.empty()) {
    ordered_cell o(graph_.of_axioms(), j.base, cell, order);
    if (o.coherent(j.base, j.hb)) possible.push_back(std::move(o));
    return;
  }
  for (std::size_t i = 0; i < rest.size(); ++i) {
    const std::size_t w = rest[i];
    if (std::any_of(rest.begin(), rest.end(), [&](std::size_t r) { return j.hb.has(r, w); })) {
      continue;
    }
    if (j.base.updates.has(w) && graph_.source_of(w, cell) != order.back()) continue;
    order.push_back(w);
    rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(i));
    order_writes(j, cell, order, rest, possible);
    rest.insert(rest.begin() + static_cast<std::ptrdiff_t>(i), w);
    order.pop_back();
  }
}

// Combines the modification orders of the cells in every way.
void candidate_judge::choose(const judged& j,
                             const std::vector<std::vector<ordered_cell>>& possible,
                             std::vector<const ordered_cell*>& chosen) {
  if (chosen.size() == possible.size()) {
    count(j, chosen);
    return;
  }
  for (const ordered_cell& o : possible[chosen.size()]) {
    chosen.push_back(&o);
    choose(j, possible, chosen);
    chosen.pop_back();
  }
}

// Counts the execution under each model that allows it.
void candidate_judge::count(const judged& j, const std::vector<const ordered_cell*>& chosen) {
  axioms::ordered_cells<1> cells(j.base.n);
  for (const ordered_cell* cell : chosen) cells.add(*cell);
  if (axioms::tears(graph_.of_axioms(), cells)) return;
  const auto stray =
      std::find_if(j.ends.begin(), j.ends.end(), [](const auto* n) { return n->strays; });
  const bool cut = std::any_of(j.ends.begin(), j.ends.end(), [](const auto* n) { return n->cut; });
  std::optional<bool> psc;
  std::optional<final_state> state;
  for (const std::size_t m : j.models) {
    if (models_[m] == memory_model::cpp20) {
      if (!axioms::single_order_exists(j.base, j.hb, cells)) continue;
    } else {
      if (!psc) psc = axioms::psc_acyclic(j.base, j.hb, cells);
      if (!*psc) continue;
    }
    if (j.load_buffering) counters_[m].add_load_buffering();
    if (stray != j.ends.end()) {
      if (limit_.empty()) limit_ = stray_message(static_cast<unsigned>(stray - j.ends.begin()));
    } else if (cut) {
      counters_[m].add_cut();
    } else {
      if (!state) state = end(j, chosen);
      counters_[m].add(*state, j.race);
    }
  }
}

final_state candidate_judge::end(const judged& j,
                                 const std::vector<const ordered_cell*>& chosen) const {
  final_state s;
  for (const unfolding::node* n : j.ends) s.registers.push_back(n->registers);
  for (const std::vector<cell_id>& cells : graph_.cells()) {
    const auto last = [&](cell_id cell) {
      return graph_.written(chosen[cell]->last_write(), cell);
    };
    s.memory.push_back(cells.size() == 1 ? last(cells[0])
                                         : join_halves(last(cells[0]), last(cells[1])));
  }
  return s;
}

}  // namespace fencepost::litmus
