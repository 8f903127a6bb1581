// A complete execution as the explorer explored it, to be judged by other means
// (options::on_complete_graph). It has what the program did and what it got, and nothing that the
// explorer concluded from that, such as clocks, except for `race`.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "fencepost/source_location.hpp"
#include "fencepost/verify/engine.hpp"
#include "fencepost/verify/orders.hpp"
#include "fencepost/verify/result.hpp"

namespace fencepost::verify {

// An event, named by its thread and its number there, which counts from 1; 0: an initial write.
struct explored_name {
  unsigned thread = 0;
  unsigned number = 0;
  friend auto operator<=>(const explored_name&, const explored_name&) = default;
};

// What a thread asked for, what it got, and from where.
struct explored_event {
  enum class kind : std::uint8_t { load, store, update, fence, create, join, choose };

  using name = explored_name;

  kind what = kind::load;
  order success = order::relaxed;  // the order, unless a compare-exchange fails
  order failure = order::relaxed;
  location cells[2] = {no_location, no_location};  // two: a word of two fields, accessed whole
  name sources[2];                                 // load, update: what each cell is read from
  value read = 0;
  value written = 0;          // store, successful update
  value operand = 0;          // store: the value; update: as asked for; compare-exchange: desired
  value expected = 0;         // compare-exchange
  std::uint64_t threads = 0;  // create, join: a bit for each
  value (*custom)(value, value) = nullptr;
  operation op = operation::exchange;
  std::uint8_t size = 8;
  bool compares = false;  // compare-exchange
  bool weak = false;
  bool spurious = false;  // it failed although the value was the one expected
  bool awaits = false;    // its thread keeps waiting unless it reads `expected`
  bool writes = false;
  source_location where;
};

// What is not an event of the graph: an access to plain data, or the beginning or end of an
// object's lifetime.
struct silent_access {
  enum class kind : std::uint8_t { read, write, begin, end };
  location object = 0;
  unsigned thread = 0;
  unsigned after = 0;  // the number of the thread's last event before it
  kind what = kind::read;
};

struct explored_graph {
  // A location: its initial value, and the writes after that.
  struct cell {
    value initial = 0;
    std::vector<explored_event::name> order;  // modification order, without the initial write
  };

  memory_model model = memory_model::rc20;
  std::vector<std::vector<explored_event>> threads;  // by number; 0 is the main thread
  std::vector<cell> cells;                           // by location
  std::vector<silent_access> silent;                 // those of one thread in program order
  bool race = false;                                 // see options::races_are_outcomes
};

}  // namespace fencepost::verify
