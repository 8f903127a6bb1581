// rl::mutex, rl::recursive_mutex, rl::shared_mutex, and the guards that lock them.
#pragma once

#include <algorithm>
#include <iterator>
#include <mutex>
#include <utility>

#include "fencepost/compat/relacy/base.hpp"

namespace rl {

namespace detail {

class basic_mutex {
 public:
  basic_mutex(bool recursive, debug_info_param info)
      : lock_(info), made_(info), recursive_(recursive) {}
  ~basic_mutex() {
    if (depth_ != 0)
      fail(test_result_destroying_owned_mutex, violation::misuse,
           "a mutex is destroyed while it is locked", made_);
  }
  basic_mutex(const basic_mutex&) = delete;
  basic_mutex& operator=(const basic_mutex&) = delete;

  void lock(debug_info_param info = debug_info::current()) {
    if (again(info)) return;
    lock_.lock(info);
    taken();
  }
  bool try_lock(debug_info_param info = debug_info::current()) {
    if (again(info)) return true;
    if (!lock_.try_lock(info)) return false;
    taken();
    return true;
  }
  void unlock(debug_info_param info = debug_info::current()) {
    if (!mine())
      fail(test_result_unlocking_mutex_wo_ownership, violation::misuse,
           "a mutex is unlocked by a thread that does not hold it", info);
    if (--depth_ != 0) return;
    owner_ = nobody;
    lock_.unlock(info);
  }

 private:
  static constexpr unsigned nobody = ~0U;

  // A caller that does not hold the mutex reads another thread's number, or `nobody`.
  [[nodiscard]] bool mine() const { return owner_ == here().this_thread(); }
  void taken() {
    owner_ = here().this_thread();
    depth_ = 1;
  }
  bool again(debug_info_param info) {
    if (!mine()) return false;
    if (!recursive_)
      fail(test_result_recursion_on_nonrecursive_mutex, violation::misuse,
           "a mutex is locked by the thread that holds it", info);
    ++depth_;
    return true;
  }

  counted_object counted_;
  checked_atomics::mutex lock_;
  debug_info made_;
  bool recursive_;
  unsigned owner_ = nobody;
  unsigned depth_ = 0;
};

}  // namespace detail

// Its owner must not lock it again.
class mutex : public detail::basic_mutex {
 public:
  mutex(debug_info_param info = debug_info::current()) : basic_mutex(false, info) {}
};

class recursive_mutex : public detail::basic_mutex {
 public:
  recursive_mutex(debug_info_param info = debug_info::current()) : basic_mutex(true, info) {}
};

// Held by one writer or several readers, and by no thread twice.
class shared_mutex {
 public:
  shared_mutex(debug_info_param info = debug_info::current()) : state_(0, info), made_(info) {}
  ~shared_mutex() {
    if (writer_ != nobody ||
        std::find(std::begin(reads_), std::end(reads_), true) != std::end(reads_))
      detail::fail(test_result_destroying_owned_mutex, detail::violation::misuse,
                   "a mutex is destroyed while it is locked", made_);
  }
  shared_mutex(const shared_mutex&) = delete;
  shared_mutex& operator=(const shared_mutex&) = delete;

  void lock(debug_info_param info = debug_info::current()) {
    while (!try_lock(info)) detail::checked_atomics::spin_pause();
  }
  bool try_lock(debug_info_param info = debug_info::current()) {
    require_free(info, test_result_recursion_on_nonrecursive_mutex,
                 test_result_mutex_read_to_write_upgrade);
    int none = 0;
    if (!state_.compare_exchange_strong(none, -1, std::memory_order_acquire,
                                        std::memory_order_relaxed, info))
      return false;
    writer_ = detail::here().this_thread();
    return true;
  }
  void lock_shared(debug_info_param info = debug_info::current()) {
    while (!try_lock_shared(info)) detail::checked_atomics::spin_pause();
  }
  bool try_lock_shared(debug_info_param info = debug_info::current()) {
    require_free(info, test_result_mutex_write_to_read_upgrade,
                 test_result_recursion_on_nonrecursive_mutex);
    int readers = state_.load(std::memory_order_relaxed, info);
    while (readers >= 0)
      if (state_.compare_exchange_strong(readers, readers + 1, std::memory_order_acquire,
                                         std::memory_order_relaxed, info)) {
        reads() = true;
        return true;
      }
    return false;
  }
  void unlock(debug_info_param info = debug_info::current()) {
    if (writer_ != detail::here().this_thread()) not_held(info);
    writer_ = nobody;
    state_.store(0, std::memory_order_release, info);
  }
  void unlock_shared(debug_info_param info = debug_info::current()) {
    if (!reads()) not_held(info);
    reads() = false;
    state_.fetch_sub(1, std::memory_order_release, info);
  }
  // Unlocks whichever side this thread holds.
  void unlock_any(debug_info_param info = debug_info::current()) {
    if (reads())
      unlock_shared(info);
    else
      unlock(info);
  }

 private:
  static constexpr unsigned nobody = ~0U;

  // Each thread accesses only its own element.
  bool& reads() { return reads_[detail::here().this_thread()]; }
  void require_free(debug_info_param info, test_result_e if_writer, test_result_e if_reader) {
    const bool writes = writer_ == detail::here().this_thread();
    if (writes || reads())
      detail::fail(writes ? if_writer : if_reader, detail::violation::misuse,
                   "a shared mutex is locked by a thread that holds it", info);
  }
  [[noreturn]] static void not_held(debug_info_param info) {
    detail::fail(test_result_unlocking_mutex_wo_ownership, detail::violation::misuse,
                 "a shared mutex is unlocked by a thread that does not hold it in this mode", info);
  }

  detail::counted_object counted_;
  detail::checked_atomics::atomic<int> state_;  // -1: a writer; otherwise the number of readers
  debug_info made_;
  unsigned writer_ = nobody;
  bool reads_[detail::max_threads] = {};
};

using std::adopt_lock;
using std::adopt_lock_t;
using std::defer_lock;
using std::defer_lock_t;
using std::scoped_lock;
using std::try_to_lock;
using std::try_to_lock_t;

template <class Mutex>
class lock_guard {
 public:
  using mutex_type = Mutex;
  explicit lock_guard(Mutex& m, debug_info_param info = debug_info::current()) : mutex_(m) {
    m.lock(info);
  }
  lock_guard(Mutex& m, adopt_lock_t) : mutex_(m) {}
  ~lock_guard() { mutex_.unlock(); }
  lock_guard(const lock_guard&) = delete;
  lock_guard& operator=(const lock_guard&) = delete;

 private:
  Mutex& mutex_;
};

template <class Mutex>
class unique_lock {
 public:
  using mutex_type = Mutex;
  unique_lock() = default;
  explicit unique_lock(Mutex& m, debug_info_param info = debug_info::current()) : mutex_(&m) {
    lock(info);
  }
  unique_lock(Mutex& m, defer_lock_t) : mutex_(&m) {}
  unique_lock(Mutex& m, adopt_lock_t) : mutex_(&m), owns_(true) {}
  unique_lock(Mutex& m, try_to_lock_t, debug_info_param info = debug_info::current())
      : mutex_(&m), owns_(m.try_lock(info)) {}
  ~unique_lock() {
    if (owns_) mutex_->unlock();
  }
  unique_lock(unique_lock&& other) noexcept { swap(other); }
  unique_lock& operator=(unique_lock&& other) noexcept {
    unique_lock(std::move(other)).swap(*this);
    return *this;
  }

  void lock(debug_info_param info = debug_info::current()) {
    mutex_->lock(info);
    owns_ = true;
  }
  bool try_lock(debug_info_param info = debug_info::current()) {
    return owns_ = mutex_->try_lock(info);
  }
  void unlock(debug_info_param info = debug_info::current()) {
    owns_ = false;
    mutex_->unlock(info);
  }
  void swap(unique_lock& other) noexcept {
    std::swap(mutex_, other.mutex_);
    std::swap(owns_, other.owns_);
  }
  Mutex* release() noexcept {
    owns_ = false;
    return std::exchange(mutex_, nullptr);
  }
  [[nodiscard]] bool owns_lock() const noexcept { return owns_; }
  explicit operator bool() const noexcept { return owns_; }
  [[nodiscard]] Mutex* mutex() const noexcept { return mutex_; }

 private:
  Mutex* mutex_ = nullptr;
  bool owns_ = false;
};

}  // namespace rl
