// How the graph that the explorer has differs from the execution with the promised reads in it.
#pragma once

#include <array>
#include <vector>

#include "fencepost/verify/explored_graph.hpp"
#include "graph/clock.hpp"
#include "reexecute/beginning.hpp"
#include "reexecute/promises.hpp"

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
  explored_event event;  // added, replaced: a read of what is promised
  from_future reads;
  unsigned other_field = 0;  // the explorer's event that has read the field that is not promised
};

class patches {
 public:
  void clear() noexcept {
    all_.clear();
    added_.fill(0);
  }
  void add(patch);
  // Forgets those that follow this event of the explorer's.
  void cut(unsigned thread, unsigned number);
  // So many more events has the thread than the explorer's graph has of it.
  [[nodiscard]] int added(unsigned thread) const noexcept { return added_[thread]; }
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
  struct promised_read {
    explored_name read;
    unsigned field;
    const promise* promised;
  };
  struct patched {
    explored_graph graph;
    std::vector<promised_read> reads;
  };
  [[nodiscard]] patched apply(const explored_graph&, const std::vector<silent_access>&) const;
  static std::vector<explored_name> keeping(const explored_graph&, const promise&, location);

  std::vector<patch> all_;  // those of a thread in program order
  std::array<int, max_threads> added_{};
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
    const auto [read, field, promised] = p.reads[i];
    explored_event& e = p.graph.threads[read.thread][read.number - 1];
    for (const explored_name w : keeping(p.graph, *promised, e.cells[field])) {
      e.sources[field] = w;
      kept.push_back(*promised);
      kept.back().read = read;
      kept.back().field = field;
      kept.back().write = w;
      again(again, i + 1);
      kept.pop_back();
    }
  };
  choose(choose, 0);
}

}  // namespace fencepost::verify
