// The claims of the frame handshake, one scenario each. The scenarios in faults.hpp must be
// violated.
#pragma once

#include "fencepost/scenario/scenario.hpp"
#include "fencepost/scenario/scenario_list.hpp"
#include "fencepost/sync/barrier.hpp"
#include "fencepost/sync/event_count.hpp"
#include "fencepost/sync/frame_handshake.hpp"

namespace fencepost::models {

namespace frame_handshake_scenarios {

// The barrier of a frame, with spinning waiters. The scenarios of barrier.hpp cover the rest.
template <class P>
using frame_barrier = barrier<P, barrier_options{.counts_leavers = false}>;

// A task that shows whether it was copied whole.
struct task {
  unsigned number;
  unsigned twice;
};
constexpr task numbered(unsigned number) { return {number, 2 * number}; }

// Worker 0 starts a frame, the others join it. Each leaves a result for worker 0.
template <class P, class Barrier, unsigned Workers>
struct one_frame {
  frame_handshake<task, P, Barrier> frames{Workers, spin_for_ever};
  typename P::template plain<unsigned> results[Workers];
  void thread(unsigned index) {
    const auto body = [&](const task& copy, frame_role role) {
      require(copy.twice == 2 * copy.number, "the copy is complete");
      require((role == frame_role::initiator) == (index == 0), "each worker knows its role");
      results[index].set(copy.number);
    };
    if (index == 0) {
      frames.start(numbered(7), body);
      for (auto& result : results)
        require(result.get() == 7, "all workers are done, and their writes are visible");
    } else {
      while (!frames.poll(body)) P::spin_pause();
    }
  }
};

template <class P>
struct task_is_whole : one_frame<P, frame_barrier<P>, 3> {
  static constexpr auto about = scenario{.name = "frame_handshake/task_is_whole",
                                         .threads = 3,
                                         .claim =
                                             "every worker runs a complete copy of the task, and "
                                             "the initiator returns after all of them"};
};

// The first `Initiators` workers start a frame each; all run all frames.
template <class P, unsigned Workers, unsigned Initiators>
struct several_frames {
  frame_handshake<task, P> frames{Workers, spin_for_ever};
  unsigned order[Workers][Initiators] = {};  // by worker; each row is written by its worker only
  unsigned count[Workers] = {};              // by worker, likewise
  void thread(unsigned index) {
    unsigned& ran = count[index];
    const auto body = [&](const task& copy, frame_role) {
      require(copy.twice == 2 * copy.number, "the copy is complete");
      if (ran < Initiators) order[index][ran] = copy.number;
      ++ran;
    };
    if (index < Initiators) frames.start(numbered(index + 1), body);
    while (count[index] < Initiators) {
      if (!frames.poll(body)) P::spin_pause();
    }
    require(ran == Initiators, "each frame runs exactly once");
  }
  void after() {
    for (unsigned frame = 0; frame < Initiators; ++frame) {
      for (const auto& mine : order) {
        require(mine[frame] == order[0][frame] && mine[frame] != 0,
                "all workers run the frames in the same order");
      }
    }
    require(order[0][0] != order[0][Initiators - 1], "every frame runs");
  }
};

template <class P>
struct concurrent_initiators : several_frames<P, 2, 2> {
  static constexpr auto about = scenario{
      .name = "frame_handshake/concurrent_initiators",
      .threads = 2,
      .claim = "two workers may start a frame concurrently: one joins the other's frame first"};
};

template <class P>
struct two_initiators_and_a_helper : several_frames<P, 3, 2> {
  static constexpr auto about = scenario{.name = "frame_handshake/two_initiators_and_a_helper",
                                         .threads = 3,
                                         .claim = "the same beside a worker that starts no frame"};
};

// While worker 0 runs its frame it starts another; the helper's body joins that.
template <class P>
struct nested_frame {
  static constexpr auto about =
      scenario{.name = "frame_handshake/nested_frame",
               .threads = 2,
               .claim = "a frame's task may start a nested frame, and another's task join it"};
  frame_handshake<task, P> frames{2, spin_for_ever};
  unsigned sum[2] = {};  // by worker; each element is written by its worker only
  void thread(unsigned index) {
    const auto inner = [&](const task& copy, frame_role) { sum[index] += copy.number; };
    const auto outer = [&](const task& copy, frame_role role) {
      sum[index] += copy.number;
      if (role == frame_role::initiator) {
        frames.start(numbered(10), inner);
      } else {
        while (!frames.poll(inner)) P::spin_pause();
      }
    };
    if (index == 0) {
      frames.start(numbered(1), outer);
    } else {
      while (!frames.poll(outer)) P::spin_pause();
    }
  }
  void after() { require(sum[0] == 11 && sum[1] == 11, "both ran both frames"); }
};

template <class P>
struct sleeping_worker_joins {
  static constexpr auto about =
      scenario{.name = "frame_handshake/sleeping_worker_joins",
               .threads = 2,
               .claim = "a worker that sleeps until a frame is pending is woken and joins it",
               .timeouts = 0};
  frame_handshake<task, P> frames{2, 0};
  event_count<P> idle;
  unsigned ran[2] = {};  // by worker; each element is written by its worker only
  void thread(unsigned index) {
    const auto body = [&](const task& copy, frame_role) { ran[index] = copy.number; };
    if (index == 0) {
      frames.start(numbered(7), body, [this] { idle.notify_all(); });
    } else {
      idle.await([this] { return frames.pending(); });
      frames.join(body);
    }
  }
  void after() { require(ran[0] == 7 && ran[1] == 7, "both ran it"); }
};

}  // namespace frame_handshake_scenarios

using frame_handshake_claims_list = scenario_list<
    frame_handshake_scenarios::task_is_whole, frame_handshake_scenarios::concurrent_initiators,
    frame_handshake_scenarios::two_initiators_and_a_helper, frame_handshake_scenarios::nested_frame,
    frame_handshake_scenarios::sleeping_worker_joins>;

}  // namespace fencepost::models
