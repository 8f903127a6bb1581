// Litmus tests with many more events.
#pragma once

#include <string>

#include "fencepost/litmus/program.hpp"

namespace fencepost::litmus::testing {

// Adds sequentially consistent stores that no other thread can observe before and after each
// thread's body: the explorer's search for cycles passes through them.
inline program lengthened(program p) {
  const std::size_t each = 300 / p.threads.size();
  for (thread& t : p.threads) {
    p.locations.push_back({"own" + std::to_string(p.locations.size())});
    store own;
    own.to = static_cast<location_id>(p.locations.size() - 1);
    own.what = constant(1);
    own.order = access_order::seq_cst;
    t.body.insert(t.body.begin(), each, statement{own});
    t.body.push_back(statement{own});
  }
  return p;
}

}  // namespace fencepost::litmus::testing
