// The order of sequentially consistent events: psc (rc20, rc11), or the constraints on the order S
// (c++20). Whether there is one.
#pragma once

#include <vector>

#include "fencepost/verify/result.hpp"
#include "graph/graph.hpp"

namespace fencepost::verify {

class seq_cst_order {
 public:
  seq_cst_order(const graph& g, memory_model m) : graph_(g), model_(m) {}

  // After `changed` got a source or a position that is not the latest.
  [[nodiscard]] bool exists(event_id changed) const;
  [[nodiscard]] bool exists() const;

 private:
  template <unsigned Words>
  class dense;

  void collect() const;
  // The same for many events, in time that grows with their number (sparse_order.cpp).
  [[nodiscard]] bool exists_sparsely() const;
  // Program order to another location, happens-before, program order from another location.
  [[nodiscard]] bool through_other_locations(event_id x, event_id y) const;

  const graph& graph_;
  memory_model model_;
  mutable std::vector<event_id> nodes_;  // by thread and index
};

}  // namespace fencepost::verify
