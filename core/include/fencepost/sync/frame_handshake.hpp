// How one worker gets all workers to run the same task, at the same time: Lace's TOGETHER and
// NEWFRAME.
//
//     initiator          publish the task ---+                                          return
//                                            |  copy    ===  run its copy        ===
//     every other worker   pending()? -------+  copy    ===  run its copy        ===    go on
//                                                     enter                     leave
//                                                  the slot is free again
//
// The task lies on the initiator's stack. Every worker copies it and waits in a barrier until all
// have; the last one there clears the slot; all run their copies; and all wait in the barrier until
// everybody is done. What it means to run it is up to the body: to do it together (TOGETHER), or
// for the initiator to do it in a new frame of its deque while the helpers steal (NEWFRAME).
// A worker that wants to start a frame while another is pending joins that one first.
//
// Who may call: the workers, as many as it was made for; each of them must come to poll() or
// start() again and again, or nobody gets on. A body may do either as well: frames nest.
// Construction and destruction happen before and after all.
//
// Claims (frame_handshake/…; frame_handshake/faults.hpp has what is found without each step):
//   a worker that joins sees the whole task                  task_is_whole
//   when start() returns all are done, and what they did     task_is_whole
//   is visible
//   the task on the initiator's stack is not touched then    task_is_whole, concurrent_initiators
//   several may start at once: each frame is run by all,     concurrent_initiators,
//   all in the same order                                    two_initiators_and_a_helper
//   a body may start a frame                                 nested_frame
//   a worker that sleeps is woken to join                    sleeping_worker_joins
//
// Ordering: for any threads X and Y that are workers, what X did before start() is visible to Y's
// copy of the task; what any body did is visible to X when start() has returned, and to Y when
// poll() has.
// Progress: blocking, as its barrier is.
// Costs: poll(), one relaxed load; a frame, one exchange, and two phases of the barrier.
// Source: Lace 1.6. Its exchange may fail for no reason, with no frame to join: docs/findings/
// lace.md, LACE-36.
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
// worker's own copy; an exception that leaves it ends the program, for the others wait for it.
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

  // Worker. Whether a frame waits for this worker.
  // [pending] relaxed, with [start]: join() looks again.
  bool pending() const noexcept { return frame_.load(std::memory_order_relaxed) != nullptr; }

  // Worker; a frame is pending. Runs it with the others, as a helper. For any worker X: what X did
  // before it joined is visible to all bodies, and what its body did to all that return.
  template <class Body>
  void join(Body&& body) noexcept;
  // Worker. The same if a frame is pending; whether one was.
  template <class Body>
  bool poll(Body&& body) noexcept;

  // Worker. Runs a frame with all others, as its initiator, after those that it has to join first:
  // these are run by `body` too. `announce` is called when the frame is pending: wake those who
  // sleep.
  template <class Body, class Announce>
  void start(const Task& task, Body&& body, Announce&& announce) noexcept;
  template <class Body>
  void start(const Task& task, Body&& body) noexcept {
    start(task, body, [] {});
  }

  // In a body: returns when all workers have called it, as often as the others do. For any workers
  // X and Y: what X did before it is visible to Y after it.
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
  // [join] acquire, with [start]: the task is there. The frame cannot have changed since it was
  // seen: it stays until this worker has entered.
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
  // [start] release, relaxed on failure, with [pending], [join]: the helpers see the task. Relaxed
  // on failure: join() reads it again. Strong: failure has to mean that a frame is pending, or
  // there is none to join.
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
  // Enter: all have their copy.
  // [clear] relaxed, alone: the barrier publishes it to all that go on.
  meeting_.wait([this] { frame_.store(nullptr, std::memory_order_relaxed); });
  body(mine, role);
  meeting_.wait();  // leave
}

}  // namespace fencepost
