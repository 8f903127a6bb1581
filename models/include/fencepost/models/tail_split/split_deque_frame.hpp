// Claims of the split deque about a frame, in which its owner starts over above its tasks.
#pragma once

#include "fencepost/deque/tail_split.hpp"
#include "fencepost/models/tail_split/split_deque_name.hpp"
#include "fencepost/scenario/scenario.hpp"
#include "fencepost/scenario/scenario_name.hpp"
#include "fencepost/sync/barrier.hpp"

namespace fencepost::models::tail_split_scenarios {

// The owner and a thief meet before and after a frame; outside it there is one task to steal.
template <class P, template <class> class Word>
struct frame_hides_and_gives_back {
  static constexpr auto about =
      scenario{.name = scenario_name<component<Word>, "frame_hides_and_gives_back">,
               .threads = 2,
               .claim =
                   "a frame hides earlier tasks, its own can be stolen, and the earlier ones "
                   "return at its end"};
  using deque_type = tail_split<unsigned, P, Word>;
  deque_type deque{3};
  barrier<P, barrier_options{.counts_leavers = false}> meeting{2, spin_for_ever};
  unsigned obtained[2][3] = {};

  void thread(unsigned index) {
    if (index == 0) {
      push(0);
      push(1);
      meeting.wait();
      auto hidden = deque.enter_frame();
      meeting.wait();
      push(2);
      pop();
      require(deque.empty(), "the frame's deque is empty");
      meeting.wait();
      deque.leave_frame(hidden);
      meeting.wait();
      pop();
      pop();
    } else {
      meeting.wait();
      meeting.wait();
      steal();
      require(obtained[1][0] + obtained[1][1] == 0, "a hidden task is not stolen");
      meeting.wait();
      meeting.wait();
      steal();
    }
  }
  void push(unsigned task) { require(deque.try_push(task), "there is room"); }
  void pop() {
    if (auto* slot = deque.pop()) {
      ++obtained[0][slot->task.get()];
    } else {
      while (!deque.top().completed()) P::spin_pause();
      deque.retire();
    }
  }
  void steal() {
    if (auto* slot = deque.steal(this).task) {
      ++obtained[1][slot->task.get()];
      slot->complete();
    }
  }
  void after() {
    for (unsigned task = 0; task < 3; ++task) {
      require(obtained[0][task] + obtained[1][task] == 1, "each task is obtained exactly once");
    }
    require(deque.empty(), "the deque is empty at the end");
  }
};

}  // namespace fencepost::models::tail_split_scenarios
