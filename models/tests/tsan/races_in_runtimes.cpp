#include <atomic>

#include "fencepost/models/fork_join/claims.hpp"
#include "fencepost/models/orders/with_order.hpp"
#include "fencepost/models/strand/claims.hpp"
#include "fencepost/models/task_runner/claims.hpp"
#include "fencepost/models/thread_pool/claims.hpp"
#include "planted_race.hpp"

namespace fencepost::models::planted {
namespace {

// The owner does not continue before the task has begun, so that it is always stolen.
template <class Q>
struct stolen_task {
  fork_join_scenarios::small_core<Q> pool{2, false};
  typename Q::template plain<unsigned> before{0u}, during{0u};
  typename Q::template atomic<bool> begun{false};
  void thread(unsigned index) {
    if (index == 1) return pool.work(pool.at(1));
    auto& me = pool.at(0);
    before.set(1);
    auto task = me.spawn([this](fork_join_scenarios::worker_of<Q>&) noexcept {
      begun.store(true, std::memory_order_relaxed);
      during.set(before.get() + 1);
    });
    while (!begun.load(std::memory_order_relaxed)) Q::spin_pause();
    me.sync(task);
    require(during.get() == 2, "what the task wrote is visible");
    pool.close();
  }
};
using no_push_fence = with_order<policy, "tail_split.hpp:push.fence=removed">;

template <class Q>
using posted = task_runner_scenarios::post_against_poll<Q, task_runner_scenarios::runner>;
using relaxed_post = with_order<policy, "ticket_queue.hpp:publish=relaxed">;

template <class Q>
using two_tasks = strand_scenarios::one_after_the_other<Q>;
using relaxed_rest = with_order<policy, "strand_core.hpp:rest=relaxed">;

}  // namespace

std::vector<race> in_runtimes() {
  return {
      plant<stolen_task<no_push_fence>, stolen_task<policy>>("fork_join", "no_push_fence"),
      plant<
          thread_pool_scenarios::outside_waits<with_order<policy, "waitable_job.hpp:done=relaxed">>,
          thread_pool_scenarios::outside_waits<policy>>("thread_pool", "relaxed_done"),
      plant<two_tasks<relaxed_rest>, two_tasks<policy>>("strand", "relaxed_rest"),
      plant<posted<relaxed_post>, posted<policy>>("task_runner", "relaxed_post"),
  };
}

}  // namespace fencepost::models::planted
