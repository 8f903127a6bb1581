// The turns of loops, for resume points.

#include <algorithm>
#include <utility>

#include "execute/spin_loops.hpp"

namespace fencepost::verify {

// A run from the beginning may yield where this one did not, and the other way round.
bool spin_loops::can_save() const {
  for (unsigned t = 0; t < threads_.created(); ++t)
    if (loops_[t].forgot || loops_[t].has_changed || loops_[t].memories_used > 1) return false;
  return !would_forget();
}

bool spin_loops::would_forget() const {
  const loop& turns = here();
  const auto first = turns.arrivals.begin();
  std::size_t same = turns.memories_used;  // as that of the arrival before, most often
  return std::any_of(first, first + static_cast<std::ptrdiff_t>(turns.used), [&](const arrival& a) {
    if (a.state.memory == same) return false;
    same = a.state.memory;
    return !is_as_in(same);
  });
}

std::size_t spin_loops::saved_size() const noexcept {
  std::size_t size = 0;
  for (unsigned t = 0; t < threads_.created(); ++t)
    for (std::size_t i = 0; i < loops_[t].used; ++i)
      size += sizeof(arrival) + loops_[t].arrivals[i].state.stack.size();
  return size;
}

void spin_loops::save(saved& s) const {
  s.of.resize(threads_.created());
  for (unsigned t = 0; t < threads_.created(); ++t) {
    const loop& turns = loops_[t];
    saved::turns& to = s.of[t];
    const std::uint64_t resumed = fibers_.last_resumed(t);
    // Then the thread has not run since a point was here that is gone.
    if (std::exchange(to.resumed, resumed) == resumed) continue;
    to.used = turns.used;
    if (to.arrivals.size() < to.used) to.arrivals.resize(to.used);
    std::copy_n(turns.arrivals.begin(), to.used, to.arrivals.begin());
    to.plains = turns.plains;
    to.idle = turns.idle;
  }
}

void spin_loops::put_back(const saved& s) {
  for (std::size_t t = 0; t < s.of.size(); ++t) {
    const saved::turns& from = s.of[t];
    loop& turns = loops_[t];
    turns.overtakes = turns.released = turns.in_place = turns.forgot = turns.has_changed = false;
    turns.known.reset();
    turns.tried.forget();
    if (fibers_.last_resumed(static_cast<unsigned>(t)) != from.resumed) {
      turns.used = from.used;
      if (turns.arrivals.size() < turns.used) turns.arrivals.resize(turns.used);
      std::copy_n(from.arrivals.begin(), turns.used, turns.arrivals.begin());
      turns.plains = from.plains;
      turns.idle = from.idle;
    }
    for (std::size_t i = 0; i < turns.used; ++i) turns.arrivals[i].trail = arrival::not_youngest;
    turns.memories_used = turns.used == 0 ? 0 : 1;
    if (turns.memories.size() < turns.memories_used) turns.memories.emplace_back();
  }
}

void spin_loops::go_on() {
  program_has_run();
  if (here().used == 0) return;
  const engine_scope scope;
  copy_memory(0);
}

}  // namespace fencepost::verify
