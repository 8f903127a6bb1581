// The three models, as their definitions read.
//
// A word of halves has two cells, any other location one. Reads-from, modification order and
// from-read are relations of a cell; an access to the whole word takes part in both of its cells.
#pragma once

#include <vector>

#include "fencepost/verify/result.hpp"
#include "relation.hpp"
#include "unfolding.hpp"

namespace fencepost::litmus {

using cell_id = std::size_t;

// A candidate before its modification orders are chosen. Events of one thread stand in program
// order; initial writes come first and belong to no thread.
struct candidate {
  static constexpr unsigned no_thread = ~0U;

  std::vector<event> events;
  std::vector<unsigned> threads;
  std::vector<std::vector<cell_id>> cells;  // that an event accesses
  std::vector<relation> rf;                 // by cell

  std::size_t size() const noexcept { return events.size(); }
};

// What does not depend on the modification orders.
struct base_relations {
  explicit base_relations(const candidate&);

  std::size_t n;
  event_set all = 0, reads = 0, writes = 0, fences = 0;
  event_set atomic = 0;  // relaxed or stronger
  event_set acquire = 0, release = 0, sc = 0;
  event_set updates = 0;  // successful read-modify-writes
  event_set initial = 0;
  relation sb, loc, rf;  // loc: both access some cell; rf: of all cells
};

// Happens-before. C++11's release sequences contain later stores of the same thread.
relation happens_before(const base_relations&, bool same_thread_release_sequences);

bool has_race(const candidate&, const base_relations&, const relation& hb);

// One cell, with a modification order.
struct ordered_cell {
  ordered_cell(const candidate&, cell_id, const std::vector<std::size_t>& writes);

  bool coherent(const base_relations&, const relation& hb) const;  // and atomic

  relation rf, mo, rb, eco;
  std::vector<std::size_t> order;  // the writes, the initial one first
};

// Orders of all cells, each coherent. `tears` says whether two whole-word accesses see the halves
// of one word in different orders.
bool tears(const candidate&, const base_relations&, const std::vector<const ordered_cell*>&);
bool psc_acyclic(const base_relations&, const relation& hb,
                 const std::vector<const ordered_cell*>&);
bool single_order_exists(const base_relations&, const relation& hb,
                         const std::vector<const ordered_cell*>&);

}  // namespace fencepost::litmus
