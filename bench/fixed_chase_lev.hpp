// Chase and Lev's work-stealing deque with the fences of Lê, Pop, Cohen and Zappa Nardelli
// ("Correct and efficient work-stealing for weak memory models", PPoPP 2013): a program to time the
// checker on. The array does not grow, and does not wrap around.
//
// Threads: one thread, the owner, calls push() and take(); any thread, steal().
#pragma once

#include <atomic>

namespace fencepost::bench {

template <class P, unsigned Capacity>
class chase_lev {
 public:
  static constexpr unsigned none = ~0u;  // take() and steal() return it if there is no task

  void push(unsigned task) {
    const int bottom = bottom_.load(std::memory_order_relaxed);
    tasks_[bottom].store(task, std::memory_order_relaxed);
    P::fence(std::memory_order_release);  // pairs with the acquire load of bottom_ in steal()
    bottom_.store(bottom + 1, std::memory_order_relaxed);
  }

  unsigned take() {
    const int bottom = bottom_.load(std::memory_order_relaxed) - 1;
    bottom_.store(bottom, std::memory_order_relaxed);
    P::fence(std::memory_order_seq_cst);  // pairs with the fence in steal()
    int top = top_.load(std::memory_order_relaxed);
    if (top > bottom) {
      bottom_.store(bottom + 1, std::memory_order_relaxed);
      return none;
    }
    const unsigned task = tasks_[bottom].load(std::memory_order_relaxed);
    if (top < bottom) return task;
    const bool mine = top_.compare_exchange_strong(top, top + 1, std::memory_order_seq_cst,
                                                   std::memory_order_relaxed);
    bottom_.store(bottom + 1, std::memory_order_relaxed);
    return mine ? task : none;
  }

  unsigned steal() {
    int top = top_.load(std::memory_order_acquire);  // pairs with the exchanges of top_
    P::fence(std::memory_order_seq_cst);             // pairs with the fence in take()
    if (top >= bottom_.load(std::memory_order_acquire)) return none;  // pairs with push()'s fence
    const unsigned task = tasks_[top].load(std::memory_order_relaxed);
    return top_.compare_exchange_strong(top, top + 1, std::memory_order_seq_cst,
                                        std::memory_order_relaxed)
               ? task
               : none;
  }

 private:
  typename P::template atomic<int> top_{0}, bottom_{0};
  typename P::template atomic<unsigned> tasks_[Capacity];
};

}  // namespace fencepost::bench
