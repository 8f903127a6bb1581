// The execution that a run makes, as the program counts its events: those of the explorer's graph,
// with the promised reads, and without the events that only the explorer needs.
#pragma once

#include <vector>

#include "execute/explorer.hpp"
#include "fencepost/verify/engine.hpp"
#include "fencepost/verify/explored_graph.hpp"
#include "graph/clock.hpp"
#include "reexecute/arrivals.hpp"
#include "reexecute/patches.hpp"
#include "reexecute/promises.hpp"
#include "reexecute/silent_accesses.hpp"

namespace fencepost::verify {

class promised_execution {
 public:
  void begin_run(explorer&);
  // An idle turn of the running thread is taken back: forgets what follows this event of the
  // explorer's graph.
  void take_back(unsigned position);

  [[nodiscard]] explorer& explores() const noexcept { return *explorer_; }
  [[nodiscard]] unsigned this_thread() const { return explorer_->this_thread(); }
  // The running thread's last event in the explorer's graph, and the numbers of its last and its
  // next event in the execution. No caller may keep one during a call to the explorer: on the stack
  // it would make each turn of a loop differ from the one before.
  [[nodiscard]] event_id last() const { return static_cast<event_id>(explorer_->last_event()); }
  [[nodiscard]] unsigned number() const {
    return static_cast<unsigned>(static_cast<int>(index_of(last())) +
                                 patches_.added(this_thread()));
  }
  [[nodiscard]] unsigned next() const { return number() + 1; }

  // Removes the running thread's last event, which is not the program's.
  void remove_last();
  // Replaces the running thread's last events, which are so many choices and the write of a
  // read-modify-write, by this read; adds the read if there are none. `other_field`: see patch.
  void add_read(const from_future&, const explored_event& read, unsigned choices,
                unsigned other_field);
  // Notes that the running thread's events have arrived.
  void mark();
  void add_access(location, silent_access::kind, source_location);
  // For a counterexample: these show an access to plain data, and the sources that promised reads
  // turned out to have.
  void show_access(location, bool writes, source_location);
  void show(const std::vector<promise>& kept);

  [[nodiscard]] const patches& made() const noexcept { return patches_; }
  [[nodiscard]] const arrivals& arrived() const noexcept { return arrivals_; }
  [[nodiscard]] const silent_accesses& silent() const noexcept { return silent_; }

 private:
  explorer* explorer_ = nullptr;
  patches patches_;
  arrivals arrivals_;
  silent_accesses silent_;
};

}  // namespace fencepost::verify
