// rl::condition_variable.
#pragma once

#include <type_traits>

#include "fencepost/compat/relacy/base.hpp"

namespace rl {

// Waits with anything that can be locked and unlocked: a mutex, a unique_lock. A wait may end
// without a notification, and a timed one may time out whatever the time is.
class condition_variable {
 public:
  condition_variable(debug_info_param info = debug_info::current())
      : at_(detail::here().declare(this, sizeof(void*), 0, info)) {}
  ~condition_variable() {
    if (at_.alive() != nullptr) fencepost::verify::detail::require_nobody_waits(this);
  }
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
  // Ignores the time. Returns false if the wait timed out.
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
  void notify_one(debug_info_param info = debug_info::current()) { wake(1, info); }
  void notify_all(debug_info_param info = debug_info::current()) { wake(~0U, info); }

 private:
  using budget = fencepost::verify::budget;

  // Waking without having been notified is as if the thread had never been in the queue.
  template <class Lock>
  bool sleep(Lock& lock, bool timed, debug_info_param info) {
    const bool spurious = detail::here().choose(2, budget::spurious_wakeup, info) == 1;
    const bool times_out =
        !spurious && timed && detail::here().choose(2, budget::timeout, info) == 1;
    detail::here().use(at_.get(info), !spurious && !times_out, info);
    fencepost::verify::detail::waiter self;
    // Enters the queue before the mutex is free. Relacy does not require that all waiters use the
    // same mutex.
    if (!spurious && !times_out)
      fencepost::verify::detail::enter_condition(self, this, nullptr, info);
    if constexpr (requires { lock.unlock(info); }) {
      lock.unlock(info);
    } else {
      lock.unlock();
    }
    if (!spurious && !times_out) fencepost::verify::detail::sleep(self, timed);
    if constexpr (requires { lock.lock(info); }) {
      lock.lock(info);
    } else {
      lock.lock();
    }
    return !times_out;
  }
  void wake(unsigned count, debug_info_param info) {
    detail::here().use(at_.get(info), false, info);
    fencepost::verify::detail::wake(this, fencepost::verify::detail::sleeper::condition, count,
                                    info);
  }

  detail::counted_object counted_;
  fencepost::verify::detail::handle at_;
};

using condition_variable_any = condition_variable;

}  // namespace rl
