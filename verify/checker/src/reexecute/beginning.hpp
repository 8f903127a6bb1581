// What a re-execution begins with: a load-buffering race, and what leads to its write.
//
// The kept events are the predecessors of the write in program order and reads-from, without the
// read and what follows it in its thread. In a run from here, each kept event must get the value
// that it got before, the read gets the value of the write, which is not made yet (a promise), and
// all else is explored. A kept event may have read from a write that is not kept: it gets the value
// again only if the run writes it again. So dependencies are found by running the program.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "fencepost/verify/explored_graph.hpp"

namespace fencepost::verify {

// A read gets its value from a write that follows it in program order and reads-from; for a word of
// two fields, the value of one of them.
struct promise {
  explored_name read, write;
  unsigned field = 0;
  // The write itself is kept; otherwise the promise is kept by any write of its thread that leaves
  // the value.
  bool kept = true;
  value promised = 0;
  std::optional<value> in_other_field = {};  // what the write leaves there, if it writes both
  bool synchronizes = false;                 // a read of the write may synchronize
  source_location read_at, write_at;
};

// What an event of the kept part got.
struct kept_event {
  enum class kind : std::uint8_t { other, read, choice };
  kind what = kind::other;
  value got = 0;
  bool writes = false;
};

struct beginning {
  std::vector<std::vector<kept_event>> kept;  // by thread, from its first event
  std::vector<promise> promises;              // the youngest one last
  std::uint64_t fingerprint = 0;
};

// Some fields of a read, a bit for each.
using field_set = unsigned;
// What the read may get from the write, and did not: one of its fields, or both.
std::vector<field_set> fields_to_promise(const explored_graph&, explored_name read,
                                         explored_name write);

// The beginning for a race of the graph: these fields of the read get their values from the write.
// `older`: the promises that hold in the graph.
beginning beginning_of(const explored_graph&, const std::vector<promise>& older, explored_name read,
                       explored_name write, field_set);

// Why the race cannot be re-executed, or "".
std::string unsupported(const explored_graph&, explored_name read, explored_name write);
// True if the read may get from the write what no beginning leads to. A read of a whole word that
// gets one field from the future, and the other from an existing write, may see the two in an order
// in which no thread writes them; and without that execution, those in which both come from the
// future are not found.
bool leads_to_more(const explored_graph&, explored_name read, explored_name write);
// True if, with the value of the write, the read would acquire, so that nothing that follows may
// come before it, or its thread would wait on, so that nothing follows.
bool leads_nowhere(const explored_graph&, explored_name read, explored_name write);

// Two read-modify-writes of one location that happens-before does not keep in order, of which the
// first precedes the second in program order and reads-from: a graph that ends with the second,
// which reads what the first reads. It is inconsistent unless the first reads from the second
// instead.
struct conflict {
  explored_graph graph;
  explored_name first, second;
};
std::vector<conflict> conflicts_of(const explored_graph&);

// The value that an event leaves in the location.
value left_in(const explored_event& write, location);

}  // namespace fencepost::verify
