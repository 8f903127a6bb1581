// The schedulers whose deques are compared: each runs a program, timed or counted.
#pragma once

#include <cstddef>
#include <cstdint>

#include "fencepost/runtime/fork_join.hpp"
#include "samples.hpp"
#include "stack_pool.hpp"

namespace fencepost::bench {

constexpr std::size_t study_stack = std::size_t{512} << 20;  // UTS T3 is deep, and waits are nested

// A kind of scheduler: its name, and a pool that counts its steals.
template <fork_join_word Word>
struct on_fork_join {
  using pool_type = basic_fork_join<fork_join_features{.statistics = true, .word = Word}>;
  using plain_type = basic_fork_join<fork_join_features{.word = Word}>;
  static fork_join_options options(std::uint32_t workers) {
    fork_join_options chosen;
    chosen.workers = workers;
    chosen.stack = study_stack;
    return chosen;
  }
  // Counting costs time, so timed runs do not count.
  template <class Spawning>
  static seconds time(std::uint32_t workers, const Spawning& spawning, std::uint64_t right) {
    plain_type pool{options(workers)};
    return timed([&] {
      check(pool.run([&](typename plain_type::worker& me) noexcept { return spawning(me); }),
            right);
    });
  }
  template <class Spawning>
  static steal_counts count(std::uint32_t workers, const Spawning& spawning, std::uint64_t right) {
    pool_type pool{options(workers)};
    check(pool.run([&](typename pool_type::worker& me) noexcept { return spawning(me); }), right);
    pool.stop();
    const fork_join_statistics all = pool.statistics();
    return {all.steals, all.steals + all.steals_busy + all.steals_none};
  }
};
struct split : on_fork_join<fork_join_word::whole> {
  static constexpr const char* name = "split";
};
struct split_halves : on_fork_join<fork_join_word::halves> {
  static constexpr const char* name = "split, halves";
};

template <class Kind>
struct on_call_stack {
  template <class Spawning>
  static seconds time(std::uint32_t workers, const Spawning& spawning, std::uint64_t right) {
    stack_pool<Kind> pool{workers, study_stack};
    return timed([&] {
      check(pool.run([&](stack_worker<Kind>& me) noexcept { return spawning(me); }), right);
    });
  }
  template <class Spawning>
  static steal_counts count(std::uint32_t workers, const Spawning& spawning, std::uint64_t right) {
    stack_pool<Kind> pool{workers, study_stack};
    check(pool.run([&](stack_worker<Kind>& me) noexcept { return spawning(me); }), right);
    pool.stop();
    return pool.counts();
  }
};
struct with_requests : on_call_stack<on_private_deque> {
  static constexpr const char* name = "private";
};
struct with_chase_lev : on_call_stack<on_chase_lev> {
  static constexpr const char* name = "Chase-Lev";
};

}  // namespace fencepost::bench
