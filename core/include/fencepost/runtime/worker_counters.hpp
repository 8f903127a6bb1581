// Numbers that one thread counts and any thread reads, at any time: the statistics of the runtimes.
//
//   struct counts {
//     std::uint64_t jobs = 0, parks = 0;
//     static constexpr auto members() { return std::array{&counts::jobs, &counts::parks}; }
//   };
//   worker_counters<counts, true> mine;     of a worker
//   mine.count(&counts::jobs);              on its thread
//   const counts seen = mine.values();      on any thread
//
// Counting is chosen at compile time: with false, which is the default of the runtimes, the classes
// are empty and do nothing.
//
// Threads: count(), count_if(), the worker's own; shared_counter, any; values() and value(), any.
// For any threads X and Y: what X counted before something that happens before Y's call is included
// in what Y observes. Otherwise Y may observe past values, of each number independently: two
// numbers that X changes one after the other may be observed in any combination. Nothing else is
// ordered.
//
// Progress: wait-free. Costs: count(), a load, an addition and a store; shared_counter's, a locked
// instruction. The numbers belong to no protocol: they are accessed by std::atomic_ref under every
// policy, so that a checker does not examine them.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

#include "fencepost/atomics/default_atomics.hpp"
#include "fencepost/atomics/policy.hpp"
#include "fencepost/attributes.hpp"

namespace fencepost {

// The policy P for a thread_pool that counts what its workers do: basic_thread_pool<counted<P>>.
template <class P>
struct counted : P {
  static constexpr bool counts = true;
};
using counted_atomics = counted<default_atomics>;

template <class P>
concept counted_policy = atomics_policy<P> && requires {
  requires P::counts;
};

// Adds each number.
template <class Counts>
constexpr Counts& add_counts(Counts& sum, const Counts& more) noexcept {
  for (const auto what : Counts::members()) sum.*what += more.*what;
  return sum;
}

template <class Counts, bool Counting>
class worker_counters;

template <class Counts>
class worker_counters<Counts, false> {  // Counts nothing.
 public:
  FENCEPOST_INLINE void count(std::uint64_t Counts::*, std::uint64_t = 1) noexcept {}
  FENCEPOST_INLINE void count_if(bool, std::uint64_t Counts::*) noexcept {}
  Counts values() const noexcept { return {}; }
};

template <class Counts>
class worker_counters<Counts, true> {  // The numbers of one worker.
 public:
  void count(std::uint64_t Counts::*what, std::uint64_t by = 1) noexcept { add(what, by); }
  void count_if(bool happened, std::uint64_t Counts::*what) noexcept {
    add(what, happened ? 1 : 0);
  }
  Counts values() const noexcept {
    Counts copy;
    for (const auto what : Counts::members()) {
      std::uint64_t& number = const_cast<std::uint64_t&>(values_.*what);  // only read
      // [values] relaxed, alone: a past value will do. kept unexercised: no policy has a part in
      // it.
      copy.*what = std::atomic_ref<std::uint64_t>{number}.load(std::memory_order_relaxed);
    }
    return copy;
  }

 private:
  void add(std::uint64_t Counts::*what, std::uint64_t by) noexcept {
    const std::atomic_ref<std::uint64_t> number{values_.*what};
    // [count], [count.own] relaxed, alone: only this worker writes it. kept unexercised: no policy
    // has a part in it.
    number.store(number.load(std::memory_order_relaxed) + by, std::memory_order_relaxed);
  }

  alignas(std::atomic_ref<std::uint64_t>::required_alignment) Counts values_;
};

// A number that any thread counts. Alignment: to have a cache line to itself.
template <bool Counting, std::size_t Alignment = alignof(std::uint64_t)>
class shared_counter;

template <std::size_t Alignment>
class shared_counter<false, Alignment> {  // Counts nothing.
 public:
  void count() noexcept {}
  void take_back() noexcept {}
  std::uint64_t value() const noexcept { return 0; }
};

template <std::size_t Alignment>
class shared_counter<true, Alignment> {  // One number for all threads.
 public:
  // [shared.count] relaxed, alone: only the number counts. kept unexercised: no policy has a part
  // in it.
  void count() noexcept { number_.fetch_add(1, std::memory_order_relaxed); }
  // Undoes one count(). [shared.take_back] relaxed, alone: as [shared.count]. kept unexercised: as
  // [shared.count].
  void take_back() noexcept { number_.fetch_sub(1, std::memory_order_relaxed); }
  // [shared.value] relaxed, alone: a past value will do. kept unexercised: as [shared.count].
  std::uint64_t value() const noexcept { return number_.load(std::memory_order_relaxed); }

 private:
  alignas(Alignment) std::atomic<std::uint64_t> number_{0};
};

}  // namespace fencepost
