// Saves and restores the turns of loops, for resume points.

#include <algorithm>

#include "execute/spin_loops.hpp"

namespace fencepost::verify {

// False if the turns depend on where threads have yielded: a run from the beginning may yield where
// this one did not, and vice versa.
bool spin_loops::can_save() const {
  for (unsigned t = 0; t < threads_.created(); ++t)
    if (loops_[t].forgot || loops_[t].has_changed || loops_[t].memories_used > 1) return false;
  return !would_forget();
}

bool spin_loops::would_forget() const {
  const std::span<const arrival> begun = here().begun();
  std::size_t same = here().memories_used;  // most often the next arrival has the same copy
  return std::any_of(begun.begin(), begun.end(), [&](const arrival& a) {
    if (a.state.memory == same) return false;
    same = a.state.memory;
    return !is_as_in(same);
  });
}

std::size_t spin_loops::saved_size() const noexcept {
  std::size_t size = 0;
  for (unsigned t = 0; t < threads_.created(); ++t)
    for (const arrival& a : loops_[t].begun()) size += sizeof(arrival) + a.state.stack.size();
  return size;
}

void spin_loops::save(saved& s) const {
  s.resize(threads_.created());
  for (unsigned t = 0; t < threads_.created(); ++t) loops_[t].save(s[t], fibers_.last_resumed(t));
}

void spin_loops::put_back(const saved& s) {
  for (unsigned t = 0; t < s.size(); ++t) loops_[t].put_back(s[t], fibers_.last_resumed(t));
}

void spin_loops::go_on() {
  program_has_run();
  if (here().used == 0) return;
  const engine_scope scope;
  copy_memory(0);
}

}  // namespace fencepost::verify
