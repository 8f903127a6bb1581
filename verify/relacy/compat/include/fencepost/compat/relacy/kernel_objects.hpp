// The objects that threads wait for with kernel.hpp: semaphores, events, mutexes, threads, futexes.
// windows.hpp and pthread.hpp are built from them.
#pragma once

#include <cerrno>
#include <functional>
#include <new>
#include <utility>

#include "fencepost/compat/relacy/atomic.hpp"
#include "fencepost/compat/relacy/base.hpp"
#include "fencepost/compat/relacy/kernel.hpp"

namespace rl::detail {

class kernel_semaphore : public waitable {
 public:
  kernel_semaphore(long count, long most, debug_info_param info)
      : waitable(info), count_(count), most_(most) {}

  bool ready(unsigned) const override { return count_ > 0; }
  void take(unsigned) override { --count_; }
  void signal(debug_info_param info) override { post_locked(1, info); }
  // Returns false if the count would be too large.
  bool post(long n, long& before, debug_info_param info) {
    const kernel_lock lock(info);
    before = count_;
    return post_locked(n, info);
  }
  long count(debug_info_param info) {
    const kernel_lock lock(info);
    synchronize(info);
    return count_;
  }

 private:
  bool post_locked(long n, debug_info_param info) {
    synchronize(info);
    if (n > most_ - count_) return false;
    count_ += n;
    hand_on(*this, info);
    return true;
  }
  counted_object counted_;
  long count_;
  long most_;
};

class kernel_event : public waitable {
 public:
  kernel_event(bool manual, bool set, debug_info_param info)
      : waitable(info), manual_(manual), set_(set) {}

  bool ready(unsigned) const override { return set_; }
  void take(unsigned) override { set_ = set_ && manual_; }
  bool stays_ready() const override { return manual_; }
  void signal(debug_info_param info) override {
    synchronize(info);
    set_ = true;
    hand_on(*this, info);
  }
  void set(debug_info_param info) {
    const kernel_lock lock(info);
    signal(info);
  }
  void reset(debug_info_param info) {
    const kernel_lock lock(info);
    synchronize(info);
    set_ = false;
  }
  // Releases the threads that wait now (one, if the event resets itself), and leaves it unset.
  void pulse(debug_info_param info) {
    const kernel_lock lock(info);
    signal(info);
    set_ = false;
  }

 private:
  counted_object counted_;
  bool manual_;
  bool set_;
};

// Windows' mutex: its owner may lock it again.
class kernel_mutex : public waitable {
 public:
  kernel_mutex(bool owned, debug_info_param info) : waitable(info) {
    if (owned) take(here().this_thread());
  }
  bool ready(unsigned thread) const override { return depth_ == 0 || owner_ == thread; }
  void take(unsigned thread) override {
    owner_ = thread;
    ++depth_;
  }
  void signal(debug_info_param info) override {
    if (depth_ == 0 || owner_ != here().this_thread())
      fail(test_result_unlocking_mutex_wo_ownership, violation::misuse,
           "a mutex is released by a thread that does not hold it", info);
    synchronize(info);
    if (--depth_ == 0) hand_on(*this, info);
  }
  void unlock(debug_info_param info) {
    const kernel_lock lock(info);
    signal(info);
  }

 private:
  counted_object counted_;
  unsigned owner_ = 0;
  unsigned depth_ = 0;
};

// A thread, ready when it has ended. The object outlives its handle, and lives until the test ends.
class kernel_thread : public waitable {
 public:
  kernel_thread(std::function<void*()> body, debug_info_param info)
      : waitable(info), body_(std::move(body)), where_(info) {}

  static kernel_thread* start(std::function<void*()> body, debug_info_param info) {
    auto* t = new kernel_thread(std::move(body), info);
    {
      const kernel_lock lock(info);
      t->next_ = std::exchange(current_session->threads, t);
    }
    t->id_ = here().create(&run, t, info);
    return t;
  }
  // To be called at the end of the test, when no other thread is left that could start one.
  static void end_all() {
    for (kernel_thread* t = current_session->threads; t != nullptr; t = t->next_)
      here().join(t->id_, t->where_);
    while (current_session->threads != nullptr) {
      kernel_thread* t = current_session->threads;
      current_session->threads = t->next_;
      delete t;
    }
  }

  bool ready(unsigned) const override { return ended_; }
  void take(unsigned) override {}
  bool stays_ready() const override { return true; }
  void signal(debug_info_param info) override {
    fail(test_result_other_violation, violation::misuse, "a thread cannot be signalled", info);
  }
  bool closes() const override { return false; }
  void* result() const { return result_; }
  unsigned id() const { return id_; }

 private:
  static void run(void* self) {
    auto* t = static_cast<kernel_thread*>(self);
    t->result_ = t->body_();
    const kernel_lock lock(t->where_);
    t->synchronize(t->where_);
    t->ended_ = true;
    hand_on(*t, t->where_);
  }

  std::function<void*()> body_;
  debug_info where_;
  kernel_thread* next_ = nullptr;
  unsigned id_ = 0;
  void* result_ = nullptr;
  bool ended_ = false;
};

// Linux's futex: the comparison and the sleep are one step, with a full fence on either side.
inline int futex_wait(const atomic<int>& word, int expected, bool timed, debug_info_param info) {
  atomic_thread_fence(std::memory_order_seq_cst, info);
  kernel_waiter self;
  bool blocks = false;
  {
    const kernel_lock lock(info);
    atomic_thread_fence(std::memory_order_seq_cst, info);
    blocks = word.load(std::memory_order_relaxed, info) == expected;
    self.address = &word;
    if (blocks) self.push(info);
  }
  auto end = kernel_waiter::woken::by_somebody;
  if (blocks) end = self.sleep(timed, true, info);
  atomic_thread_fence(std::memory_order_seq_cst, info);
  if (!blocks) return EWOULDBLOCK;
  if (end == kernel_waiter::woken::by_time) return ETIMEDOUT;
  return end == kernel_waiter::woken::by_nothing ? EINTR : 0;
}

inline int futex_wake(const atomic<int>& word, int most, debug_info_param info) {
  atomic_thread_fence(std::memory_order_seq_cst, info);
  int woken = 0;
  {
    const kernel_lock lock(info);
    for (; woken < most; ++woken) {
      unsigned able = 0;
      for (kernel_waiter* w = current_session->waiting; w != nullptr; w = w->next)
        if (w->address == &word) ++able;
      if (able == 0) break;
      unsigned which = 0;
      if (able > static_cast<unsigned>(most - woken))
        which = here().choose(able, fencepost::verify::budget::none, info);
      kernel_waiter* w = current_session->waiting;
      while (w->address != &word || which-- > 0) w = w->next;
      w->wake(info);
    }
  }
  atomic_thread_fence(std::memory_order_seq_cst, info);
  return woken;
}

// An object of a C interface, which exists between the calls that initialize and destroy it.
template <class T>
class late {
 public:
  late() = default;
  late(const late&) = delete;
  late& operator=(const late&) = delete;

  template <class... Arguments>
  void begin(test_result_e if_there, debug_info_param info, Arguments&&... arguments) {
    if (there_) fail(if_there, violation::misuse, "the object is initialized twice", info);
    new (storage_) T(std::forward<Arguments>(arguments)...);
    there_ = true;
  }
  void end(test_result_e if_not, debug_info_param info) {
    T& object = get(if_not, info);
    there_ = false;
    object.~T();
  }
  T& get(test_result_e if_not, debug_info_param info) {
    if (!there_)
      fail(if_not, violation::misuse, "the object is used before it is initialized", info);
    return *reinterpret_cast<T*>(storage_);
  }

 private:
  alignas(T) unsigned char storage_[sizeof(T)];
  bool there_ = false;
};

}  // namespace rl::detail
