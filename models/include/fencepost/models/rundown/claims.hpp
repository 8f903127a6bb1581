// The claims of a rundown. The scenarios in faults.hpp must be violated.
#pragma once

#include <memory>

#include "fencepost/scenario/scenario.hpp"
#include "fencepost/scenario/scenario_list.hpp"
#include "fencepost/sync/rundown.hpp"

namespace fencepost::models {

namespace rundown_scenarios {

// Two threads that try to enter, each for its own half of what the rundown guards.
template <class P>
struct nobody_inside_after_close {
  static constexpr auto about = scenario{.name = "rundown/nobody_inside_after_close",
                                         .threads = 3,
                                         .claim =
                                             "once close() returns no thread is inside, and "
                                             "everything done inside happens before the return",
                                         .symmetric = {.first = 0, .count = 2}};
  rundown<P> entrance;
  typename P::template plain<unsigned> inside[2] = {typename P::template plain<unsigned>{0u},
                                                    typename P::template plain<unsigned>{0u}};
  bool entered[2] = {};
  void thread(unsigned index) {
    if (index == 2) {
      entrance.close();
      for (auto& side : inside) side.set(side.get() + 10);
      return;
    }
    entered[index] = entrance.try_enter();
    if (entered[index]) {
      inside[index].set(inside[index].get() + 1);
      entrance.leave();
    }
  }
  void after() {
    for (unsigned index = 0; index < 2; ++index) {
      require(inside[index].get() == (entered[index] ? 11 : 10),
              "the thread that was let in came first");
    }
    require(!entrance.try_enter(), "the rundown stays closed");
  }
};

template <class P>
struct destroyed_when_closed {
  static constexpr auto about = scenario{
      .name = "rundown/destroyed_when_closed",
      .threads = 2,
      .claim =
          "once close() returns the rundown may be destroyed, though leave() has not returned"};
  std::unique_ptr<rundown<P>> entrance = std::make_unique<rundown<P>>();
  rundown<P>* const seen = entrance.get();
  void before() { require(seen->try_enter(), "the rundown is open"); }
  void thread(unsigned index) {
    if (index == 0) {
      seen->leave();
    } else {
      entrance->close();
      entrance.reset();
    }
  }
};

}  // namespace rundown_scenarios

using rundown_claims_list = scenario_list<rundown_scenarios::nobody_inside_after_close,
                                          rundown_scenarios::destroyed_when_closed>;

}  // namespace fencepost::models
