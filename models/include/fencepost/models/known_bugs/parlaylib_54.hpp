// parlaylib, pull request 54, "Fix memory orders for ARM" (2023), and, for a library with an older
// copy, ParlayANN's issue 44: the deque of Arora, Blumofe and Plaxton.
//
// What was wrong: a thief reads age (the index of the oldest job, with a tag) and then bot (one
// past the newest), both relaxed, with nothing between them. On ARM the second may be read first:
// the thief has a current age and a stale bot, and takes a job that the owner has taken; it runs
// twice. The released repair makes the loads acquire. That is enough for ARMv8, which is
// multi-copy atomic. ISO C++ promises less: the owner's fence has nothing sequentially consistent
// to pair with before the thief's load of bot, and the second of two thieves may still take the job
// that the owner took. Under ISO C++ the repair is a fence between the two loads.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>

#include "fencepost/scenario/scenario.hpp"
#include "fencepost/scenario/scenario_list.hpp"

namespace fencepost::models::known_bugs {

namespace parlaylib_54_scenarios {

enum class thief_loads : std::uint8_t { relaxed, acquire, fenced };

// Two jobs, 1 and 2; 0 is none.
template <class P, thief_loads Loads>
class abp_deque {
 public:
  void push_bottom(unsigned job) {
    const unsigned bot = bot_.load(std::memory_order_relaxed);
    jobs_[bot].store(job, std::memory_order_relaxed);
    bot_.store(bot + 1, std::memory_order_seq_cst);
  }

  unsigned pop_bottom() {
    unsigned bot = bot_.load(std::memory_order_relaxed);
    if (bot == 0) return 0;
    bot_.store(--bot, std::memory_order_release);
    P::fence(std::memory_order_seq_cst);
    const unsigned job = jobs_[bot].load(std::memory_order_relaxed);
    std::uint64_t age = age_.load(std::memory_order_acquire);
    if (bot > top(age)) return job;
    // The last job, or none: the indices restart at 0, under another tag.
    bot_.store(0, std::memory_order_release);
    const std::uint64_t next = ((age >> 32) + 1) << 32;
    if (bot == top(age) && age_.compare_exchange_strong(age, next, std::memory_order_seq_cst,
                                                        std::memory_order_relaxed)) {
      return job;
    }
    age_.store(next, std::memory_order_seq_cst);
    return 0;
  }

  unsigned pop_top() {
    constexpr auto order =
        Loads == thief_loads::acquire ? std::memory_order_acquire : std::memory_order_relaxed;
    std::uint64_t age = age_.load(order);
    if (Loads == thief_loads::fenced) P::fence(std::memory_order_seq_cst);
    const unsigned bot =
        bot_.load(Loads == thief_loads::relaxed ? order : std::memory_order_acquire);
    if (bot <= top(age)) return 0;
    const unsigned job = jobs_[top(age)].load(std::memory_order_relaxed);
    const bool mine = age_.compare_exchange_strong(age, age + 1, std::memory_order_seq_cst,
                                                   std::memory_order_relaxed);
    return mine ? job : 0;
  }

 private:
  static unsigned top(std::uint64_t age) { return static_cast<unsigned>(age); }

  typename P::template atomic<std::uint64_t> age_{0};  // high half: tag; low half: top
  typename P::template atomic<unsigned> bot_{0};
  std::array<typename P::template atomic<unsigned>, 2> jobs_{};
};

template <class P, thief_loads Loads>
struct a_pop_and_two_steals {
  abp_deque<P, Loads> deque;
  std::array<unsigned, 4> obtained{};  // by the owner, by the thieves, and in after()
  void before() {
    deque.push_bottom(1);
    deque.push_bottom(2);
  }
  void thread(unsigned index) {
    obtained[index] = index == 0 ? deque.pop_bottom() : deque.pop_top();
  }
  void after() {
    obtained[3] = deque.pop_bottom();
    for (unsigned job = 1; job <= 2; ++job) {
      unsigned times = 0;
      for (const unsigned got : obtained) times += got == job ? 1 : 0;
      require(times < 2, "no job is obtained twice");
    }
  }
};

template <class P>
struct relaxed : a_pop_and_two_steals<P, thief_loads::relaxed> {
  static constexpr auto about =
      scenario{.name = "known_bugs/parlaylib_handed_out_twice",
               .threads = 3,
               .claim = "a thief that loads age and bot relaxed takes a job that the owner took",
               .expected = violation::assertion};
};

template <class P>
struct acquire : a_pop_and_two_steals<P, thief_loads::acquire> {
  static constexpr auto about =
      scenario{.name = "known_bugs/parlaylib_acquire_loads",
               .threads = 3,
               .claim = "acquire loads, which suffice on ARMv8, do not in ISO C++",
               .expected = violation::assertion};
};

template <class P>
struct fenced : a_pop_and_two_steals<P, thief_loads::fenced> {
  static constexpr auto about =
      scenario{.name = "known_bugs/parlaylib_handed_out_twice_repaired",
               .threads = 3,
               .claim = "with a fence between the thief's loads, no job is obtained twice"};
};

}  // namespace parlaylib_54_scenarios

using parlaylib_54_list =
    scenario_list<parlaylib_54_scenarios::relaxed, parlaylib_54_scenarios::acquire,
                  parlaylib_54_scenarios::fenced>;

}  // namespace fencepost::models::known_bugs
