// Concurrency Kit, issue 124 (2018): a combining barrier that lets data through on POWER.
//
// Threads meet in small groups; the last thread of a group continues to the parent's group, and
// releases its own group when it returns. An arrival is a relaxed fetch-and-add; a thread that
// waits for its group has a full fence before it begins to wait, and none after; the last thread
// has a fence between its stores.
//
// What was wrong: a thread that has waited may read stale values after the barrier. The issue
// proposes to move the full fence behind the wait, which all threads pass. The checker finds that
// this is not enough: nothing then orders what precedes an arrival before it, nor what the last of
// a group has observed before its arrival in the parent's group, so the last thread of all does not
// observe what the others did. Repair: a full fence before each arrival, and one after the wait.
#pragma once

#include <atomic>

#include "fencepost/scenario/scenario.hpp"
#include "fencepost/scenario/scenario_list.hpp"

namespace fencepost::models::known_bugs {

enum class ck_fences { before_the_wait, after_the_wait, before_and_after };

// Threads 0 and 1 are one group, thread 2 is another, and the two groups meet in the root.
template <class P, ck_fences Fences>
struct ck_combining_barrier_protocol {
  struct group {
    typename P::template atomic<int> count{0};
    typename P::template atomic<bool> open{false};  // the sense, for one phase
    int members = 2;
    group* parent = nullptr;
  };
  group root, pair, single;
  typename P::template plain<int> cells[3];

  void before() {
    pair.parent = single.parent = &root;
    single.members = 1;
  }
  void wait(group& mine) {
    if (Fences == ck_fences::before_and_after) P::fence(std::memory_order_seq_cst);
    if (mine.count.fetch_add(1, std::memory_order_relaxed) == mine.members - 1) {
      if (mine.parent != nullptr) wait(*mine.parent);
      mine.count.store(0, std::memory_order_relaxed);
      P::fence(std::memory_order_release);
      mine.open.store(true, std::memory_order_relaxed);
    } else {
      if (Fences == ck_fences::before_the_wait) P::fence(std::memory_order_seq_cst);
      while (!mine.open.load(std::memory_order_relaxed)) P::spin_pause();
    }
    if (Fences != ck_fences::before_the_wait) P::fence(std::memory_order_seq_cst);
  }
  void thread(unsigned index) {
    cells[index].set(1);
    wait(index == 2 ? single : pair);
    for (auto& cell : cells) require(cell.get() == 1, "everything before the barrier is visible");
  }
};

template <class P>
struct ck_combining_barrier : ck_combining_barrier_protocol<P, ck_fences::before_the_wait> {
  static constexpr auto about = scenario{
      .name = "known_bugs/ck_combining_barrier",
      .threads = 3,
      .claim = "without a fence before the arrival and one after the wait, threads read too early",
      .expected = violation::data_race};
};

template <class P>
struct ck_combining_barrier_moved_fence
    : ck_combining_barrier_protocol<P, ck_fences::after_the_wait> {
  static constexpr auto about = scenario{
      .name = "known_bugs/ck_combining_barrier_moved_fence",
      .threads = 3,
      .claim = "with the fence after the wait only, what precedes an arrival is not published",
      .expected = violation::data_race};
};

template <class P>
struct ck_combining_barrier_repaired
    : ck_combining_barrier_protocol<P, ck_fences::before_and_after> {
  static constexpr auto about = scenario{.name = "known_bugs/ck_combining_barrier_repaired",
                                         .threads = 3,
                                         .claim =
                                             "with a fence before each arrival and one after the "
                                             "wait, each thread observes all others"};
};

using ck_combining_barrier_list =
    scenario_list<ck_combining_barrier, ck_combining_barrier_moved_fence,
                  ck_combining_barrier_repaired>;

}  // namespace fencepost::models::known_bugs
