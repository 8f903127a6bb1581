// A queue for jobs that come from outside: any thread pushes them, any thread pops them, first in,
// first out.
//
//   newest                                       oldest
//   stack_ ---> 5 ---> 4 ---> 3        front_ ---> 1 ---> 2
//     ^                       |          ^           |
//   push()                    +----------+         pop()
//                       when front_ is used up
//
// Pushing is that of a Treiber stack. Taking single jobs off a Treiber stack needs more: a popper
// that reads the successor of a node that another has popped reads released memory, or, if the node
// was pushed again meanwhile, cuts off what was pushed since. Here no thread pops from the stack. A
// popper takes all of it at once, by one exchange, and keeps it, reversed, as the front. The front
// belongs to one popper at a time: it is a pointer whose lowest bit is a lock.
//
// A job derives from injector_link<T, P>: the queue owns no memory and allocates none. A job
// belongs to the queue from push() until it is popped or taken, then to the thread that obtained
// it.
//
// Threads: any thread, every function. Construction and destruction happen before and after all;
// the queue must be empty when it is destroyed.
//
// Claims (injector/…):
//   every job is obtained exactly once                          two_poppers, push_against_pop
//   ... and whole                                               job_is_whole
//   ... where jobs are released and their addresses come back   addresses_come_back
//   jobs of one thread come out in the order of their pushes    first_in_first_out
//   take_all() leaves nothing behind and doubles nothing        take_all_against_pop
//   empty() returns false while one job stays in it             never_called_empty
//   busy means that another is popping                          lone_popper_is_never_told_busy
//   linearizable, empty() as it is described below              linearizable, ..._with_take_all,
//                                                             empty_means_none_was_there_throughout
//   a push to an empty stack says so                            (all)
//
// Ordering: for any threads X and Y, what X did before push() is visible to Y when it has popped or
// taken the job. empty(), and a pop that finds nothing, order nothing.
// Progress: push() is lock-free; empty() and try_pop() are wait-free, but try_pop() returns `busy`
// while another thread is popping: for a few instructions, or for as long as it takes to reverse
// the jobs of the stack, or, if that thread is preempted, until it runs again. pop() waits
// meanwhile, with growing pauses, and in the end yields the processor. Pushes never wait for
// poppers.
// Costs: push(), one locked instruction; pop(), one locked instruction, and a second one, with as
// many steps as there are jobs, when the front is used up; on an empty queue, two loads.
// Source: Blitz's injected jobs (BLITZ-38), with its pop replaced.
#pragma once

#include <atomic>
#include <cassert>
#include <cstdint>
#include <type_traits>

#include "fencepost/atomics/default_atomics.hpp"

namespace fencepost {

template <class T, class P>
class injector;
template <class P>
class strand_core;

// The base class of a job: its link in the queue, or in that of a strand.
template <class T, class P = default_atomics>
class injector_link {
  friend class injector<T, P>;
  friend class strand_core<P>;

  // Reverses a list of jobs that begins with the newest; returns the oldest, or null if there is
  // none.
  static T* reversed(T* newest) noexcept {
    T* after = nullptr;
    while (newest != nullptr) {
      injector_link& place = *newest;
      T* const before = place.next_.get();
      place.next_.set(after);
      after = newest;
      newest = before;
    }
    return after;
  }

  typename P::template plain<T*> next_;
};

enum class pop_result : std::uint8_t {
  popped,
  empty,
  busy,  // another thread is popping: try again
};

template <class T, class P = default_atomics>
class injector {
 public:
  using link = injector_link<T, P>;

  // The jobs taken from the queue, oldest first; owned by the caller. unwatched: returned by value.
  class chain {
   public:
    bool empty() const noexcept { return first_ == nullptr; }
    // Takes the oldest job; returns null if there is none. The job may be destroyed then.
    T* pop() noexcept;

   private:
    friend class injector;
    T* first_ = nullptr;
  };

  injector() = default;
  injector(const injector&) = delete;
  injector& operator=(const injector&) = delete;
  ~injector() { assert(empty()); }

  // Any thread. Adds a job, which the queue then owns; true if it found the stack empty. For any
  // threads X and Y: everything sequenced before X's push() happens before Y obtains the job.
  bool push(T& job) noexcept;

  struct popped {  // The result of try_pop(). unwatched: returned by value.
    pop_result result;
    T* job = nullptr;
  };
  // Any thread. Takes the oldest job, unless another thread is about to take one.
  [[nodiscard]] popped try_pop() noexcept;
  // Any thread. Takes the oldest job; returns null if there is none. Waits while another thread is
  // popping.
  [[nodiscard]] T* pop() noexcept;
  // Any thread. Takes all jobs, oldest first. Waits while another thread is popping.
  [[nodiscard]] chain take_all() noexcept;

  // Any thread. True: each job that was in the queue at the call has left it when the call returns;
  // but there may have been some job at each moment (injector/empty_at_no_moment). False if some
  // job was pushed before, by happens-before or by the order of sequentially consistent fences, and
  // is not yet popped; also while another thread is popping.
  bool empty() const noexcept;

 private:
  static constexpr std::size_t cache_line = 64;
  static constexpr std::uintptr_t locked = 1;

  static T* to_job(std::uintptr_t front) noexcept { return reinterpret_cast<T*>(front); }
  static std::uintptr_t to_front(T* job) noexcept { return reinterpret_cast<std::uintptr_t>(job); }

  bool lock_front(std::uintptr_t& front) noexcept;
  T* reversed_stack() noexcept;

  // The newest jobs, newest first. Poppers only ever exchange it for null.
  alignas(cache_line) typename P::template atomic<T*> stack_{nullptr};
  // The oldest jobs, oldest first; or `locked`, while a popper holds them.
  alignas(cache_line) typename P::template atomic<std::uintptr_t> front_{0};
};

template <class T, class P>
inline bool injector<T, P>::push(T& job) noexcept {
  static_assert(std::is_base_of_v<link, T>, "a job derives from injector_link<T, P>");
  static_assert(alignof(T) >= 2, "the lowest bit of a job's address is free");
  link& place = job;
  // [push.top] relaxed, alone: only the address is used, never dereferenced.
  T* top = stack_.load(std::memory_order_relaxed);
  do {
    place.next_.set(top);
    // [push] release, relaxed on failure, with [take_stack]: publishes the job to the thread that
    // takes the stack. Exchanges by other pushers in between belong to the release sequence.
    // Relaxed on failure: as above.
  } while (!stack_.compare_exchange_weak(top, &job, std::memory_order_release,
                                         std::memory_order_relaxed));
  return top == nullptr;
}

// Makes this thread the popper; `front` is what it was before. False if another thread is popping.
template <class T, class P>
inline bool injector<T, P>::lock_front(std::uintptr_t& front) noexcept {
  // [lock.look] relaxed, alone: a guess, which the exchange verifies.
  front = front_.load(std::memory_order_relaxed);
  // [lock] acquire, relaxed on failure, with [unlock], [unlock_empty]: the previous popper's
  // changes to the front and its links. Strong: `busy` must not be spurious.
  return front != locked && front_.compare_exchange_strong(front, locked, std::memory_order_acquire,
                                                           std::memory_order_relaxed);
}

// Takes the whole stack; returns the oldest job, which links to the others.
template <class T, class P>
inline T* injector<T, P>::reversed_stack() noexcept {
  // [take_stack] acq_rel, with [push], [empty.stack]: acquire: the jobs are visible. Release: a
  // thread that finds the stack empty because of this finds the front locked, or a later value.
  return link::reversed(stack_.exchange(nullptr, std::memory_order_acq_rel));
}

template <class T, class P>
auto injector<T, P>::try_pop() noexcept -> popped {
  if (empty()) return {pop_result::empty};
  std::uintptr_t front;
  if (!lock_front(front)) return {pop_result::busy};
  T* const job = front != 0 ? to_job(front) : reversed_stack();
  T* next = nullptr;
  if (job != nullptr) next = static_cast<link&>(*job).next_.get();
  // [unlock] release, with [lock]: publishes the links of the front to the next popper.
  front_.store(to_front(next), std::memory_order_release);
  if (job == nullptr) return {pop_result::empty};
  return {pop_result::popped, job};
}

template <class T, class P>
T* injector<T, P>::pop() noexcept {
  // Each poll takes the cache line of the front from the popper that works on it. That popper may
  // have been preempted, perhaps by this thread.
  for (typename P::growing_back_off turn;; turn()) {
    const popped p = try_pop();
    if (p.result != pop_result::busy) return p.job;
    P::spin_pause();
  }
}

template <class T, class P>
auto injector<T, P>::take_all() noexcept -> chain {
  chain all;
  if (empty()) return all;
  std::uintptr_t front;
  for (typename P::growing_back_off turn; !lock_front(front); turn()) P::spin_pause();
  T* const newer = reversed_stack();
  // [unlock_empty] release, with [lock]: as in try_pop(), but there are no links. kept release: the
  // next popper's exchange of the stack must follow this one's; only load buffering could reverse
  // that.
  front_.store(0, std::memory_order_release);
  if (front == 0) {
    all.first_ = newer;
    return all;
  }
  all.first_ = to_job(front);
  T* last = all.first_;
  while (T* const next = static_cast<link&>(*last).next_.get()) last = next;
  static_cast<link&>(*last).next_.set(newer);
  return all;
}

template <class T, class P>
inline bool injector<T, P>::empty() const noexcept {
  // In this order: jobs move from the stack to the front.
  // [empty.stack] acquire, with [take_stack]: the front is then locked, or has a later value.
  // [empty.front] relaxed, alone: it does not matter which thread has the jobs now.
  return stack_.load(std::memory_order_acquire) == nullptr &&
         front_.load(std::memory_order_relaxed) == 0;
}

template <class T, class P>
inline T* injector<T, P>::chain::pop() noexcept {
  T* const job = first_;
  if (job != nullptr) first_ = static_cast<link&>(*job).next_.get();
  return job;
}

}  // namespace fencepost
