// The deque of "Phanes, Part 4: Lock-Free", an article on a lock-free Chase-Lev deque, rewritten
// from its description; the article's statements are checked in phanes_*.hpp. It has no scenarios.
//
// Indices and steps are the article's: a sequentially consistent fence in pop and in steal, and
// sequentially consistent exchanges. Its faults are separated by choices: the defaults are the
// article's, and a scenario repairs all of them but the one that it is about.
//
// Threads: one thread, the owner, push() and pop(); any thread steal().
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include "fencepost/deque/chase_lev.hpp"  // steal_outcome

namespace fencepost::models::published {

struct phanes_choices {
  bool atomic_slots = false;                                     // PHANES-16
  std::memory_order pop_back = std::memory_order_relaxed;        // PHANES-15: pop's store of back
  bool pop_fence = true;                                         // PHANES-18
  std::memory_order steal_buffer = std::memory_order_relaxed;    // PHANES-22: steal's load
  bool keep_buffers = true;                                      // PHANES-26, 27
  std::memory_order pop_exchange = std::memory_order_seq_cst;    // PHANES-25
  std::memory_order steal_exchange = std::memory_order_seq_cst;  // PHANES-25
};
inline constexpr phanes_choices phanes_repaired{.atomic_slots = true,
                                                .pop_back = std::memory_order_release,
                                                .steal_buffer = std::memory_order_acquire};

template <class T, class P, phanes_choices Choices>
class phanes_deque {
 public:
  explicit phanes_deque(std::int64_t capacity) {
    all_.push_back(std::make_unique<ring>(capacity));
    buffer_.store(all_.back().get(), std::memory_order_relaxed);
  }

  void push(T item) {
    const auto back = back_.load(std::memory_order_relaxed);
    const auto front = front_.load(std::memory_order_acquire);
    auto* items = buffer_.load(std::memory_order_relaxed);
    if (back - front > items->mask.get()) {
      auto larger = std::make_unique<ring>(2 * (items->mask.get() + 1));
      for (auto i = front; i < back; ++i) larger->set(i, items->get(i));
      items = larger.get();
      buffer_.store(items, std::memory_order_release);
      if (!Choices.keep_buffers) all_.clear();
      all_.push_back(std::move(larger));
    }
    items->set(back, item);
    back_.store(back + 1, std::memory_order_release);
  }

  std::optional<T> pop() {
    const auto last = back_.load(std::memory_order_relaxed) - 1;
    back_.store(last, Choices.pop_back);
    if (Choices.pop_fence) P::fence(std::memory_order_seq_cst);
    auto front = front_.load(std::memory_order_relaxed);
    if (front < last) return buffer_.load(std::memory_order_relaxed)->get(last);
    const bool mine =
        front == last && front_.compare_exchange_strong(front, last + 1, Choices.pop_exchange,
                                                        std::memory_order_relaxed);
    back_.store(last + 1, std::memory_order_relaxed);
    if (!mine) return std::nullopt;
    return buffer_.load(std::memory_order_relaxed)->get(last);
  }

  // As the article's, with the reason: its nothing is "empty" or "lost the race" (PHANES-01).
  struct theft {
    steal_outcome outcome;
    T item{};
  };
  theft steal() {
    auto front = front_.load(std::memory_order_relaxed);
    P::fence(std::memory_order_seq_cst);
    const auto back = back_.load(std::memory_order_acquire);
    if (front >= back) return {steal_outcome::no_work};
    const T item = buffer_.load(Choices.steal_buffer)->get(front);
    if (!front_.compare_exchange_strong(front, front + 1, Choices.steal_exchange,
                                        std::memory_order_relaxed)) {
      return {steal_outcome::retry};
    }
    return {steal_outcome::stolen, item};
  }

  std::int64_t capacity() { return buffer_.load(std::memory_order_relaxed)->mask.get() + 1; }

 private:
  struct plain_slot {
    typename P::template plain<T> value{};
    T get() const { return value.get(); }
    void set(T item) { value.set(item); }
  };
  struct atomic_slot {
    typename P::template atomic<T> value{};
    T get() const { return value.load(std::memory_order_relaxed); }
    void set(T item) { value.store(item, std::memory_order_relaxed); }
  };
  using slot = std::conditional_t<Choices.atomic_slots, atomic_slot, plain_slot>;

  struct ring {
    typename P::template plain<std::int64_t> mask;
    std::unique_ptr<slot[]> slots;

    explicit ring(std::int64_t capacity)
        : mask(capacity - 1), slots(std::make_unique<slot[]>(static_cast<std::size_t>(capacity))) {}
    T get(std::int64_t index) const { return slots[at(index)].get(); }
    void set(std::int64_t index, T item) { slots[at(index)].set(item); }
    std::size_t at(std::int64_t index) const {
      return static_cast<std::size_t>(index & mask.get());
    }
  };

  typename P::template atomic<std::int64_t> front_{0}, back_{0};
  typename P::template atomic<ring*> buffer_{nullptr};
  std::vector<std::unique_ptr<ring>> all_;
};

}  // namespace fencepost::models::published
