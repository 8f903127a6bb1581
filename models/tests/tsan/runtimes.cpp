#include <atomic>

#include "fencepost/models/faults.hpp"
#include "fencepost/models/fork_join_faults.hpp"
#include "fencepost/models/task_runner.hpp"
#include "fencepost/models/thread_pool_faults.hpp"
#include "planted_race.hpp"

namespace fencepost::models::planted {
namespace {

template <class Q>
using posted = task_runner_scenarios::post_against_poll<Q, task_runner_scenarios::runner>;
using relaxed_post = faults::weaker<P, faults::operation::bit_or, std::memory_order_release,
                                    std::memory_order_relaxed>;

}  // namespace

std::vector<race> in_runtimes() {
  return {
      plant<fork_join_faults::no_push_fence<P>, fork_join_scenarios::stolen_result<P>>(
          "fork_join", "no_push_fence"),
      plant<fork_join_faults::relaxed_completion<P>, fork_join_scenarios::stolen_result<P>>(
          "fork_join", "relaxed_completion"),
      plant<thread_pool_faults::relaxed_done<P>, thread_pool_scenarios::outside_waits<P>>(
          "thread_pool", "relaxed_done"),
      plant<posted<relaxed_post>, posted<P>>("task_runner", "relaxed_post"),
  };
}

}  // namespace fencepost::models::planted
