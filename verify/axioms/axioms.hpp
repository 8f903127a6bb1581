// The three models, as their definitions read. Two programs judge executions by them: the
// enumerator of litmus tests, and the recheck of what the explorer has explored. Nothing here is
// shared with the explorer.
//
// A word of two fields has two cells, any other location one. Reads-from, modification order and
// from-read are relations of a cell; an access to the whole word takes part in both of its cells.
#pragma once

#include <array>
#include <cstdint>
#include <set>
#include <utility>
#include <vector>

#include "relation.hpp"

namespace fencepost::axioms {

using cell_id = std::size_t;

enum class strength : std::uint8_t { plain, relaxed, acquire, release, acq_rel, seq_cst };

constexpr bool is_acquire(strength s) noexcept {
  return s == strength::acquire || s == strength::acq_rel || s == strength::seq_cst;
}
constexpr bool is_release(strength s) noexcept {
  return s == strength::release || s == strength::acq_rel || s == strength::seq_cst;
}

enum class event_kind : std::uint8_t { access, fence, other };  // other: a thread's begin, a join

// An execution without its modification orders. Events of one thread come in program order; initial
// writes come first and belong to no thread.
struct candidate {
  static constexpr unsigned no_thread = ~0U;

  struct event {
    event_kind kind = event_kind::other;
    bool reads = false;
    bool writes = false;
    strength order = strength::plain;
    unsigned thread = no_thread;
    unsigned cell_count = 0;
    std::array<cell_id, 2> cells = {};        // that an access accesses
    std::array<std::size_t, 2> sources = {};  // by cell: the write that a read reads from
  };

  std::vector<event> events;
  std::size_t cells = 0;  // how many there are
  // From the creation of a thread to its begin, and from its end to the join.
  std::vector<std::pair<std::size_t, std::size_t>> synchronized;

  std::size_t size() const noexcept { return events.size(); }
};

// What does not depend on the modification orders.
template <std::size_t Words>
struct base_relations {
  using set = event_set<Words>;

  explicit base_relations(const candidate&);

  std::size_t n;
  set all, reads, writes, fences;
  set atomic;  // relaxed or stronger
  set acquire, release, sc;
  set updates;  // successful read-modify-writes
  set initial;
  std::vector<set> of_cell;                   // its accesses
  relation<Words> sb, loc, rf;                // loc: both access some cell; rf: of all cells
  relation<Words> additionally_synchronizes;  // candidate::synchronized
};

// Happens-before. C++11's release sequences contain later stores of the same thread.
template <std::size_t Words>
relation<Words> happens_before(const base_relations<Words>&, bool same_thread_release_sequences);

template <std::size_t Words>
bool has_race(const candidate&, const base_relations<Words>&, const relation<Words>& hb);

// Whether sb ∪ rf leads from a read to a write of its cell that it does not happen before, by way
// of a store of the read's thread that no acquire, release or fence keeps behind the read; unless
// by coherence the store precedes what the read would read. See verify::load_buffering_race.
template <std::size_t Words>
bool has_load_buffering_race(const candidate&, const base_relations<Words>&,
                             const relation<Words>& hb);
// All of them, by the read and the write.
template <std::size_t Words>
std::set<std::pair<std::size_t, std::size_t>> load_buffering_races(const candidate&,
                                                                   const base_relations<Words>&,
                                                                   const relation<Words>& hb);

// One cell, with a modification order: the writes, the initial one first. Its relations are small:
// they number the cell's accesses by their index in `members`.
template <std::size_t Words>
struct ordered_cell {
  ordered_cell(const candidate&, const base_relations<Words>&, cell_id,
               const std::vector<std::size_t>& writes);

  // True if the cell is coherent, and atomic: no write comes between a read-modify-write and what
  // it reads.
  bool coherent(const base_relations<Words>&, const relation<Words>& hb) const;
  std::size_t last_write() const { return members[write_count - 1]; }

  std::vector<std::size_t> members;  // events: the writes in modification order, then the reads
  std::size_t write_count;
  relation<Words> rf{0}, mo{0}, rb{0}, eco{0};
};

// The relations of all cells, on events.
template <std::size_t Words>
struct ordered_cells {
  explicit ordered_cells(std::size_t n) : mo(n), rb(n), eco(n) {}
  void add(const ordered_cell<Words>&);

  relation<Words> mo, rb, eco;
};

// The cells are coherent, each for itself. tears(): whether two whole-word accesses see the fields
// of one word in different orders.
template <std::size_t Words>
bool tears(const candidate&, const ordered_cells<Words>&);
template <std::size_t Words>
bool psc_acyclic(const base_relations<Words>&, const relation<Words>& hb,
                 const ordered_cells<Words>&);
template <std::size_t Words>
bool single_order_exists(const base_relations<Words>&, const relation<Words>& hb,
                         const ordered_cells<Words>&);

// The instances that are defined: for up to 64 × Words events each.
#define FENCEPOST_EACH_WIDTH(X) X(1) X(2) X(4) X(8) X(16) X(32)
inline constexpr std::size_t most_words = 32;

}  // namespace fencepost::axioms
