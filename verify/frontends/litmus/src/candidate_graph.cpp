#include "candidate_graph.hpp"

#include <algorithm>
#include <utility>

#include "strength.hpp"

namespace fencepost::litmus {

using axioms::candidate;
using axioms::cell_id;

candidate_graph::candidate_graph(const program& p) {
  for (const location& l : p.locations) {
    std::vector<cell_id> cells;
    for (int i = 0; i < (l.kind == location_kind::halves ? 2 : 1); ++i) {
      cells.push_back(candidate_.cells++);
    }
    cells_.push_back(std::move(cells));
  }
  writers_.resize(candidate_.cells);
  for (location_id l = 0; l < p.locations.size(); ++l) {
    push({.writes = true, .location = l, .written = p.locations[l].initial}, candidate::no_thread,
         {});
  }
}

void candidate_graph::push(const event& e, unsigned thread,
                           const std::vector<std::size_t>& sources) {
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

void candidate_graph::pop() {
  const candidate::event& last = candidate_.events.back();
  for (unsigned k = 0; last.writes && k < last.cell_count; ++k) writers_[last.cells[k]].pop_back();
  candidate_.events.pop_back();
  events_.pop_back();
}

std::vector<cell_id> candidate_graph::cells_of(location_id l, word_part part) const {
  const std::vector<cell_id>& all = cells_[l];
  if (part == word_part::low) return {all.front()};
  if (part == word_part::high) return {all.back()};
  return all;
}

value candidate_graph::written(std::size_t write, cell_id cell) const {
  const event& e = events_[write];
  if (e.part != word_part::whole || cells_[e.location].size() == 1) return e.written;
  return cell == cells_[e.location].front() ? low_half(e.written) : high_half(e.written);
}

std::size_t candidate_graph::source_of(std::size_t reader, cell_id cell) const {
  const candidate::event& e = candidate_.events[reader];
  return e.sources[e.cells[0] == cell ? 0 : 1];
}

bool candidate_graph::read_by_another_update(const event& e,
                                             const std::vector<std::size_t>& sources) const {
  const std::vector<cell_id> cells = cells_of(e.location, e.part);
  for (const candidate::event& other : candidate_.events) {
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

}  // namespace fencepost::litmus
