// A strand with weaker orders, or other steps: scenarios that must be violated.
#pragma once

#include "fencepost/models/orders/order_fault.hpp"
#include "fencepost/models/strand/claims.hpp"
#include "fencepost/models/strand/tasks.hpp"
#include "fencepost/models/undisturbed.hpp"
#include "fencepost/scenario/scenario.hpp"
#include "fencepost/scenario/scenario_list.hpp"

namespace fencepost::models {

namespace strand_faults {

// A thread that finds the strand busy treats its task as accepted, but the pool refuses the thread
// that is to hand over the turn.
template <class P>
struct posted_without_rundown {
  static constexpr auto about =
      undisturbed({.name = "strand/posted_without_rundown",
                   .threads = 2,
                   .claim = "if a pool may be closed between the post of a task and the submission "
                            "of the turn, another thread's task is lost",
                   .expected = violation::assertion});
  pool_core<P> pool{1, thread_pool_scenarios::at_once};
  strand_scenarios::turns_of_a_worker<P> turns{pool};
  typename P::template plain<unsigned> seen{0u};
  strand_scenarios::numbered_task<P> tasks[2] = {{seen, 1}, {seen, 2}};
  bool accepted[2] = {};
  void thread(unsigned index) {
    accepted[index] = !turns.core.put(tasks[index]) || pool.inject(turns);
    if (index == 1) pool.close();
  }
  void after() {
    pool.work(pool.at(0));
    require(!accepted[1] || seen.get() != 0, "an accepted task has run");
  }
};

}  // namespace strand_faults

using strand_faults_list = scenario_list<
    order_fault<"strand/put_without_release", strand_scenarios::one_after_the_other,
                "strand_core.hpp:put=acquire", violation::data_race,
                "if a post does not release, the turn does not find the task">::on,
    order_fault<
        "strand/put_without_acquire", strand_scenarios::one_after_the_other,
        "strand_core.hpp:put=release", violation::data_race,
        "if a post does not acquire, the turn that it submits races with the previous one">::on,
    order_fault<"strand/take_without_acquire", strand_scenarios::one_after_the_other,
                "strand_core.hpp:take=relaxed", violation::data_race,
                "if a turn does not acquire, it does not find the tasks">::on,
    order_fault<"strand/rest_without_release", strand_scenarios::one_after_the_other,
                "strand_core.hpp:rest=relaxed", violation::data_race,
                "if the end of a turn does not release, the next turn races with its tasks">::on,
    order_fault<"strand/destroyed_without_release", strand_scenarios::handle_goes_before_the_tasks,
                "strand_core.hpp:rest=relaxed", violation::data_race,
                "if the end of a turn does not release, the strand is destroyed under it">::on,
    order_fault<"strand/destroyed_without_acquire", strand_scenarios::handle_goes_before_the_tasks,
                "strand_core.hpp:end.look=relaxed", violation::data_race,
                "if the owner does not acquire, it destroys the strand under its last turn">::on,
    order_fault<"strand/ended_without_release", strand_scenarios::handle_goes_before_the_tasks,
                "strand_core.hpp:end=relaxed", violation::data_race,
                "if the owner does not release, the last turn does not find the mark's link">::on,
    strand_faults::posted_without_rundown>;

}  // namespace fencepost::models
