// Waiting as an operating system's kernel offers it: for one of several objects, or for all of
// them. The objects that can be waited for are in kernel_objects.hpp.
//
// A hidden lock, whose order is part of the execution, orders all operations; it is relaxed. The
// state that it guards is in ordinary memory. Each object has a word of its own by which operations
// on it synchronize with later ones on the same object, and with nothing else.
#pragma once

#include <cstddef>

#include "fencepost/compat/relacy/base.hpp"

namespace rl::detail {

class kernel_lock {
 public:
  explicit kernel_lock(debug_info_param info) : info_(info) {
    here().await_exchange(current_session->kernel, 0, 1, fencepost::verify::order::relaxed,
                          fencepost::verify::wait_for::mutex, info_);
  }
  ~kernel_lock() {
    here().store(fencepost::verify::word(current_session->kernel), 0,
                 fencepost::verify::order::relaxed, info_);
  }
  kernel_lock(const kernel_lock&) = delete;
  kernel_lock& operator=(const kernel_lock&) = delete;

 private:
  debug_info info_;
};

// Virtual functions are called with the lock held; `thread` is the checker's number of a thread.
class waitable {
 public:
  explicit waitable(debug_info_param info) : word_(0, info) {}
  virtual ~waitable() = default;
  waitable(const waitable&) = delete;
  waitable& operator=(const waitable&) = delete;

  virtual bool ready(unsigned thread) const = 0;
  virtual void take(unsigned thread) = 0;
  virtual bool stays_ready() const { return false; }
  // What SignalObjectAndWait does to the object.
  virtual void signal(debug_info_param info) = 0;
  virtual bool closes() const { return true; }

  void synchronize(debug_info_param info) { word_.exchange(0, std::memory_order_acq_rel, info); }

 private:
  checked_atomics::atomic<unsigned> word_;
};

// A waiting thread. The object is on the thread's stack.
class kernel_waiter {
 public:
  waitable* const* objects = nullptr;
  std::size_t count = 0;
  bool all = false;
  const void* address = nullptr;  // of a futex, instead of objects
  unsigned thread = 0;
  std::size_t taken = 0;  // the index of the object
  fencepost::verify::location flag = fencepost::verify::no_location;
  kernel_waiter* next = nullptr;
  bool queued = false;

  // Takes what the thread waits for, if that is ready. Returns false if it is not.
  bool satisfy() {
    std::size_t i = 0;
    if (all) {
      while (i < count && objects[i]->ready(thread)) ++i;
      if (i < count) return false;
      for (i = 0; i < count; ++i) objects[i]->take(thread);
      taken = 0;
      return true;
    }
    while (i < count && !objects[i]->ready(thread)) ++i;
    if (i == count) return false;
    objects[i]->take(thread);
    taken = i;
    return true;
  }
  [[nodiscard]] bool satisfiable() const {
    std::size_t ready = 0;
    for (std::size_t i = 0; i < count; ++i)
      if (objects[i]->ready(thread)) ++ready;
    return all ? ready == count : ready != 0;
  }

  void push(debug_info_param info) {
    flag = here().declare(nullptr, sizeof(int), 0, info);
    kernel_waiter** end = &current_session->waiting;
    while (*end != nullptr) end = &(*end)->next;
    *end = this;
    next = nullptr;
    queued = true;
  }
  bool remove() {
    if (!queued) return false;
    kernel_waiter** p = &current_session->waiting;
    while (*p != this) p = &(*p)->next;
    *p = next;
    queued = false;
    return true;
  }
  void wake(debug_info_param info) {
    remove();
    here().store(fencepost::verify::word(flag), 1, fencepost::verify::order::relaxed, info);
  }

  enum class woken { by_somebody, by_time, by_nothing };
  woken sleep(bool timed, bool may_wake_spuriously, debug_info_param info) {
    using fencepost::verify::budget;
    using fencepost::verify::wait_for;
    const bool spurious =
        may_wake_spuriously && here().choose(2, budget::spurious_wakeup, info) == 1;
    const bool gives_up = !spurious && timed && here().choose(2, budget::timeout, info) == 1;
    if (!spurious && !gives_up) {
      here().await(flag, 1, fencepost::verify::order::relaxed,
                   timed ? wait_for::wake_up_or_timeout : wait_for::wake_up, info);
      return woken::by_somebody;
    }
    const kernel_lock lock(info);
    if (!remove()) return woken::by_somebody;  // it was woken at the last moment
    return spurious ? woken::by_nothing : woken::by_time;
  }
};

// To be called with the lock held when an object may have become ready: hands it on to the threads
// that wait for it. If several can continue, it is unspecified which one does.
inline void hand_on(const waitable& object, debug_info_param info) {
  while (true) {
    unsigned able = 0;
    for (kernel_waiter* w = current_session->waiting; w != nullptr; w = w->next)
      if (w->satisfiable()) ++able;
    if (able == 0) return;
    unsigned which = 0;
    if (able > 1 && !object.stays_ready())
      which = here().choose(able, fencepost::verify::budget::none, info);
    kernel_waiter* w = current_session->waiting;
    while (!w->satisfiable() || which-- > 0) w = w->next;
    w->satisfy();
    w->wake(info);
  }
}

inline constexpr std::size_t wait_timed_out = ~std::size_t{0};
enum class waiting { not_at_all, for_some_time, for_ever };

// Waits for objects. Returns the index of the one that was taken (0 if all were), or
// wait_timed_out. First signals `signal_first`, if any, in one step with the beginning of the wait.
inline std::size_t wait_for_objects(waitable* const* objects, std::size_t count, bool all,
                                    waiting how, waitable* signal_first, debug_info_param info) {
  kernel_waiter self;
  self.objects = objects;
  self.count = count;
  self.all = all;
  self.thread = here().this_thread();
  bool done = false;
  {
    const kernel_lock lock(info);
    if (signal_first != nullptr) signal_first->signal(info);
    done = self.satisfy();
    if (done || how == waiting::not_at_all)
      for (std::size_t i = 0; i < count; ++i) objects[i]->synchronize(info);
    else
      self.push(info);
  }
  if (done) return self.taken;
  if (how == waiting::not_at_all) return wait_timed_out;
  const auto end = self.sleep(how == waiting::for_some_time, false, info);
  if (end != kernel_waiter::woken::by_somebody) return wait_timed_out;
  if (all)
    for (std::size_t i = 0; i < count; ++i) objects[i]->synchronize(info);
  else
    objects[self.taken]->synchronize(info);
  return self.taken;
}

}  // namespace rl::detail
