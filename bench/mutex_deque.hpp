// The baseline for the benchmarks of lock-free deques and queues: a std::deque behind a mutex.
#pragma once

#include <deque>
#include <mutex>
#include <optional>

namespace fencepost::bench {

template <class T>
class mutex_deque {
 public:
  void push(T item) {
    const std::lock_guard lock{mutex_};
    items_.push_back(item);
  }
  std::optional<T> pop_back() {
    const std::lock_guard lock{mutex_};
    if (items_.empty()) return std::nullopt;
    const T item = items_.back();
    items_.pop_back();
    return item;
  }
  std::optional<T> pop_front() {
    const std::lock_guard lock{mutex_};
    if (items_.empty()) return std::nullopt;
    const T item = items_.front();
    items_.pop_front();
    return item;
  }

 private:
  std::mutex mutex_;
  std::deque<T> items_;
};

// The owner pops the newest item, thieves steal the oldest.
template <class T>
struct mutex_work_deque : mutex_deque<T> {
  std::optional<T> pop() { return this->pop_back(); }
  std::optional<T> steal() { return this->pop_front(); }
};

template <class T>
struct mutex_queue : mutex_deque<T> {
  std::optional<T> pop() { return this->pop_front(); }
};

}  // namespace fencepost::bench
