// The consistency model: which sources a read may have, where in modification order a write may be
// placed, and whether a graph is consistent.
//
// Additions are consistent by construction, except for the order of sequentially consistent events:
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

// The value that a read-modify-write of `size` bytes writes.
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

  // The same for a location, with the events that happen before.
  [[nodiscard]] unsigned lowest(location, const clock& hb) const;
  // The position of the latest write among those that happen before.
  [[nodiscard]] unsigned last_write(location, const clock& hb) const;

  // True for a whole-word read whose fields belong to different whole-word writes, or are seen in
  // another order by another whole-word read.
  [[nodiscard]] bool torn_read(event_id id) const {
    return graph_.at(id).fields() == 2 && fields_torn_by_read(id);
  }
  // The same for a whole-word write that has just been linked.
  [[nodiscard]] bool torn_write(event_id id) const {
    return graph_.at(id).fields() == 2 && fields_torn_by_write(id);
  }
  // True if what the read acquires rules out its own source: possible only with words of two
  // fields.
  [[nodiscard]] bool outdated(event_id) const;

  // True if the sequentially consistent events can be ordered, after the event got a source, a
  // position or an order that it did not have before. See seq_cst_order.
  [[nodiscard]] bool acyclic(event_id changed) { return order_.exists(changed); }

  static constexpr const char* race =
      "a plain access and another one to the same location are not ordered by happens-before";
  // True if the event conflicts with an access, `other`, that is not ordered by happens-before, and
  // one of the two is plain.
  [[nodiscard]] bool races(event_id, event_id& other) const;
  // True if any access of the graph races.
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
