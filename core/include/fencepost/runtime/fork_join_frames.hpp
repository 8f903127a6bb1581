// Frames: the calls that all workers of a fork-join runtime make at the same time, started by one
// of them with together() or new_frame().
//
//   every worker:   joins   hides its tasks  ===  makes the call  ===  restores its tasks
//                                            all meet             all meet
//
// A worker joins a frame where it looks for work or waits for a thief. While a frame runs, each
// worker's deque has only the tasks that were spawned in it. Frames nest.
//
// Threads: the workers, each for itself; see sync/frame_handshake.hpp.
//
// Claims (fork_join/…): see fork_join.hpp.
// Source: Lace's TOGETHER and NEWFRAME, as of Lace 1.6.
#pragma once

#include <atomic>
#include <cstdint>
#include <utility>

#include "fencepost/memory/scratch_arena.hpp"
#include "fencepost/runtime/fork_join_features.hpp"
#include "fencepost/runtime/fork_join_task.hpp"
#include "fencepost/runtime/fork_join_worker.hpp"
#include "fencepost/runtime/kept_tasks.hpp"
#include "fencepost/runtime/task_outcome.hpp"
#include "fencepost/runtime/worker_trace.hpp"
#include "fencepost/sync/frame_handshake.hpp"

namespace fencepost {

template <class P, class Worker>
class fork_join_frames {
 public:
  // The same for every worker. In new_frame() helpers look for work instead.
  // unwatched: the handshake hands it over as a whole.
  struct call {
    void (*run)(Worker& me, const call& made, frame_role role) noexcept;
    void* what;  // the initiator's data
  };

  // Throws as frame_handshake does.
  fork_join_frames(std::uint32_t workers, std::uint32_t spins) : handshake_{workers, spins} {}

  // Worker. Whether a frame is pending for this worker.
  bool pending() const noexcept { return handshake_.pending(); }
  // Worker. Joins a frame if one is pending; returns whether one was.
  bool join(Worker& me) noexcept { return handshake_.poll(in_frame(me)); }
  // Worker. Runs a frame with all others. `announce` is called once it is pending: wake sleeping
  // workers there.
  template <class Announce>
  void start(Worker& me, const call& made, Announce announce) noexcept {
    handshake_.start(made, in_frame(me), announce);
  }
  // In a call: returns once all workers have called this as many times.
  void meet() noexcept { handshake_.meet(); }

 private:
  auto in_frame(Worker& me) noexcept {
    return [this, &me](const call& made, frame_role role) noexcept { run(me, made, role); };
  }
  void run(Worker& me, const call& made, frame_role role) noexcept;

  frame_handshake<call, P> handshake_;
};

// The barriers keep old tasks and new apart: no worker steals before all have hidden their old
// tasks, and none restores these while another still steals.
template <class P, class Worker>
void fork_join_frames<P, Worker>::run(Worker& me, const call& made, frame_role role) noexcept {
  [[maybe_unused]] const auto recorded = me.trace_.begin(trace_kind::task, "frame");
  const scratch_frame memory{me.scratch_};
  const kept_tasks kept = std::exchange(me.kept_, {});
  const auto hidden = me.deque_.enter_frame();
  meet();
  made.run(me, made, role);
  meet();
  me.deque_.leave_frame(hidden);
  me.kept_ = kept;
}

// The functions of a worker that start a frame, or are called in one.

template <class P, fork_join_features Features>
template <class F>
void basic_fork_join_worker<P, Features>::together(F f) noexcept {
  check_here();
  using frames = fork_join_frames<P, basic_fork_join_worker>;
  const auto run = [](basic_fork_join_worker& me, const typename frames::call& frame,
                      frame_role) noexcept {
    F mine{*static_cast<const F*>(frame.what)};
    call_with(mine, me);
  };
  core_->frames_.start(*this, {run, &f}, [this]() noexcept { core_->idle_.notify_all(); });
}

template <class P, fork_join_features Features>
void basic_fork_join_worker<P, Features>::meet() noexcept {
  check_here();
  core_->frames_.meet();
}

template <class P, fork_join_features Features>
template <class F>
auto basic_fork_join_worker<P, Features>::new_frame(F&& f)
    -> detail::task_result<F, basic_fork_join_worker> {
  check_here();
  using frames = fork_join_frames<P, basic_fork_join_worker>;
  using result = detail::task_result<F, basic_fork_join_worker>;
  struct record {
    core& pool;
    F& f;
    task_outcome<result> outcome;
    typename P::template atomic<bool> done{false};
  } mine{*core_, f, {}};
  const auto run = [](basic_fork_join_worker& me, const typename frames::call& frame,
                      frame_role role) noexcept {
    auto& shared = *static_cast<record*>(frame.what);
    if (role == frame_role::helper) {
      return shared.pool.look_for_work(
          me,
          [&]() noexcept {
            // [new_frame.look] relaxed, with [new_frame.done]: a barrier follows.
            return shared.done.load(std::memory_order_relaxed);
          },
          false);
    }
    shared.outcome.keep_of([&]() -> result { return call_with(std::forward<F>(shared.f), me); });
    // [new_frame.done] relaxed, with [new_frame.look]: a barrier follows.
    shared.done.store(true, std::memory_order_relaxed);
    shared.pool.idle_.notify_all();
  };
  core_->frames_.start(*this, {run, &mine}, [this]() noexcept { core_->idle_.notify_all(); });
  return mine.outcome.take();
}

}  // namespace fencepost
