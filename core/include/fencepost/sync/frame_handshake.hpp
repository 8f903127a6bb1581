// Makes all workers run the same task at the same time, started by one of them: Lace's TOGETHER and
// NEWFRAME.
//
//     initiator          publish the task ---+                                          return
//                                            |  copy    ===  run its copy        ===
//     every other worker   pending()? -------+  copy    ===  run its copy        ===    go on
//                                                     enter                     leave
//                                                  the slot is free again
//
// The task lies on the initiator's stack. Every worker copies it and waits in a barrier until all
// have; the last arrival clears the slot; all run their copies; and all wait in the barrier until
// every copy has run. The body decides how to run it: in each worker (TOGETHER), or by the
// initiator in a new frame of its deque while the helpers steal (NEWFRAME).
// A worker that wants to start a frame while another is pending joins that one first.
//
// Threads: the workers, exactly as many as it was constructed for; each must call poll() or start()
// repeatedly, or none makes progress. A body may call either as well: frames nest. Construction and
// destruction happen before and after all.
//
// Claims (frame_handshake/…; frame_handshake/faults.hpp has what is found without each step):
//   a worker that joins runs a complete copy of the task     task_is_whole
//   when start() returns all copies have run, and their      task_is_whole
//   effects are visible
//   the task on the initiator's stack is not touched then    task_is_whole, concurrent_initiators
//   concurrent starts: all workers run each frame, in the    concurrent_initiators,
//   same order                                               two_initiators_and_a_helper
//   a body may start a frame                                 nested_frame
//   a sleeping worker is woken and joins                     sleeping_worker_joins
//
// Ordering: for any workers X and Y: everything sequenced before X's start() happens before Y's
// copy of the task; every body happens before the return of X's start(), and of Y's poll().
// Progress: blocking, as its barrier is.
// Costs: poll(), one relaxed load; a frame, one exchange, and two phases of the barrier.
// Source: Lace 1.6. Its exchange may fail spuriously, with no frame to join: docs/findings/lace.md,
// LACE-36.
#pragma once

#include <atomic>
#include <cassert>
#include <cstdint>
#include <type_traits>

#include "fencepost/atomics/default_atomics.hpp"
#include "fencepost/sync/barrier.hpp"

namespace fencepost {

enum class frame_role : std::uint8_t { initiator, helper };

// Task: copied by every worker, which must not throw. Body: called as body(task, role) with a
// worker's own copy; an exception from it terminates the program, because the others wait for it.
template <class Task, class P = default_atomics,
          class Barrier = barrier<P, barrier_options{.counts_leavers = false}>>
class frame_handshake {
  static_assert(std::is_nothrow_copy_constructible_v<Task>,
                "a worker that fails to copy the task leaves the others waiting");

 public:
  // Throws as barrier does: std::invalid_argument for no workers, std::length_error for too many.
  explicit frame_handshake(std::uint64_t workers, std::uint32_t spins = Barrier::default_spins)
      : meeting_{workers, spins} {}

  frame_handshake(const frame_handshake&) = delete;
  frame_handshake& operator=(const frame_handshake&) = delete;

  // Worker. Whether a frame is pending for this worker.
  // [pending] relaxed, with [start]: join() loads it again.
  bool pending() const noexcept { return frame_.load(std::memory_order_relaxed) != nullptr; }

  // Worker; a frame must be pending. Runs it with the others, as a helper. For any worker X:
  // everything before X joined happens before all bodies, and X's body happens before every
  // worker's return.
  template <class Body>
  void join(Body&& body) noexcept;
  // Worker. The same if a frame is pending; returns whether one was.
  template <class Body>
  bool poll(Body&& body) noexcept;

  // Worker. Runs a frame with all others, as its initiator, after any frames that it must join
  // first, which `body` runs too. `announce` is called once the frame is pending: wake sleeping
  // workers there.
  template <class Body, class Announce>
  void start(const Task& task, Body&& body, Announce&& announce) noexcept;
  template <class Body>
  void start(const Task& task, Body&& body) noexcept {
    start(task, body, [] {});
  }

  // In a body: returns once all workers have called it as many times as this one. For any workers X
  // and Y: everything sequenced before X's call happens before the return of Y's.
  void meet() noexcept { meeting_.wait(); }

 private:
  using record = typename P::template plain<Task>;

  template <class Body>
  void run(const record& shared, Body& body, frame_role role) noexcept;

  typename P::template atomic<const record*> frame_{nullptr};
  Barrier meeting_;
};

template <class Task, class P, class Barrier>
template <class Body>
bool frame_handshake<Task, P, Barrier>::poll(Body&& body) noexcept {
  if (!pending()) [[likely]]
    return false;
  join(body);
  return true;
}

template <class Task, class P, class Barrier>
template <class Body>
void frame_handshake<Task, P, Barrier>::join(Body&& body) noexcept {
  // [join] acquire, with [start]: the task is visible. The frame cannot have changed since it was
  // observed: it stays until this worker has entered.
  const record* pending_frame = frame_.load(std::memory_order_acquire);
  assert(pending_frame != nullptr && "frame_handshake: no frame to join");
  run(*pending_frame, body, frame_role::helper);
}

template <class Task, class P, class Barrier>
template <class Body, class Announce>
void frame_handshake<Task, P, Barrier>::start(const Task& task, Body&& body,
                                              Announce&& announce) noexcept {
  const record mine{task};
  const record* none = nullptr;
  // [start] release, relaxed on failure, with [pending], [join]: publishes the task to the helpers.
  // Relaxed on failure: join() loads it again. Strong: after a spurious failure there might be no
  // frame to join.
  while (!frame_.compare_exchange_strong(none, &mine, std::memory_order_release,
                                         std::memory_order_relaxed)) {
    join(body);
    none = nullptr;
  }
  announce();
  run(mine, body, frame_role::initiator);
}

template <class Task, class P, class Barrier>
template <class Body>
void frame_handshake<Task, P, Barrier>::run(const record& shared, Body& body,
                                            frame_role role) noexcept {
  Task mine = shared.get();
  // Enter: waits until every worker has its copy.
  // [clear] relaxed, alone: the barrier publishes it to every worker that it releases.
  meeting_.wait([this] { frame_.store(nullptr, std::memory_order_relaxed); });
  body(mine, role);
  meeting_.wait();  // leave
}

}  // namespace fencepost
