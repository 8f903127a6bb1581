// How the graph that the explorer has differs from the execution with the promised reads in it.
#pragma once

#include <vector>

#include "fencepost/verify/explored_graph.hpp"
#include "reexecute/beginning.hpp"

namespace fencepost::verify {

struct patch {
  enum class kind : std::uint8_t {
    added,     // an event that the explorer does not have, behind its event of that number
    replaced,  // its event of that number is this one
    removed,   // … is none
  };
  kind what = kind::added;
  unsigned thread = 0;
  unsigned number = 0;
  explored_event event;  // added, replaced: a read of the promise
  const promise* reads = nullptr;
};

class patches {
 public:
  void clear() { all_.clear(); }
  void add(patch p) { all_.push_back(std::move(p)); }
  // Without those that are about what comes after this event of the explorer's.
  void cut(unsigned thread, unsigned number);
  // By so many the thread has more events than the explorer has.
  [[nodiscard]] int added(unsigned thread) const;
  // What the thread has read there first of what is promised, or null.
  [[nodiscard]] const promise* read_at(unsigned thread, location) const;
  // Has the thread read this promise; there, if that is asked?
  [[nodiscard]] bool have_read(unsigned thread, const promise&, location = no_location) const;
  // The number that the explorer has for this event of the execution.
  [[nodiscard]] unsigned number_without(explored_name) const;

  // Each execution, by the writes that keep the promises, and the promises as they are kept there.
  // The accesses to plain data have the program's numbers.
  template <class F>
  void for_each_execution(const explored_graph&, const std::vector<silent_access>&, F&&) const;

 private:
  struct patched {
    explored_graph graph;
    std::vector<std::pair<explored_name, const promise*>> reads;
  };
  [[nodiscard]] patched apply(const explored_graph&, const std::vector<silent_access>&) const;
  static std::vector<explored_name> keeping(const explored_graph&, const promise&, location);

  std::vector<patch> all_;  // those of a thread in program order
};

template <class F>
void patches::for_each_execution(const explored_graph& g, const std::vector<silent_access>& silent,
                                 F&& f) const {
  patched p = apply(g, silent);
  std::vector<promise> kept;
  const auto choose = [&](const auto& again, std::size_t i) -> void {
    if (i == p.reads.size()) {
      f(p.graph, kept);
      return;
    }
    const auto [read, promised] = p.reads[i];
    explored_event& e = p.graph.threads[read.thread][read.number - 1];
    for (const explored_name w : keeping(p.graph, *promised, e.cells[0])) {
      e.sources[0] = w;
      kept.push_back(*promised);
      kept.back().read = read;
      kept.back().write = w;
      again(again, i + 1);
      kept.pop_back();
    }
  };
  choose(choose, 0);
}

}  // namespace fencepost::verify
