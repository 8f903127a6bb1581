// A work-stealing deque of Chase and Lev's kind with a ring of fixed size, as in GenMC's suite, and
// a program on it. In GenMC's version the cells are plain, and its race detection is off; here they
// are relaxed atomics, which have the same executions.
#pragma once

#include <atomic>
#include <cstdint>

#include "../checker_programs.hpp"

namespace fencepost::bench {

// Threads: one, the owner, calls push() and pop(); any thread, steal(). The results are discarded:
// nothing depends on them.
template <unsigned Capacity>
class bounded_deque {
 public:
  void push(int item) {
    const int bottom = bottom_.load(relaxed);
    const int top = top_.load(acquire);  // pairs with the exchanges of top_
    if (bottom - top >= static_cast<int>(Capacity)) return;
    cell(bottom).store(item, relaxed);
    bottom_.store(bottom + 1, release);  // pairs with the acquire in steal()
  }

  void pop() {
    const int bottom = bottom_.load(relaxed);
    bottom_.store(bottom - 1, relaxed);
    policy::fence(seq_cst);  // pairs with the fence in steal()
    int top = top_.load(relaxed);
    if (bottom > top) {
      static_cast<void>(cell(bottom - 1).load(relaxed));
      if (bottom - top > 1) return;
      // acquire: pairs with the exchanges of steal(); release: no partner, as in GenMC's suite
      top_.compare_exchange_strong(top, top + 1, std::memory_order_acq_rel, acquire);
    }
    bottom_.store(bottom, relaxed);
  }

  void steal() {
    int top = top_.load(relaxed);
    policy::fence(seq_cst);                    // pairs with the fence in pop()
    if (bottom_.load(acquire) <= top) return;  // pairs with the release in push()
    static_cast<void>(cell(top).load(relaxed));
    top_.compare_exchange_strong(top, top + 1, release, relaxed);  // pairs with push() and pop()
  }

 private:
  policy::atomic<int>& cell(int position) {
    return cells_[static_cast<unsigned>(position) % Capacity];
  }

  policy::atomic<int> bottom_{0}, top_{0};
  policy::atomic<int> cells_[Capacity];
};

// The owner pushes `First` items, pops `Pops` times and pushes `Second` more; each of `Thieves`
// thieves steals `Steals` times. Executions: both checkers agree.
template <int First, int Pops, int Second, unsigned Thieves, int Steals, std::uint64_t Executions>
struct bounded_deque_steals {
  static constexpr auto about = scenario{.name = "bounded_deque", .threads = Thieves + 1};
  static constexpr std::uint64_t executions = Executions;
  bounded_deque<10> deque;
  void thread(unsigned index) {
    if (index != 0) {
      for (int i = 0; i < Steals; ++i) deque.steal();
      return;
    }
    for (int i = 0; i < First; ++i) deque.push(i + 1);
    for (int i = 0; i < Pops; ++i) deque.pop();
    for (int i = 0; i < Second; ++i) deque.push(First + i + 1);
  }
};

}  // namespace fencepost::bench
