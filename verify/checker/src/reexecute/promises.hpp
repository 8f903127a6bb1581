// What is promised in a batch: the same in each of its starts.
#pragma once

#include <cstddef>
#include <vector>

#include "fencepost/verify/engine.hpp"
#include "fencepost/verify/explored_graph.hpp"
#include "reexecute/beginning.hpp"

namespace fencepost::verify {

// What a read gets from the future: for each field a promise, or null.
struct from_future {
  const promise* fields[2] = {};
  [[nodiscard]] bool any() const noexcept { return fields[0] != nullptr || fields[1] != nullptr; }
  [[nodiscard]] bool all_of(word w) const noexcept {
    return fields[0] != nullptr && (fields[1] != nullptr || !w.whole());
  }
};

class promises {
 public:
  explicit promises(const std::vector<promise>& all);

  [[nodiscard]] std::size_t size() const noexcept { return all_.size(); }
  [[nodiscard]] const promise& operator[](std::size_t i) const noexcept { return all_[i]; }
  [[nodiscard]] auto begin() const noexcept { return all_.begin(); }
  [[nodiscard]] auto end() const noexcept { return all_.end(); }

  // What is promised to this read.
  [[nodiscard]] from_future made_to(explored_name read) const noexcept;
  // The same promise for the other field, of a write to both.
  [[nodiscard]] const promise& for_other_field(const promise& p) const noexcept {
    return for_other_field_[number_of(p)];
  }
  // A promise for the other field has the number of the one that it comes from.
  [[nodiscard]] std::size_t number_of(const promise&) const noexcept;

 private:
  const std::vector<promise>& all_;
  std::vector<promise> for_other_field_;  // by number
};

}  // namespace fencepost::verify
