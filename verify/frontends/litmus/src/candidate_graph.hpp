// A candidate execution of a litmus test without its modification orders, as the enumerator builds
// it: events, and the writes that they read from.
#pragma once

#include <cstddef>
#include <vector>

#include "axioms/axioms.hpp"
#include "unfolding.hpp"

namespace fencepost::litmus {

class candidate_graph {
 public:
  static constexpr std::size_t max_events = axioms::event_set<1>::capacity;

  // Begins with the initial writes.
  explicit candidate_graph(const program&);

  // Appends an event of a thread, or removes the last one. `sources` has a write for each cell that
  // a read reads.
  void push(const event&, unsigned thread, const std::vector<std::size_t>& sources);
  void pop();

  [[nodiscard]] std::size_t size() const noexcept { return candidate_.size(); }
  [[nodiscard]] unsigned thread(std::size_t e) const { return candidate_.events[e].thread; }
  [[nodiscard]] const axioms::candidate& of_axioms() const noexcept { return candidate_; }

  // The cells of each location, and of a part of one.
  [[nodiscard]] const std::vector<std::vector<axioms::cell_id>>& cells() const { return cells_; }
  [[nodiscard]] std::vector<axioms::cell_id> cells_of(location_id, word_part) const;
  [[nodiscard]] std::size_t cell_count() const noexcept { return candidate_.cells; }

  // The writes to a cell, the initial one first.
  [[nodiscard]] const std::vector<std::size_t>& writers(axioms::cell_id cell) const {
    return writers_[cell];
  }
  // The value that a write leaves in a cell.
  [[nodiscard]] value written(std::size_t write, axioms::cell_id) const;
  // The write that a read of the cell reads from.
  [[nodiscard]] std::size_t source_of(std::size_t reader, axioms::cell_id) const;

  // True if another read-modify-write reads from one of these sources: the write of one would then
  // come between the read and the write of the other.
  [[nodiscard]] bool read_by_another_update(const event&,
                                            const std::vector<std::size_t>& sources) const;

 private:
  std::vector<std::vector<axioms::cell_id>> cells_;  // by location
  axioms::candidate candidate_;
  std::vector<event> events_;                      // as the program performs them
  std::vector<std::vector<std::size_t>> writers_;  // by cell
};

}  // namespace fencepost::litmus
