// The preemptions that an execution graph takes.
//
// Run the events of the graph one thread at a time, in an order that extends program order and
// reads-from. Switching away from a thread that has not ended is a preemption, unless the thread's
// next step may wait: lock a mutex, wait on a futex or condition variable, join a thread, or read
// in a waiting loop. The graph takes as many preemptions as the order with the fewest.
// Reading an old value costs nothing by itself: the bound limits how often threads communicate, not
// how weak the memory is. The count of a part that is closed under program order and reads-from is
// never greater than that of the whole graph.
#pragma once

#include <array>
#include <functional>
#include <vector>

#include "graph/graph.hpp"

namespace fencepost::verify {

class preemption_count {
 public:
  // Counts the preemptions of the events in `part`, which is closed under program order and
  // reads-from.
  preemption_count(const graph&, const clock& part, const std::function<bool(event_id)>& waits);

  [[nodiscard]] unsigned least() { return least(~0U - 1); }
  [[nodiscard]] bool exceeds(unsigned bound) { return !is_easily(bound) && least(bound) > bound; }
  // A quick test: if true, some order has at most so many preemptions; if false, some order may
  // still.
  [[nodiscard]] bool is_easily(unsigned bound) const;

 private:
  struct stop {
    unsigned index;
    bool waits;
  };

  unsigned least(unsigned most);
  [[nodiscard]] bool reads_another(event_id) const;
  [[nodiscard]] bool possible(event_id, const clock& done) const;
  bool turn(unsigned thread, clock& done) const;
  bool seen(const clock&);

  const graph& graph_;
  const clock part_;
  std::array<event_id, max_threads> starts_{};  // the event that creates each thread
  std::array<std::vector<stop>, max_threads> stops_;
  std::array<std::vector<clock>, 64> seen_;
};

}  // namespace fencepost::verify
