// Promised reads as events of the execution, with the values that they get.
#pragma once

#include <cstdint>

#include "fencepost/verify/engine.hpp"
#include "fencepost/verify/explored_graph.hpp"
#include "fencepost/verify/orders.hpp"

namespace fencepost::verify {

struct requested_update {
  operation op;
  std::uint8_t size;
  order how;
  value operand;
  value (*custom)(value, value);
};

struct requested_exchange {
  value expected, desired;
  bool weak;
  order success, failure;
};

explored_event load_event(word, order, value read, source_location);
explored_event update_event(word, const requested_update&, value read, source_location);
explored_event exchange_event(word, const requested_exchange&, value read, bool spurious,
                              source_location);

}  // namespace fencepost::verify
