// A priority queue of delayed tasks: the earliest first, and among tasks that are due at the same
// time the one that was added first.
//
// Tasks that have been stopped, whose call would do nothing, are removed when there is no room, and
// before more is allocated: a program that gives each request a time limit, and stops nearly all of
// these long before they are due, keeps no more of them than there is room for.
//
// Threads: one thread at a time. Costs: push and pop, O(log n) moves of a task; a push allocates,
// and may throw std::bad_alloc, only if more tasks are waiting than ever before, and than half of
// the room. Removing those that have been stopped takes O(n), once in n / 2 pushes at most.
// Source: Perfetto's sorted vector (PERF-34), as a heap: its insertion is O(n).
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace fencepost {

template <class Task>
class delayed_tasks {
 public:
  using time_point = std::chrono::steady_clock::time_point;

  void reserve(std::size_t tasks) { heap_.reserve(tasks); }
  // After this the next push does not allocate. Returns how many tasks it has removed that had been
  // stopped. Throws std::bad_alloc.
  std::size_t make_room() {
    if (heap_.size() != heap_.capacity()) return 0;
    const std::size_t removed = remove_stopped();
    if (2 * heap_.size() >= heap_.capacity()) heap_.reserve(2 * heap_.size() + 1);
    return removed;
  }
  void push(time_point due, Task&& task) {
    heap_.push_back(entry{due, next_++, std::move(task)});
    std::push_heap(heap_.begin(), heap_.end(), later);
  }

  [[nodiscard]] bool empty() const noexcept { return heap_.empty(); }
  [[nodiscard]] std::size_t size() const noexcept { return heap_.size(); }
  // When the first task is due. There must be one.
  [[nodiscard]] time_point next_due() const noexcept { return heap_.front().due; }
  // Removes and returns the first task, if it is due.
  [[nodiscard]] std::optional<Task> pop(time_point now) {
    if (heap_.empty() || heap_.front().due > now) return std::nullopt;
    std::pop_heap(heap_.begin(), heap_.end(), later);
    std::optional<Task> task{std::move(heap_.back().task)};
    heap_.pop_back();
    return task;
  }
  void swap(delayed_tasks& other) noexcept {
    heap_.swap(other.heap_);
    std::swap(next_, other.next_);
  }

 private:
  struct entry {
    time_point due;
    std::uint64_t sequence;
    Task task;
  };
  static bool later(const entry& a, const entry& b) noexcept {
    return a.due != b.due ? a.due > b.due : a.sequence > b.sequence;
  }

  std::size_t remove_stopped() {
    if constexpr (requires(const Task& task) { task.stopped(); }) {
      const auto end = std::partition(heap_.begin(), heap_.end(),
                                      [](const entry& each) { return !each.task.stopped(); });
      if (end == heap_.end()) return 0;
      std::make_heap(heap_.begin(), end, later);
      const auto kept = static_cast<std::size_t>(end - heap_.begin());
      const std::size_t removed = heap_.size() - kept;
      while (heap_.size() > kept) {
        [[maybe_unused]] const Task last = std::move(heap_.back().task);
        heap_.pop_back();
      }  // destroyed when it is no longer there: what it has captured may ask the runner
      return removed;
    } else {
      return 0;
    }
  }

  std::vector<entry> heap_;
  std::uint64_t next_ = 0;
};

}  // namespace fencepost
