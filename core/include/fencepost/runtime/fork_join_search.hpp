// How the workers of a fork-join runtime look for work. fork_join_core.hpp has the loops.
#pragma once

#include <cstdint>

namespace fencepost {

struct fork_join_search {
  bool leapfrog = true;          // a worker that waits for a thief steals from that thief
  bool random_steals = true;     // ... and after 32 times in vain, once from another
  std::uint32_t attempts = 256;  // in vain, before an idle worker sleeps
  // After each attempt the worker yields, or, if this is not 0, pauses instead: once at first, then
  // twice as often each time, up to this number.
  std::uint32_t pauses = 0;
  // So many attempts at workers of the same memory node come before one at a worker of another
  // node. 0: all workers are treated alike. Requires workers that are pinned.
  std::uint32_t near_steals = 0;
  std::uint32_t spins = 128;  // polls before a worker sleeps that waits for the others in a frame

  // How often to pause after an attempt, if it was `before` times after the previous one.
  std::uint32_t pauses_after(std::uint32_t before) const noexcept {
    return before < pauses / 2 ? 2 * before : pauses;
  }
};

}  // namespace fencepost
