// Which starts of a batch each thread has repeated so far: those in which its kept events got what
// they get now. A thread that has repeated none ends.
#pragma once

#include <array>
#include <set>
#include <vector>

#include "fencepost/verify/engine.hpp"
#include "graph/clock.hpp"
#include "reexecute/batches.hpp"
#include "reexecute/beginning.hpp"
#include "reexecute/promised_execution.hpp"

namespace fencepost::verify {

class repeated_starts {
 public:
  repeated_starts(const batch& b, promised_execution& e) : batch_(b), execution_(e) {}

  void begin_run();
  // An idle turn of the running thread is taken back: forgets what follows this event of the
  // explorer's graph.
  void take_back(unsigned position);

  [[nodiscard]] batch_set by_all_threads() const noexcept;
  // The repeated starts of the running thread in which its next event is not kept.
  [[nodiscard]] batch_set without_next() const { return without(execution_.next()); }
  // Keeps only these starts for the running thread.
  void narrow(batch_set to);

  // Compares what the running thread's last event got; ends the thread unless it is the same in
  // some start.
  void compare_last(const kept_event&);
  // If the last event is a read kept in each start, tells the explorer that the thread cannot
  // continue with a value that the read got in none.
  void want_what_was_got();

 private:
  struct narrowing {
    unsigned thread;
    unsigned position;  // of its last event in the explorer's graph
    batch_set before;
  };
  template <class F>
  void for_each_of_running(F&&) const;
  [[nodiscard]] batch_set without(unsigned number) const;

  const batch& batch_;
  promised_execution& execution_;
  std::array<batch_set, max_threads> repeated_{};  // by thread
  std::vector<narrowing> narrowed_;                // in the order of the run
  std::set<std::vector<value>> wanted_;            // of all runs: the explorer's graph refers to it
};

}  // namespace fencepost::verify
