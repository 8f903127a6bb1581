// The programs on which the checker is compared with GenMC: tests of GenMC's own suite, written for
// the policy. Programs that are also timed elsewhere are in bench/checker_programs.hpp.
//
// A comment says where the number of executions comes from. "Agreed" means that nobody has derived
// it, but both checkers find it.
#pragma once

#include <cstdint>

#include "../checker_programs.hpp"

namespace fencepost::bench {

constexpr std::uint64_t power_of_two(unsigned n) { return std::uint64_t{1} << n; }

// Store buffering in a ring, without fences: the accesses are sequentially consistent.
template <unsigned Threads>
struct store_buffering_ring_accesses {
  static constexpr auto about =
      scenario{.name = "store_buffering_ring_accesses", .threads = Threads};
  static constexpr std::uint64_t executions = power_of_two(Threads) - 1;
  policy::atomic<int> own[Threads];
  void thread(unsigned index) {
    own[index].store(1, seq_cst);
    static_cast<void>(own[(index + 1) % Threads].load(seq_cst));
  }
};

// One thread stores 2, the others swap 2 for 3. Executions: one of them succeeds, and each of the
// others reads 0 or 3; or none succeeds, and all read 0.
template <unsigned Swaps>
struct failing_swaps {
  static constexpr auto about = scenario{.name = "failing_swaps", .threads = Swaps + 1};
  static constexpr std::uint64_t executions = Swaps * power_of_two(Swaps - 1) + 1;
  policy::atomic<int> x{0};
  void thread(unsigned index) {
    if (index == 0) return x.store(2, release);  // nothing acquires it, as in the original
    int expected = 2;
    x.compare_exchange_strong(expected, 3, relaxed, relaxed);
  }
};

// Two threads store 1, 2, 3 to two locations each, in turn; two threads load all four, in turn.
// Executions: agreed.
template <unsigned Long, unsigned Short, std::uint64_t Executions>
struct four_locations {
  static constexpr auto about = scenario{.name = "four_locations", .threads = 4};
  static constexpr std::uint64_t executions = Executions;
  policy::atomic<int> location[4];  // each store below is acquired by the loads of load_by_turns()
  void thread(unsigned index) {
    switch (index) {
      case 0: return load_by_turns(Long);
      case 1: return load_by_turns(Short);
      case 2: return store_by_turns(location[0], location[1]);
      default: return store_by_turns(location[2], location[3]);
    }
  }
  void load_by_turns(unsigned loads) {
    for (unsigned i = 0; i < loads; ++i) static_cast<void>(location[i % 4].load(acquire));
  }
  static void store_by_turns(policy::atomic<int>& first, policy::atomic<int>& second) {
    for (int value = 1; value <= 3; ++value) {
      first.store(value, release);
      second.store(value, release);
    }
  }
};

// Each thread increments a counter under a mutex. Executions: the orders of the threads.
template <unsigned Threads>
struct mutex_increment {
  static constexpr auto about = scenario{.name = "mutex_increment", .threads = Threads};
  static constexpr std::uint64_t executions = factorial(Threads);
  policy::mutex mutex;
  policy::atomic<int> counter{0};
  void thread(unsigned) {
    mutex.lock();
    counter.store(counter.load(relaxed) + 1, relaxed);
    mutex.unlock();
  }
};

// Two threads store x, load y or z, and load x again; Size - 1 threads store y and z. Executions:
// for y and for z the orders of the stores, times the values to read; x is read in four ways.
template <unsigned Size>
struct coherence_of_reads {
  static constexpr auto about = scenario{.name = "coherence_of_reads", .threads = Size + 1};
  static constexpr std::uint64_t executions = 4 * factorial(Size) * factorial(Size);
  policy::atomic<int> x{0}, y{0}, z{0};  // loads acquire, since all stores release
  void thread(unsigned index) {
    if (index < 2) {
      x.store(static_cast<int>(index) + 1, release);
      static_cast<void>((index == 0 ? y : z).load(acquire));
      static_cast<void>(x.load(acquire));
    } else {
      y.store(static_cast<int>(index), release);
      z.store(static_cast<int>(index), release);
    }
  }
};

// Each thread loads x, then stores to it. Executions: the orders of the stores; the thread of the
// k-th store reads one of the k values before it.
template <unsigned Threads>
struct read_write {
  static constexpr auto about = scenario{.name = "read_write", .threads = Threads};
  static constexpr std::uint64_t executions = factorial(Threads) * factorial(Threads);
  policy::atomic<int> x{0};
  void thread(unsigned index) {
    static_cast<void>(x.load(relaxed));
    x.store(static_cast<int>(index), release);  // nothing acquires it, as in the original
  }
};

// Two threads compute Fibonacci's numbers together, and a third asserts that they stay in bounds.
// Executions: agreed.
struct fibonacci {
  static constexpr auto about = scenario{.name = "fibonacci", .threads = 3};
  static constexpr std::uint64_t executions = 525'630;
  policy::atomic<int> x{1}, y{1};  // loads acquire, since all stores release
  void thread(unsigned index) {
    if (index == 2) {
      require(x.load(acquire) <= 144 && y.load(acquire) <= 144, "the twelfth number at most");
      return;
    }
    for (unsigned round = 0; round < 5; ++round) {
      const int sum_x = x.load(acquire);
      const int sum_y = y.load(acquire);
      (index == 0 ? x : y).store(sum_x + sum_y, release);
    }
  }
};

// One thread stores, the others load. Executions: each load reads one of two values.
template <unsigned Readers>
struct readers {
  static constexpr auto about = scenario{.name = "readers", .threads = Readers + 1};
  static constexpr std::uint64_t executions = power_of_two(Readers);
  policy::atomic<int> x{0};
  void thread(unsigned index) {
    if (index == 0)
      x.store(42, release);  // pairs with the acquire below
    else
      static_cast<void>(x.load(acquire));  // pairs with the release above
  }
};

// Thread i, from 1, stores the value of cell i - 1, plus one, to cell i; thread 0 searches for the
// last cell that is zero. Executions: agreed; the formula matches for 5, 10 and 15.
template <unsigned Size>
struct last_zero {
  static constexpr auto about = scenario{.name = "last_zero", .threads = Size + 1};
  static constexpr std::uint64_t executions = (Size + 3) * power_of_two(Size - 2);
  policy::atomic<int> cell[Size + 1];  // loads acquire, since all stores release
  void thread(unsigned index) {
    if (index != 0) return cell[index].store(cell[index - 1].load(acquire) + 1, release);
    for (unsigned i = Size; cell[i].load(acquire) != 0;) --i;  // cell 0 is never stored
  }
};

// Each thread inserts four keys into a hash table with open addressing. Executions: agreed; with up
// to eleven threads no two keys collide.
template <unsigned Threads>
struct indexer {
  static constexpr auto about = scenario{.name = "indexer", .threads = Threads};
  static constexpr std::uint64_t executions = Threads == 12 ? 8 : Threads == 15 ? 4'096 : 0;
  static constexpr unsigned size = 128;
  policy::atomic<unsigned> table[size];
  void thread(unsigned index) {
    for (unsigned i = 0; i < 4; ++i) {
      const unsigned key = i * 11 + index;
      unsigned slot = key * 7 % size;
      for (unsigned empty = 0; !table[slot].compare_exchange_strong(empty, key, relaxed, relaxed);
           empty = 0) {
        slot = (slot + 1) % size;
      }
    }
  }
};

// A ticket lock with a waiting array, after Dice and Kogan (Euro-Par 2019): all threads but the
// next few wait on a slot of the array. Executions: this checker's count; for three threads GenMC
// counts 96, since it leaves out more of the turns in which a thread waits.
template <unsigned Threads>
struct waiting_array_lock {
  static constexpr auto about = scenario{.name = "waiting_array_lock", .threads = Threads};
  static constexpr std::uint64_t executions = Threads == 2 ? 4 : Threads == 3 ? 120 : 0;
  static constexpr unsigned near = 1;  // with up to so many tickets ahead a thread watches `grant`
  static constexpr unsigned slots = 4'096;  // as in the original, though few are used
  policy::atomic<unsigned> next{0}, grant{0};
  policy::atomic<unsigned> slot[slots];
  policy::plain<unsigned> guarded{0};

  void thread(unsigned index) {
    lock();
    guarded.set(index);
    require(guarded.get() == index, "one thread at a time");
    unlock();
  }
  void lock() {
    const unsigned ticket = next.fetch_add(1, relaxed);
    const unsigned ahead = ticket - grant.load(acquire);  // pairs with the release in unlock()
    if (ahead == 0) return;
    if (ahead > near) wait_far_behind(ticket);
    while (grant.load(acquire) != ticket) policy::spin_pause();  // pairs with unlock()
  }
  void wait_far_behind(unsigned ticket) {
    unsigned seen = slot[ticket % slots].load(acquire);  // pairs with the release in unlock()
    while (ticket - grant.load(relaxed) > near) {
      unsigned now = slot[ticket % slots].load(acquire);  // pairs with the release in unlock()
      while (now == seen) {
        policy::spin_pause();
        now = slot[ticket % slots].load(acquire);  // pairs with the release in unlock()
      }
      seen = now;
    }
  }
  void unlock() {
    const unsigned served = grant.load(relaxed) + 1;
    grant.store(served, release);  // pairs with the acquires of grant in lock()
    // release: pairs with the acquires in wait_far_behind()
    slot[(served + near) % slots].fetch_add(1, release);
  }
};

}  // namespace fencepost::bench
