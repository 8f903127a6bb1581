// The consistency model: which sources a read may have, where a write may stand, and whether a
// graph is consistent.
//
// Additions are consistent by construction, but for the order of sequentially consistent events:
// a source is taken from between the lowest write that coherence allows and the latest one, a
// read-modify-write's write stands right behind its source. An event that reads and writes last in
// modification order has no successors in any of the relations, so it can close no cycle; only a
// choice that is not the latest needs acyclic().
#pragma once

#include <algorithm>

#include "fencepost/verify/result.hpp"
#include "graph.hpp"

namespace fencepost::verify {

constexpr bool acquires(order o) noexcept {
  return o == order::acquire || o == order::acq_rel || o == order::seq_cst;
}
constexpr bool releases(order o) noexcept {
  return o == order::release || o == order::acq_rel || o == order::seq_cst;
}

class consistency {
 public:
  consistency(graph& g, memory_model m) : graph_(g), model_(m) {}

  // Computes the values and the views of an event from its sources.
  void settle(event_id);

  // The lowest place in modification order that coherence leaves to the event: of what it reads,
  // or of what its write must stand behind.
  [[nodiscard]] unsigned lowest(event_id id, unsigned field) const {
    const event& e = graph_.at(id);
    const unsigned low = lowest(e.loc[field], graph_.before(id).hb);
    return e.looks == look_for::nothing ? low : std::max(low, lowest_look(id));
  }

  // The same for a location and what happens before.
  [[nodiscard]] unsigned lowest(location, const clock& hb) const;
  // The latest write of those that happen before.
  [[nodiscard]] unsigned last_write(location, const clock& hb) const;

  // Would the fields of this whole-word read belong to different whole-word writes, or be seen in
  // another order by another whole-word read?
  [[nodiscard]] bool torn_read(event_id) const;
  // Does what the read acquires, of a word of two fields, forbid a source that it has?
  [[nodiscard]] bool outdated(event_id) const;
  // The same for a whole-word write that has just been linked.
  [[nodiscard]] bool torn_write(event_id) const;

  // psc (rc20, rc11), or the constraints on the order S (c++20), after `changed` got a source or a
  // place that is not the latest.
  [[nodiscard]] bool acyclic(event_id changed) const;
  [[nodiscard]] bool acyclic() const;

  // Does a plain access conflict with an access that is not ordered by happens-before? Returns it.
  [[nodiscard]] bool races(event_id, event_id& other) const;

 private:
  [[nodiscard]] unsigned lowest_look(event_id) const;
  template <unsigned Words>
  [[nodiscard]] bool acyclic(const std::vector<event_id>& nodes) const;
  // The same for many events, in time that grows with their number (sparse_order.cpp).
  [[nodiscard]] bool sparsely_acyclic(const std::vector<event_id>& nodes) const;
  void collect_sc() const;
  static bool share_place(const event&, const event&);
  bool through_other_places(event_id x, event_id y) const;

  graph& graph_;
  memory_model model_;
  bool words_ = false;  // a word of two fields has been read
  mutable std::vector<event_id> nodes_;
};

}  // namespace fencepost::verify
