// Mutexes and condition variables under the checker.
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <type_traits>
#include <utility>

#include "fencepost/verify/checked/handle.hpp"
#include "fencepost/verify/checked/policy.hpp"

namespace fencepost {

// Mutual exclusion; lock() blocks, unlock() releases to the next lock(). try_lock() may fail only
// when the mutex is held. Misuse is reported: locking a mutex that the thread already holds,
// unlocking one that it does not hold, and destroying one that is locked.
class checked_atomics::mutex {
 public:
  mutex(source_location where = source_location::current())
      : at_(verify::detail::here().declare(this, sizeof(void*), 0, where)) {}
  ~mutex();
  mutex(const mutex&) = delete;
  mutex& operator=(const mutex&) = delete;

  void lock(source_location where = source_location::current());
  bool try_lock(source_location where = source_location::current());
  void unlock(source_location where = source_location::current());

 private:
  friend class condition_variable;
  [[nodiscard]] bool is_held_here() const;

  verify::detail::handle at_;
  unsigned owner_ = ~0u;  // the thread that holds the mutex; ~0u: none
};

// A wait has three steps (release the mutex and wait; be woken; lock the mutex again), a
// notification has one, and all steps have one total order. A condition variable may be destroyed
// once each thread that waits in it was notified; the threads need not have returned from wait().
class checked_atomics::condition_variable {
 public:
  condition_variable(source_location where = source_location::current())
      : at_(verify::detail::here().declare(this, sizeof(void*), 0, where)) {}
  ~condition_variable();
  condition_variable(const condition_variable&) = delete;
  condition_variable& operator=(const condition_variable&) = delete;

  void wait(std::unique_lock<mutex>& lock, source_location where = source_location::current()) {
    wait(lock, false, where);
  }
  template <class Predicate>
  requires std::is_invocable_r_v<bool, Predicate>
  void wait(std::unique_lock<mutex>& lock, Predicate until,
            source_location where = source_location::current()) {
    while (!until()) wait(lock, false, where);
  }
  template <class Clock, class Duration>
  std::cv_status wait_until(std::unique_lock<mutex>& lock,
                            const std::chrono::time_point<Clock, Duration>&,
                            source_location where = source_location::current()) {
    return wait(lock, true, where) ? std::cv_status::no_timeout : std::cv_status::timeout;
  }
  template <class Clock, class Duration, class Predicate>
  requires std::is_invocable_r_v<bool, Predicate>
  bool wait_until(std::unique_lock<mutex>& lock, const std::chrono::time_point<Clock, Duration>&,
                  Predicate until, source_location where = source_location::current()) {
    while (!until())
      if (!wait(lock, true, where)) return until();
    return true;
  }
  template <class Rep, class Period>
  std::cv_status wait_for(std::unique_lock<mutex>& lock, const std::chrono::duration<Rep, Period>&,
                          source_location where = source_location::current()) {
    return wait(lock, true, where) ? std::cv_status::no_timeout : std::cv_status::timeout;
  }
  template <class Rep, class Period, class Predicate>
  requires std::is_invocable_r_v<bool, Predicate>
  bool wait_for(std::unique_lock<mutex>& lock, const std::chrono::duration<Rep, Period>&,
                Predicate until, source_location where = source_location::current()) {
    return wait_until(lock, std::chrono::steady_clock::time_point(), std::move(until), where);
  }
  void notify_one(source_location where = source_location::current()) { notify(1, where); }
  void notify_all(source_location where = source_location::current()) { notify(~0u, where); }

 private:
  // Returns false if the wait timed out.
  bool wait(std::unique_lock<mutex>&, bool timed, source_location where);
  void notify(unsigned count, source_location where);

  verify::detail::handle at_;
};

}  // namespace fencepost
