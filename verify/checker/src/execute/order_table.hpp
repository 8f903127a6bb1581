// Which places of the program's source were met, and what is done at each instead of what it asks
// for.
#pragma once

#include <array>
#include <utility>
#include <vector>

#include "fencepost/verify/orders.hpp"

namespace fencepost::verify {

class order_table {
 public:
  explicit order_table(std::vector<order_change> changes) : changes_(std::move(changes)) {}

  asked_for done_instead(const asked_for&, const source_location&);
  // Returns what the source asks for where this is done instead; null if it asks for this.
  [[nodiscard]] const asked_for* in_source(const asked_for& done, const source_location&) const;
  // Sorted by place.
  [[nodiscard]] std::vector<access_place> places() const;

 private:
  [[nodiscard]] asked_for changed(asked_for, const source_location&) const;
  struct entry {
    source_location where;
    asked_for asked;
    asked_for done;
  };
  std::vector<order_change> changes_;
  std::vector<access_place> places_;
  std::array<entry, 256> recent_{};  // each access looks here first: a program has few places
};

}  // namespace fencepost::verify
