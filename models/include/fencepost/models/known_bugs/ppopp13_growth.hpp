// N. M. Lê, A. Pop, A. Cohen, F. Zappa Nardelli, "Correct and efficient work-stealing for weak
// memory models" (PPoPP 2013): the C11 version of the Chase-Lev deque from which most libraries
// started. Its thief loads the pointer to the array relaxed.
//
// What was wrong: push stores a new, larger array, and then back. A thief that reads an old back,
// with items below it, may still read the new array's pointer, and nothing orders the array's size
// and contents before the thief's reads of them. Found by CDSChecker (B. Norris, B. Demsky,
// OOPSLA 2013). Repair: a release store and an acquire load of the pointer.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <memory>

#include "fencepost/scenario/scenario.hpp"
#include "fencepost/scenario/scenario_list.hpp"

namespace fencepost::models::known_bugs {

namespace ppopp13_growth_scenarios {

// Push with growth, and steal; the orders are the paper's, except those of the array.
template <class P, std::memory_order Store, std::memory_order Load>
class deque {
 public:
  explicit deque(std::size_t size) { grow(size); }

  void push(int item) {
    const std::size_t bottom = bottom_.load(std::memory_order_relaxed);
    const std::size_t top = top_.load(std::memory_order_acquire);
    if (bottom - top == newest().size.get()) grow(2 * newest().size.get());
    newest()[bottom].store(item, std::memory_order_relaxed);
    P::fence(std::memory_order_release);
    bottom_.store(bottom + 1, std::memory_order_relaxed);
  }

  // Returns 0 if it steals nothing.
  int steal() {
    std::size_t top = top_.load(std::memory_order_acquire);
    P::fence(std::memory_order_seq_cst);
    if (top >= bottom_.load(std::memory_order_acquire)) return 0;
    const int item = (*array_.load(Load))[top].load(std::memory_order_relaxed);
    const bool mine = top_.compare_exchange_strong(top, top + 1, std::memory_order_seq_cst,
                                                   std::memory_order_relaxed);
    return mine ? item : 0;
  }

 private:
  using slot = typename P::template atomic<int>;
  struct array {
    typename P::template plain<std::size_t> size;
    std::unique_ptr<slot[]> slots;

    explicit array(std::size_t n) : size(n), slots(std::make_unique<slot[]>(n)) {}
    slot& operator[](std::size_t index) { return slots[index % size.get()]; }
  };

  array& newest() { return *all_[arrays_ - 1]; }
  void grow(std::size_t size) {
    auto larger = std::make_unique<array>(size);
    const std::size_t end = bottom_.load(std::memory_order_relaxed);
    for (std::size_t i = top_.load(std::memory_order_relaxed); i < end; ++i) {
      (*larger)[i].store(newest()[i].load(std::memory_order_relaxed), std::memory_order_relaxed);
    }
    array_.store(larger.get(), Store);
    all_[arrays_++] = std::move(larger);
  }

  typename P::template atomic<std::size_t> top_{0}, bottom_{0};
  typename P::template atomic<array*> array_{nullptr};
  std::array<std::unique_ptr<array>, 2> all_;  // kept to the end: reclamation is not the subject
  std::size_t arrays_ = 0;
};

template <class Deque>
struct growth_against_steal {
  Deque items{1};
  void before() { items.push(7); }
  void thread(unsigned index) {
    if (index == 0) {
      items.push(8);
    } else {
      const int item = items.steal();
      require(item == 0 || item == 7, "the item stolen is the first");
    }
  }
};

template <class P>
struct published
    : growth_against_steal<deque<P, std::memory_order_relaxed, std::memory_order_relaxed>> {
  static constexpr auto about =
      scenario{.name = "known_bugs/ppopp13_growth",
               .threads = 2,
               .claim = "a thief that reads an old back reads an unpublished new array",
               .expected = violation::data_race};
};

template <class P>
struct repaired
    : growth_against_steal<deque<P, std::memory_order_release, std::memory_order_acquire>> {
  static constexpr auto about =
      scenario{.name = "known_bugs/ppopp13_growth_repaired",
               .threads = 2,
               .claim = "with release and acquire on its pointer, the array is fully published"};
};

}  // namespace ppopp13_growth_scenarios

using ppopp13_growth_list =
    scenario_list<ppopp13_growth_scenarios::published, ppopp13_growth_scenarios::repaired>;

}  // namespace fencepost::models::known_bugs
