// Turns of loops that wait: what a thread does between two arrivals at the same read.
//
// A turn is idle if the thread's state is the same at both ends, compared byte by byte, and nobody
// could see what happened in between. Only idle turns may be left out (waiting.cpp).
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "execute/memory.hpp"
#include "fencepost/verify/engine.hpp"
#include "graph/graph.hpp"

namespace fencepost::verify {

// A range of memory that is not the thread's own stack.
struct piece {
  bool stack = false;   // of another thread; otherwise a block
  unsigned thread = 0;  // whose
  unsigned ordinal = 0;
  const char* begin = nullptr;
  std::size_t size = 0;
};

// The stacks of the other threads, and the blocks of memory.
struct memory_copy {
  std::vector<piece> pieces;
  std::vector<char> bytes;  // of all pieces, one after the other
};

// What decides how a thread goes on: its stack, on which its registers are saved, and memory. What
// is atomic is in the graph.
struct snapshot {
  const char* begin = nullptr;
  std::vector<char> stack;
  std::size_t memory = 0;    // which copy
  unsigned constructed = 0;  // locations
  arena::place next;         // where the thread allocates next
};

// An arrival at a read: the beginning of a turn, perhaps.
struct arrival {
  static constexpr std::size_t not_youngest = ~std::size_t{0};
  source_location where;
  unsigned position = 0;
  std::size_t trail = not_youngest;  // what was there before its read was added
  std::size_t choices = 0;
  std::size_t logged = 0;
  std::size_t plains = 0;
  snapshot state;
};

// An access to plain data, and what the clock said before it.
struct plain_access {
  location at = no_location;
  bool write = false;
  std::uint32_t before = 0;
};

// What a thread has done since it last did something that others can see.
struct waiting_loop {
  std::vector<arrival> arrivals;
  std::size_t used = 0;               // of these; the rest is kept for its memory
  std::vector<memory_copy> memories;  // each of one or more arrivals in a row
  std::size_t memories_used = 0;
  std::vector<plain_access> plains;
  std::vector<std::pair<location, event_id>> latest;  // parked: the last writes where it reads
  unsigned begin = 0;         // spinning: its idle turn is what comes after this position
  std::size_t parked_at = 0;  // … when the trail had this length
  bool all_latest = false;    // … and the turn read these
  bool in_place = false;      // nobody else can go on: the next turn stays in the graph
  bool overtakes = false;     // this turn, if it stays, a thread that is alike and comes first
  bool released = false;      // has lingered
  bool known = false;         // last_effect, last_write are
  unsigned last_effect = 0, last_write = 0;  // in the graph when the run began

  void begin_run() noexcept {
    clear();
    in_place = overtakes = released = known = false;
  }
  void clear() noexcept {
    used = memories_used = 0;
    in_place = false;
    plains.clear();
  }
};

// A read in the source that may be where a loop comes round.
struct site {
  source_location where;
  bool waits = false;  // it is that of a loop that waits
};

}  // namespace fencepost::verify
