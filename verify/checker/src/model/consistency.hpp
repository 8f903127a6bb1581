// The consistency model: which sources a read may have, where in modification order a write may be
// placed, and whether a graph is consistent.
//
// Additions are consistent by construction, but for the order of sequentially consistent events:
// a source is taken from between the lowest write that coherence allows and the latest one, a
// read-modify-write's write comes right after its source. An event that reads and writes last in
// modification order has no successors in any of the relations, so it can close no cycle; only a
// choice that is not the latest needs acyclic().
#pragma once

#include <algorithm>

#include "fencepost/verify/result.hpp"
#include "graph/graph.hpp"
#include "model/seq_cst_order.hpp"

namespace fencepost::verify {

constexpr bool acquires(order o) noexcept {
  return o == order::acquire || o == order::acq_rel || o == order::seq_cst;
}
constexpr bool releases(order o) noexcept {
  return o == order::release || o == order::acq_rel || o == order::seq_cst;
}

// What a read-modify-write of so many bytes makes of the value that it reads.
value modified(operation, unsigned size, value old, value operand,
               value (*custom)(value, value)) noexcept;

class consistency {
 public:
  consistency(graph& g, memory_model m) : graph_(g), model_(m), order_(g, m) {}

  // Computes the values and the views of an event from its sources.
  void update_views(event_id);

  // The minimal coherent position in modification order: of what the event reads, or of what its
  // write must come after.
  [[nodiscard]] unsigned lowest(event_id id, unsigned field) const {
    const event& e = graph_.at(id);
    const unsigned low = lowest(e.loc[field], graph_.before(id).hb);
    return e.looks == look_for::nothing ? low : std::max(low, lowest_look(id));
  }

  // The same for a location and what happens before.
  [[nodiscard]] unsigned lowest(location, const clock& hb) const;
  // The latest write of those that happen before.
  [[nodiscard]] unsigned last_write(location, const clock& hb) const;

  // A whole-word read: would its fields belong to different whole-word writes, or be seen in
  // another order by another whole-word read?
  [[nodiscard]] bool torn_read(event_id id) const {
    return graph_.at(id).fields() == 2 && fields_torn_by_read(id);
  }
  // The same for a whole-word write that has just been linked.
  [[nodiscard]] bool torn_write(event_id id) const {
    return graph_.at(id).fields() == 2 && fields_torn_by_write(id);
  }
  // Does what the read acquires, of a word of two fields, forbid a source that it has?
  [[nodiscard]] bool outdated(event_id) const;

  // Can the sequentially consistent events be ordered, after the event got a source, a position or
  // an order that it did not have before? See seq_cst_order.
  [[nodiscard]] bool acyclic(event_id changed) { return order_.exists(changed); }

  static constexpr const char* race =
      "a plain access and another one to the same location are not ordered by happens-before";
  // Does a plain access conflict with an access that is not ordered by happens-before? Returns it.
  [[nodiscard]] bool races(event_id, event_id& other) const;
  // Does any access of the graph?
  [[nodiscard]] bool has_race() const;

 private:
  [[nodiscard]] bool may_synchronize(const event&) const;
  [[nodiscard]] unsigned lowest_look(event_id) const;
  [[nodiscard]] bool fields_torn_by_read(event_id) const;
  [[nodiscard]] bool fields_torn_by_write(event_id) const;

  graph& graph_;
  memory_model model_;
  seq_cst_order order_;
  bool words_ = false;  // a word of two fields has been read
};

}  // namespace fencepost::verify
