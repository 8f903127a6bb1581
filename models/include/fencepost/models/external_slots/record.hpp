// A record that counts how often it was taken.
#pragma once

namespace fencepost::models::external_slots_scenarios {

template <class P>
struct record {
  typename P::template plain<unsigned> times{0};
};

}  // namespace fencepost::models::external_slots_scenarios
