// The preemptions that an execution graph takes.
//
// Run the events of the graph one thread at a time, in an order that extends program order and
// reads-from. Each time a thread is left before it has ended is a preemption, unless what it does
// next is something that may wait: lock a mutex, wait on a futex or condition variable, join a
// thread, or read in a waiting loop. The graph takes as many preemptions as the order that has
// fewest of them.
//
// Reads of old values cost nothing by themselves: what is bounded is how often threads exchange
// news, not how weak the memory is. Of the events that come before others (closed under program
// order and reads-from), the count is never greater than of the whole.
#pragma once

#include <array>
#include <functional>
#include <vector>

#include "graph/graph.hpp"

namespace fencepost::verify {

class preemption_count {
 public:
  // Of the events in `part`, which is closed.
  preemption_count(const graph&, const clock& part, const std::function<bool(event_id)>& waits);

  [[nodiscard]] unsigned least() { return least(~0U - 1); }
  [[nodiscard]] bool exceeds(unsigned bound) { return !is_easily(bound) && least(bound) > bound; }
  // Quick, and not always true where it might be: some order has at most so many.
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
  std::array<event_id, max_threads> starts_{};  // by whom each thread is created
  std::array<std::vector<stop>, max_threads> stops_;
  std::array<std::vector<clock>, 64> seen_;
};

}  // namespace fencepost::verify
