// How the execution, with its promised reads, differs from the explorer's graph.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "fencepost/verify/explored_graph.hpp"
#include "graph/clock.hpp"
#include "reexecute/beginning.hpp"
#include "reexecute/promises.hpp"

namespace fencepost::verify {

struct patch {
  enum class kind : std::uint8_t {
    added,     // follows the explorer's event of that number, and is not in its graph
    replaced,  // replaces the explorer's event of that number
    removed,   // the explorer's event of that number is not in the execution
  };
  kind what = kind::added;
  unsigned thread = 0;
  unsigned number = 0;
  explored_event event;  // added, replaced: the promised read
  from_future reads;
  unsigned other_field = 0;  // the explorer's event that read the field that is not promised; or 0
};

class patches {
 public:
  void clear() noexcept {
    all_.clear();
    reads_.clear();
    added_.fill(0);
  }
  void add(patch);
  // Forgets those that follow this event of the explorer's graph.
  void cut(unsigned thread, unsigned number);
  // How many more events of the thread the execution has than the explorer's graph.
  [[nodiscard]] int added(unsigned thread) const noexcept { return added_[thread]; }
  // The first promise that the thread has read at the location, or null.
  [[nodiscard]] const promise* read_at(unsigned thread, location) const;
  // If the thread has read this promise, at this location if one is given: the number of the
  // explorer's last event before that.
  [[nodiscard]] std::optional<unsigned> last_before(unsigned thread, const promise&,
                                                    location = no_location) const;
  // A promised read of a location, and the thread's last event in the explorer's graph that does
  // not follow it: its write, if it has one.
  struct promised_access {
    unsigned thread;
    location at;
    unsigned last;
    bool writes;
  };
  // True if f(access, promise) holds for each thread's first read of a promise at a location, and
  // for each read-modify-write of a promise.
  template <class F>
  [[nodiscard]] bool all_reads(F&&) const;
  // The number in the explorer's graph of this event of the execution.
  [[nodiscard]] unsigned number_without(explored_name) const;

  // Calls f(execution, promises as kept) for each way in which writes keep the promises. The silent
  // accesses have the numbers of the execution.
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

  // A thread's first read of a promise at a location, or a read-modify-write, and the thread's last
  // event in the explorer's graph before it.
  struct noted_read {
    const promise* promised;
    promised_access access;
    unsigned before;
  };
  void note_reads(const patch&);
  [[nodiscard]] const noted_read* find_read(unsigned thread, const promise*, location) const;

  std::vector<patch> all_;  // those of a thread in program order
  std::vector<noted_read> reads_;
  std::array<int, max_threads> added_{};
};

template <class F>
bool patches::all_reads(F&& f) const {
  for (const noted_read& r : reads_)
    if (!f(r.access, *r.promised)) return false;
  return true;
}

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
