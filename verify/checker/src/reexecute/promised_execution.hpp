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
  // An idle turn of the running thread is taken back: what follows this event of the explorer's.
  void take_back(unsigned position);

  [[nodiscard]] explorer& explores() const noexcept { return *explorer_; }
  [[nodiscard]] unsigned this_thread() const { return explorer_->this_thread(); }
  // The running thread's last event in the explorer's graph, and the numbers of its last and its
  // next event in the execution. Nobody keeps one during a call of the explorer's: on the stack it
  // would make each turn of a loop differ from the one before.
  [[nodiscard]] event_id last() const { return static_cast<event_id>(explorer_->last_event()); }
  [[nodiscard]] unsigned number() const {
    return static_cast<unsigned>(static_cast<int>(index_of(last())) +
                                 patches_.added(this_thread()));
  }
  [[nodiscard]] unsigned next() const { return number() + 1; }

  // The running thread's last event is not the program's.
  void remove_last();
  // The running thread's last events, so many choices and the write of a read-modify-write, are
  // this read; without either, it has no event yet. `other_field`: see patch.
  void add_read(const from_future&, const explored_event& read, unsigned choices,
                unsigned other_field);
  // The running thread's events have arrived.
  void mark();
  void add_access(location, silent_access::kind, source_location);
  // For a counterexample: an access to plain data; and from where the reads read, as it turned out.
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
