#include "source/ordering_labels.hpp"

#include <algorithm>

namespace fencepost::cli {

const order_label* labelled_source::label_of(std::size_t operation) const noexcept {
  const auto found = std::find_if(labels.begin(), labels.end(),
                                  [&](const order_label& l) { return l.operation == operation; });
  return found == labels.end() ? nullptr : &*found;
}

const order_label* labelled_source::find(std::string_view label) const noexcept {
  const auto found = std::find_if(labels.begin(), labels.end(),
                                  [&](const order_label& l) { return l.name == label; });
  return found == labels.end() ? nullptr : &*found;
}

}  // namespace fencepost::cli
