#include "execute/thread_turns.hpp"

#include <algorithm>

namespace fencepost::verify {

arrival& thread_turns::add(unsigned position) {
  constexpr std::size_t most = 512, kept = most / 2;
  // A thread that was parked arrives once more where its turn began.
  const bool again = used > 0 && arrivals[used - 1].position == position;
  if (!again) {
    if (used == most) {
      std::rotate(arrivals.begin(), arrivals.begin() + (most - kept), arrivals.end());
      used = kept;
    }
    if (++used > arrivals.size()) arrivals.emplace_back();
  }
  arrivals[used - 1].position = position;
  return arrivals[used - 1];
}

void thread_turns::save(saved& to, std::uint64_t resumed) const {
  // Then an earlier point, now gone, has saved this here, and the thread has not run since.
  if (std::exchange(to.resumed, resumed) == resumed) return;
  to.used = used;
  if (to.arrivals.size() < used) to.arrivals.resize(used);
  std::copy_n(arrivals.begin(), used, to.arrivals.begin());
  to.plains = plains;
  to.idle = idle;
}

void thread_turns::put_back(const saved& from, std::uint64_t resumed) {
  begin_to_go_on();
  in_place = forgot = false;
  if (resumed != from.resumed) {
    used = from.used;
    if (arrivals.size() < used) arrivals.resize(used);
    std::copy_n(from.arrivals.begin(), used, arrivals.begin());
    plains = from.plains;
    idle = from.idle;
  }
  for (std::size_t i = 0; i < used; ++i) arrivals[i].trail = arrival::not_youngest;
  memories_used = used == 0 ? 0 : 1;
  if (memories.size() < memories_used) memories.emplace_back();
}

}  // namespace fencepost::verify
