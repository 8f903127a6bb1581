// What a thread keeps of the turns of its loops: where each may have begun, the state in which it
// was there, and what it has done since it last did something that others can see.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "execute/lifetimes.hpp"
#include "execute/snapshots.hpp"
#include "explore/dead_ends.hpp"
#include "fencepost/source_location.hpp"

namespace fencepost::verify {

// An arrival at a read: the beginning of a turn, perhaps.
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
  unsigned begin = 0;                                 // spinning: it is what comes after this
  std::size_t parked_at = 0;                          // parked when the trail had this length
  bool all_latest = false;                            // … and it read the latest of everything
};

// Where in the graph, when the run began, the thread's last events of these kinds were.
struct last_events {
  unsigned effect = 0;
  unsigned write = 0;
};

struct thread_turns {
  std::vector<arrival> arrivals;
  std::size_t used = 0;               // of these; the rest is kept for its memory
  std::vector<memory_copy> memories;  // each of one or more arrivals in a row
  std::size_t memories_used = 0;
  memory_copy left, now;     // see spin_loops::yield_in_turn()
  snapshot left_thread;      // the same of its stack
  bool has_changed = false;  // it has yielded, and since an arrival changed memory or locked
  std::vector<plain_access> plains;
  idle_turn idle;
  dead_ends tried;
  bool in_place = false;             // no other thread can go on: the next turn stays in the graph
  bool overtakes = false;            // this turn, if it stays, a symmetric thread that comes first
  bool released = false;             // has lingered
  bool forgot = false;               // turns that it has had since
  std::optional<last_events> known;  // see spin_loops::only_reads_follow()

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
  // The thread arrives there; once more, perhaps.
  arrival& add(unsigned position);
  // Forgets the arrivals of which `f` says no. It is told of each whether it has another copy of
  // memory than the one before.
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
