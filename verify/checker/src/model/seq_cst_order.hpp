// Whether the sequentially consistent events can be ordered: by psc (rc20, rc11), or by the
// constraints on the order S (c++20).
//
// The order relates the sequentially consistent accesses and fences, by happens-before and through
// eco (reads-from, modification order, from-reads): a path through eco from one access to another
// begins at the first one, if it is sequentially consistent, and at all fences that happen before
// it, and ends at the second one and at all fences that it happens before. Every cycle goes through
// eco, so happens-before alone matters only between accesses.
#pragma once

#include <cstdint>
#include <vector>

#include "fencepost/verify/result.hpp"
#include "graph/graph.hpp"

namespace fencepost::verify {

class seq_cst_order {
 public:
  seq_cst_order(const graph& g, memory_model m)
      : graph_(g), standard_(m == memory_model::cpp20), reached_(max_threads) {}

  // True if no cycle is closed by what comes after this event in eco.
  // If it is true for each event that has got a source, a position or an order that it did not have
  // before, the graph has an order, provided that all other events had one without these and none
  // of them happens after these: a path into a changed event then continues from there through eco.
  [[nodiscard]] bool exists(event_id changed);

 private:
  // The events of a thread that are reached: those from here on.
  struct suffix {
    unsigned left = 0;    // index of the first whose successors in eco are reached from a fence
    unsigned fence = 0;   // position of the first fence, among those of the thread
    unsigned access = 0;  // index of the first sequentially consistent access
    unsigned fences_done = 0, accesses_done = 0;
  };
  // Positions in modification order: of the first write that is reached, and of the first one whose
  // readers are reached.
  struct above {
    std::uint64_t search = 0;  // the search in which it was reached
    std::size_t writes = 0, readers = 0;
  };

  // True by the text of the standard; in psc, reads-from orders only fences.
  [[nodiscard]] bool reads_from_orders_accesses() const noexcept { return standard_; }
  void begin(event_id goal);
  [[nodiscard]] bool is_behind_fence(event_id) const;
  [[nodiscard]] bool leads_to_goal();
  void leave(event_id, bool to_readers);
  void reach_above(location, std::size_t writes, std::size_t readers);
  void reach(event_id, bool by_reading);
  void reach_access(event_id);
  void go_on_from_fence(unsigned thread);
  void go_on_from_accesses(unsigned thread);
  void go_on_by_hb(event_id x);
  [[nodiscard]] bool happens_before(event_id x, event_id y) const;
  [[nodiscard]] bool through_other_locations(event_id x, event_id y) const;

  const graph& graph_;
  const bool standard_;  // the text of the standard, not psc
  std::vector<suffix> reached_;
  std::vector<above> above_;  // by location
  std::uint64_t search_ = 0;
  std::uint64_t fences_to_do_ = 0, accesses_to_do_ = 0;  // threads, a bit each
  event_id goal_ = 0;
  bool itself_ = false;  // a cycle may close at the goal, not only at a fence before it
  bool found_ = false;
};

}  // namespace fencepost::verify
