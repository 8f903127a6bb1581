// Claims of the event count about waits with a deadline.
#pragma once

#include "fencepost/models/event_count/work_pile.hpp"
#include "fencepost/scenario/scenario.hpp"
#include "fencepost/sync/event_count.hpp"

namespace fencepost::models::event_count_scenarios {

// There is one item. Thread 1 takes none: either it passes on the wake, or it reports a timeout,
// and then thread 2 must have been woken.
template <class P, template <class> class EventCount>
struct timeout_leaves_nothing_behind {
  static constexpr auto about =
      scenario{.name = "event_count/timeout_leaves_nothing_behind",
               .threads = 3,
               .claim = "a wait that times out reports it, and consumes no other waiter's wake-up",
               .spurious_wakeups = 0,
               .timeouts = 1};
  EventCount<P> idle;
  work_pile<P> pile;
  void thread(unsigned index) {
    if (index == 0) {
      pile.add();
      idle.notify_one();
    } else if (index == 1) {
      if (idle.await([&] { return pile.any(); }, deadline{})) idle.notify_one();
    } else {
      idle.await([&] { return pile.take() != 0; });
    }
  }
  void after() {
    require(!pile.any(), "no work is left");
    require(idle.sleepers() == 0, "only sleeping threads are counted");
  }
};

// No thread wakes the waiter, so it sleeps until the deadline; its condition holds at its third
// look, the one after the deadline.
template <class P, template <class> class EventCount>
struct ready_at_the_deadline {
  static constexpr auto about =
      scenario{.name = "event_count/ready_at_the_deadline",
               .threads = 1,
               .claim = "a condition that holds at the deadline is reported as ready",
               .spurious_wakeups = 0,
               .timeouts = 1};
  EventCount<P> idle;
  unsigned looks = 0;
  void thread(unsigned) {
    const bool ready = idle.await([&] { return ++looks == 3; }, deadline{});
    require(ready && looks == 3, "the condition is reported as ready");
    require(idle.sleepers() == 0, "only sleeping threads are counted");
  }
};

}  // namespace fencepost::models::event_count_scenarios
