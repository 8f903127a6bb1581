// rl::condition_variable.
#pragma once

#include <type_traits>

#include "fencepost/compat/relacy/base.hpp"

namespace rl {

// Waits with whatever can be locked and unlocked: a mutex, a unique_lock. A wait may end without a
// notification, and one with a deadline without either.
class condition_variable {
 public:
  condition_variable(debug_info_param info = debug_info::current())
      : queue_lock_(detail::here().declare(nullptr, sizeof(void*), 0, info)) {}
  condition_variable(const condition_variable&) = delete;
  condition_variable& operator=(const condition_variable&) = delete;

  template <class Lock>
  void wait(Lock& lock, debug_info_param info = debug_info::current()) {
    sleep(lock, false, info);
  }
  template <class Lock, class Predicate>
  requires std::is_invocable_r_v<bool, Predicate>
  void wait(Lock& lock, Predicate until, debug_info_param info = debug_info::current()) {
    while (!until()) sleep(lock, false, info);
  }
  // Whatever the time is. True: somebody has notified.
  template <class Lock, class Time>
  bool wait_for(Lock& lock, const Time&, debug_info_param info = debug_info::current()) {
    return sleep(lock, true, info);
  }
  template <class Lock, class Time, class Predicate>
  requires std::is_invocable_r_v<bool, Predicate>
  bool wait_for(Lock& lock, const Time&, Predicate until,
                debug_info_param info = debug_info::current()) {
    while (!until())
      if (!sleep(lock, true, info)) return until();
    return true;
  }
  template <class Lock, class Time>
  bool wait_until(Lock& lock, const Time& t, debug_info_param info = debug_info::current()) {
    return wait_for(lock, t, info);
  }
  template <class Lock, class Time, class Predicate>
  requires std::is_invocable_r_v<bool, Predicate>
  bool wait_until(Lock& lock, const Time& t, Predicate until,
                  debug_info_param info = debug_info::current()) {
    return wait_for(lock, t, until, info);
  }
  void notify_one(debug_info_param info = debug_info::current()) {
    queue_.wake(queue_lock_, 1, info);
  }
  void notify_all(debug_info_param info = debug_info::current()) {
    queue_.wake(queue_lock_, ~0U, info);
  }

 private:
  template <class Lock>
  bool sleep(Lock& lock, bool timed, debug_info_param info) {
    fencepost::verify::detail::waiter self;
    self.flag = detail::here().declare(nullptr, sizeof(int), 0, info);
    queue_.acquire(queue_lock_, info);
    queue_.push(self);
    queue_.release(queue_lock_, info);
    if constexpr (requires { lock.unlock(info); }) {
      lock.unlock(info);  // in the queue before the mutex is free
    } else {
      lock.unlock();
    }
    const bool woken = queue_.block(self, queue_lock_, timed, true, info);
    if constexpr (requires { lock.lock(info); }) {
      lock.lock(info);
    } else {
      lock.lock();
    }
    return woken;
  }

  detail::counted_object counted_;
  fencepost::verify::location queue_lock_;
  fencepost::verify::detail::wait_queue queue_;
};

using condition_variable_any = condition_variable;

}  // namespace rl
