// The programs that the checker is timed on, as scenarios: small ones with many executions.
//
// The number of executions of each program is known: counted by hand (the comment says how), or
// agreed on by other checkers. A size that is a template parameter is the size in the benchmark's
// name.
#pragma once

#include <atomic>
#include <cstdint>

#include "fencepost/scenario/scenario.hpp"
#if defined(BENCH_PROGRAM)
#include "fencepost/atomics/std_atomics.hpp"
#else
#include "fencepost/verify/checked_atomics.hpp"
#endif

namespace fencepost::bench {

#if defined(BENCH_PROGRAM)  // compiled as it is: programs/as_it_is.cpp
using policy = std_atomics;
#else
using policy = checked_atomics;
#endif
inline constexpr auto relaxed = std::memory_order_relaxed;
inline constexpr auto acquire = std::memory_order_acquire;
inline constexpr auto release = std::memory_order_release;
inline constexpr auto seq_cst = std::memory_order_seq_cst;

constexpr std::uint64_t factorial(unsigned n) { return n < 2 ? 1 : n * factorial(n - 1); }

// The cost that every program has: starting the process, and checking a few events.
struct nothing {
  static constexpr auto about = scenario{.name = "nothing", .threads = 1};
  static constexpr std::uint64_t executions = 1;
  policy::atomic<int> x{0};
  void thread(unsigned) { x.store(1, relaxed); }
};

// Each thread adds to one counter. Executions: the orders of the threads.
template <unsigned Threads>
struct fetch_add {
  static constexpr auto about = scenario{.name = "fetch_add", .threads = Threads};
  static constexpr std::uint64_t executions = factorial(Threads);
  policy::atomic<int> counter{0};
  void thread(unsigned) { counter.fetch_add(1, relaxed); }
};

// Store buffering: in each round a thread writes its own location and reads the other two.
template <unsigned Rounds>
struct store_buffering {
  static constexpr auto about = scenario{.name = "store_buffering", .threads = 3};
  static constexpr std::uint64_t executions = Rounds == 2 ? 5'107 : Rounds == 3 ? 1'494'859 : 0;
  policy::atomic<unsigned> own[3];
  void thread(unsigned index) {
    for (unsigned round = 1; round <= Rounds; ++round) {
      own[index].store(round, relaxed);
      policy::fence(seq_cst);
      static_cast<void>(own[(index + 1) % 3].load(relaxed));
      static_cast<void>(own[(index + 2) % 3].load(relaxed));
    }
  }
};

// Store buffering in a ring: a thread writes its own location and reads its neighbour's.
// Executions: each thread reads one of two values, but not all threads read the old one.
template <unsigned Threads>
struct store_buffering_ring {
  static constexpr auto about = scenario{.name = "store_buffering_ring", .threads = Threads};
  static constexpr std::uint64_t executions = (std::uint64_t{1} << Threads) - 1;
  policy::atomic<int> own[Threads];
  void thread(unsigned index) {
    own[index].store(1, relaxed);
    policy::fence(seq_cst);
    static_cast<void>(own[(index + 1) % Threads].load(relaxed));
  }
};

// Each thread takes a ticket, waits for its turn and writes. Executions: the orders of the tickets.
template <unsigned Threads>
struct ticket_lock {
  static constexpr auto about = scenario{.name = "ticket_lock", .threads = Threads};
  static constexpr std::uint64_t executions = factorial(Threads);
  policy::atomic<unsigned> next{0}, serving{0};
  policy::plain<unsigned> guarded{0};
  void thread(unsigned index) {
    const unsigned ticket = next.fetch_add(1, relaxed);
    // acquire: pairs with the release below, so that the lock's holders follow one another
    while (serving.load(acquire) != ticket) policy::spin_pause();
    guarded.set(index);
    require(guarded.get() == index, "one thread at a time");
    serving.store(serving.load(relaxed) + 1, release);  // pairs with the acquire above
  }
};

// Each thread locks, writes and unlocks. Executions: the orders of the threads.
template <unsigned Threads>
struct mutex_lock {
  static constexpr auto about = scenario{.name = "mutex", .threads = Threads};
  static constexpr std::uint64_t executions = factorial(Threads);
  policy::mutex mutex;
  policy::plain<unsigned> guarded{0};
  void thread(unsigned index) {
    mutex.lock();
    guarded.set(index);
    require(guarded.get() == index, "one thread at a time");
    mutex.unlock();
  }
};

// Each thread locks a mutex and increments each word of a buffer. Executions: the orders of the
// threads.
template <unsigned Threads, unsigned Words>
struct guarded_buffer {
  static constexpr auto about = scenario{.name = "guarded_buffer", .threads = Threads};
  static constexpr std::uint64_t executions = factorial(Threads);
  struct word {
    policy::plain<unsigned> value{0};
  };
  policy::mutex mutex;
  word buffer[Words];
  void thread(unsigned) {
    mutex.lock();
    for (word& w : buffer) w.value.set(w.value.get() + 1);
    mutex.unlock();
  }
};

// A ladder of compare-and-swaps, GenMC's `casrot`: thread i, from 0, swaps i for i + 1.
// Executions: if threads 0 … k-1 succeed and k does not, k reads one of the k values below its
// own, and each later thread reads one of k + 1.
template <unsigned Threads>
struct cas_ladder {
  static constexpr auto about = scenario{.name = "cas_ladder", .threads = Threads};
  static constexpr std::uint64_t executions = [] {
    std::uint64_t all = 1;  // all succeed
    for (std::uint64_t k = 1; k < Threads; ++k) {
      std::uint64_t these = k;
      for (std::uint64_t later = k + 1; later < Threads; ++later) these *= k + 1;
      all += these;
    }
    return all;
  }();
  policy::atomic<unsigned> x{0};
  void thread(unsigned index) {
    unsigned expected = index;
    x.compare_exchange_strong(expected, index + 1, relaxed, relaxed);
  }
};

// Compare-and-swaps among stores, GenMC's `casw`: a thread swaps 0 for 1, then stores a value of
// its own. Executions: the count of GenMC's own tests.
template <unsigned Threads>
struct cas_and_store {
  static constexpr auto about = scenario{.name = "cas_and_store", .threads = Threads};
  static constexpr std::uint64_t executions = Threads == 4 ? 1'200 : Threads == 5 ? 32'880 : 0;
  policy::atomic<unsigned> x{0};
  void thread(unsigned index) {
    unsigned expected = 0;
    x.compare_exchange_strong(expected, 1, relaxed, relaxed);
    x.store(index + 3, release);  // nothing acquires it: the order is the original program's
  }
};

// Each thread pushes a node onto Treiber's stack, then pops one.
template <unsigned Threads>
struct treiber_stack {
  static constexpr auto about = scenario{.name = "treiber_stack", .threads = Threads};
  // There are twelve more with idle turns, which are left out.
  static constexpr std::uint64_t executions = Threads == 3 ? 25'668 : 0;
  struct node {
    policy::plain<node*> next{nullptr};
  };
  policy::atomic<node*> top{nullptr};
  node nodes[Threads];

  void thread(unsigned index) {
    push(nodes[index]);
    pop();
  }
  void push(node& mine) {
    node* old = top.load(relaxed);
    do {
      mine.next.set(old);
      // release: pairs with the acquires in pop(), which then read next
    } while (!top.compare_exchange_strong(old, &mine, release, relaxed));
  }
  void pop() {
    node* old = top.load(acquire);  // pairs with the release in push()
    while (old != nullptr &&
           // both acquires pair with the release in push(); release: hands next on to pop()
           !top.compare_exchange_strong(old, old->next.get(), std::memory_order_acq_rel, acquire)) {
    }
  }
};

}  // namespace fencepost::bench
