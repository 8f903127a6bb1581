// Peterson's lock for two threads, from a wrong one to a verified one: docs/guide/peterson.md.
#pragma once

#include <atomic>

#include "fencepost/atomics/default_atomics.hpp"
#include "fencepost/scenario/scenario.hpp"

namespace peterson {

using fencepost::default_atomics;

// The variables of all the locks: which threads want to enter, and whose turn it is.
template <class P>
class words {
 protected:
  typename P::template atomic<bool> interested_[2]{false, false};
  typename P::template atomic<unsigned> turn_{0};
};

// As in the book, with an order that looks right on each line.
// [first]
template <class P = default_atomics>
class first_lock : words<P> {
 public:
  void lock(unsigned me) {
    const unsigned other = 1 - me;
    interested_[me].store(true, std::memory_order_release);
    turn_.store(other, std::memory_order_release);
    while (interested_[other].load(std::memory_order_acquire) &&
           turn_.load(std::memory_order_acquire) == other) {
      P::spin_pause();
    }
  }
  void unlock(unsigned me) { interested_[me].store(false, std::memory_order_release); }

 private:
  using words<P>::interested_, words<P>::turn_;
};
// [first]

// The stores are sequentially consistent, the loads are not.
template <class P = default_atomics>
class second_lock : words<P> {
 public:
  void lock(unsigned me) {
    const unsigned other = 1 - me;
    // [second]
    interested_[me].store(true, std::memory_order_seq_cst);
    turn_.store(other, std::memory_order_seq_cst);
    while (interested_[other].load(std::memory_order_acquire) &&
           turn_.load(std::memory_order_acquire) == other) {
      P::spin_pause();
    }
    // [second]
  }
  void unlock(unsigned me) { interested_[me].store(false, std::memory_order_release); }

 private:
  using words<P>::interested_, words<P>::turn_;
};

// Sequentially consistent throughout, but the two stores are swapped.
template <class P = default_atomics>
class third_lock : words<P> {
 public:
  void lock(unsigned me) {
    const unsigned other = 1 - me;
    // [third]
    turn_.store(other);
    interested_[me].store(true);
    while (interested_[other].load() && turn_.load() == other) P::spin_pause();
    // [third]
  }
  void unlock(unsigned me) { interested_[me].store(false); }

 private:
  using words<P>::interested_, words<P>::turn_;
};

// Peterson's. `Look` and `Leave` are parameters only to show what happens when they are too weak.
template <class P = default_atomics, std::memory_order Look = std::memory_order_seq_cst,
          std::memory_order Leave = std::memory_order_release>
class fourth_lock : words<P> {
 public:
  void lock(unsigned me) {
    const unsigned other = 1 - me;
    // [fourth]
    interested_[me].store(true, std::memory_order_seq_cst);
    turn_.store(other, std::memory_order_seq_cst);
    while (interested_[other].load(Look) && turn_.load(Look) == other) P::spin_pause();
    // [fourth]
  }
  // [fourth_unlock]
  void unlock(unsigned me) { interested_[me].store(false, Leave); }
  // [fourth_unlock]

 private:
  using words<P>::interested_, words<P>::turn_;
};

// The thread that stores the turn last reads what the other one has stored.
template <class P = default_atomics, std::memory_order Turn = std::memory_order_acq_rel,
          std::memory_order Look = std::memory_order_acquire,
          std::memory_order Leave = std::memory_order_release>
class exchange_lock : words<P> {
 public:
  void lock(unsigned me) {
    const unsigned other = 1 - me;
    // [exchange]
    interested_[me].store(true, std::memory_order_relaxed);
    // The later of the two exchanges reads the earlier one, and so observes that thread interested.
    turn_.exchange(other, Turn);
    // Acquire: pairs with the release in unlock(), and with the other's exchange.
    while (interested_[other].load(Look) && turn_.load(Look) == other) P::spin_pause();
    // [exchange]
  }
  void unlock(unsigned me) { interested_[me].store(false, Leave); }

 private:
  using words<P>::interested_, words<P>::turn_;
};

// The purpose of every lock. Concurrent increments of plain data by two threads are a data race; if
// an increment is lost, the sum is wrong.
// [claim]
template <class Lock, class P, int Rounds = 1>
struct both_increments_count {
  Lock lock;
  typename P::template plain<int> counter{0};

  void thread(unsigned index) {
    for (int i = 0; i < Rounds; ++i) {
      lock.lock(index);
      counter.set(counter.get() + 1);
      lock.unlock(index);
    }
  }
  void after() { fencepost::require(counter.get() == 2 * Rounds, "both increments count"); }
};
// [claim]

// [scenario]
template <class P>
struct fourth_excludes : both_increments_count<fourth_lock<P>, P, 2> {
  static constexpr auto about = fencepost::scenario{
      .name = "fourth", .threads = 2, .claim = "only one thread is inside at a time"};
};
// [scenario]

template <class P>
struct exchange_excludes : both_increments_count<exchange_lock<P>, P, 2> {
  static constexpr auto about = fencepost::scenario{
      .name = "exchange", .threads = 2, .claim = "only one thread is inside at a time"};
};

// A lock that was found wrong remains as a test of what the checker finds.
// [expected]
template <class P>
struct first_excludes : both_increments_count<first_lock<P>, P> {
  static constexpr auto about = fencepost::scenario{.name = "first",
                                                    .threads = 2,
                                                    .claim = "only one thread is inside at a time",
                                                    .expected = fencepost::violation::data_race};
};
// [expected]

template <class P>
struct second_excludes : both_increments_count<second_lock<P>, P> {
  static constexpr auto about = fencepost::scenario{.name = "second",
                                                    .threads = 2,
                                                    .claim = "only one thread is inside at a time",
                                                    .expected = fencepost::violation::data_race};
};

template <class P>
struct third_excludes : both_increments_count<third_lock<P>, P> {
  static constexpr auto about = fencepost::scenario{.name = "third",
                                                    .threads = 2,
                                                    .claim = "only one thread is inside at a time",
                                                    .expected = fencepost::violation::data_race};
};

// A thread that leaves without resetting its flag.
// [forgetful]
template <class P>
struct who_forgets_to_leave {
  static constexpr auto about = fencepost::scenario{.name = "forgetful",
                                                    .threads = 2,
                                                    .claim = "the other one gets in all the same",
                                                    .expected = fencepost::violation::liveness};
  fourth_lock<P> lock;
  void thread(unsigned index) {
    lock.lock(index);
    if (index == 1) lock.unlock(index);
  }
};
// [forgetful]

}  // namespace peterson
