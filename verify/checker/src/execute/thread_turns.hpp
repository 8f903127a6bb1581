// The turns of a thread's loops: where each may have begun, the state of the thread there, and what
// it has done since it last did something that others can observe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "execute/lifetimes.hpp"
#include "execute/memory.hpp"
#include "execute/snapshots.hpp"
#include "explore/dead_ends.hpp"
#include "fencepost/source_location.hpp"
#include "graph/event.hpp"

namespace fencepost::verify {

// An arrival at a read, where a turn may have begun.
struct arrival {
  static constexpr std::size_t not_youngest = ~std::size_t{0};
  source_location where;
  unsigned position = 0;
  std::size_t trail = not_youngest;  // its length before the read was added
  std::size_t choices = 0;
  std::size_t logged = 0;
  std::size_t plains = 0;
  snapshot state;
};

// An access to plain data, and what it has changed.
struct plain_access {
  location at = no_location;
  bool write = false;
  lifetimes::before_access before;
};

struct idle_turn {
  std::vector<std::pair<location, event_id>> latest;  // parked: the last writes where it reads
  unsigned begin = 0;                                 // the turn comes after this position
  std::size_t parked_at = 0;                          // parked: the length of the trail then
  bool all_latest = false;                            // the turn read the latest of everything
};

// An idle turn that is made again, beside the graph: see repeated_turns.cpp.
struct repeated_turn {
  std::vector<event> events;           // with what they have read
  std::vector<source_location> where;  // of each event
  std::size_t done = 0;                // how many were made again
  std::size_t left = 0;                // how many more are to be made
  std::size_t plains = 0;              // see thread_turns::plains: those before
  arena::place next;                   // where the thread allocates at its beginning
};

// The positions of the thread's last events of these kinds in the graph with which the run began.
struct last_events {
  unsigned effect = 0;
  unsigned write = 0;
};

struct thread_turns {
  std::vector<arrival> arrivals;
  std::size_t used = 0;               // how many; the rest are kept for their memory
  std::vector<memory_copy> memories;  // each belongs to one or more arrivals in a row
  std::size_t memories_used = 0;
  memory_copy left, now;     // see spin_loops::yield_in_turn()
  snapshot left_thread;      // the same for its stack
  bool has_changed = false;  // it has yielded, having changed memory or locked since an arrival
  std::vector<plain_access> plains;
  idle_turn idle;
  dead_ends tried;
  bool in_place = false;   // no other thread can continue: the next turn stays in the graph
  bool overtakes = false;  // if this turn stays, it overtakes a symmetric thread
  bool released = false;   // the thread has lingered
  bool forgot = false;     // some arrivals were forgotten
  std::optional<last_events> known;  // see spin_loops::only_reads_follow()
  std::optional<repeated_turn> repeated;
  bool was_repeated = false;  // the idle turn that ends here

  void begin_run() noexcept {
    clear();
    begin_to_go_on();
  }
  void clear() noexcept {
    used = memories_used = 0;
    in_place = forgot = false;
    plains.clear();
  }

  [[nodiscard]] std::span<const arrival> begun() const noexcept { return {arrivals.data(), used}; }
  // Adds an arrival at this position, or returns the last one if that is at the same position.
  arrival& add(unsigned position);
  // Forgets the arrivals for which `f` returns false. `f` is also told whether the arrival has
  // another copy of memory than the one before.
  template <class F>
  void keep_arrivals(F&& f);

  // For resume points. `resumed`: see fibers::last_resumed().
  struct saved {
    std::uint64_t resumed = 0;
    std::vector<arrival> arrivals;
    std::size_t used = 0;
    std::vector<plain_access> plains;
    idle_turn idle;
  };
  void save(saved&, std::uint64_t resumed) const;
  void put_back(const saved&, std::uint64_t resumed);

 private:
  void begin_to_go_on() noexcept {
    overtakes = released = has_changed = false;
    tried.forget();
    known.reset();
    repeated.reset();
    was_repeated = false;
  }
};

template <class F>
void thread_turns::keep_arrivals(F&& f) {
  std::size_t kept = 0, memory = memories_used;
  for (std::size_t i = 0; i < used; ++i) {
    const std::size_t then = arrivals[i].state.memory;
    if (!f(arrivals[i], std::exchange(memory, then) != then)) continue;
    if (kept != i) std::swap(arrivals[kept], arrivals[i]);
    ++kept;
  }
  forgot = forgot || kept != used;
  used = kept;
  if (kept == 0) memories_used = 0;
}

}  // namespace fencepost::verify
