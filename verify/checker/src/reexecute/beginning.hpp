// What a re-execution begins with: a load-buffering race, and what leads to its write.
//
// Kept is what program order and reads-from lead from to the write, without the read and what
// follows it in its thread. In the run that begins here each kept event is to get the value that it
// got, the read gets the value of the write, which is still to come (a promise), and everything
// else is explored. The kept events may have read from what is no longer there: they get the value
// again only if the run writes it again. So a dependency is found by running the program.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "fencepost/verify/explored_graph.hpp"

namespace fencepost::verify {

// The read gets its value from a write that program order and reads-from lead to; of a word of two
// fields, the value of one of them.
struct promise {
  explored_name read, write;
  unsigned field = 0;
  bool kept =
      true;  // the write is; otherwise any write of its thread will do that leaves the value
  value promised = 0;
  std::optional<value> in_other_field = {};  // what the write leaves there, if it writes both
  bool synchronizes = false;                 // something may synchronize with what reads the write
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

// Of the read, some fields: a bit for each.
using field_set = unsigned;
// What the read may get from the write, and does not: each of its fields, or both.
std::vector<field_set> fields_to_promise(const explored_graph&, explored_name read,
                                         explored_name write);

// From a graph with the race; `older`: promises that hold in it, by reads of the graph. These
// fields of the read get their values from the write.
beginning beginning_of(const explored_graph&, const std::vector<promise>& older, explored_name read,
                       explored_name write, field_set);

// Why it cannot be run, or "".
std::string unsupported(const explored_graph&, explored_name read, explored_name write);
// May the read get from there what no beginning leads to? Of a whole word a read that gets one
// field from the future, and the other from what is there, may see the two in an order in which
// nothing is written; and without that execution none is found in which both come from where they
// should.
bool leads_to_more(const explored_graph&, explored_name read, explored_name write);
// With the value of the write, would the read acquire, so that nothing may come before it; or its
// thread wait on, so that nothing follows it?
bool leads_nowhere(const explored_graph&, explored_name read, explored_name write);

// Two read-modify-writes of one location, of which the first leads to the second: a graph up to the
// second in which that reads what the first one reads. It is inconsistent as it is, but not if the
// first reads the second one's write instead. Not those that happens-before keeps in order.
struct conflict {
  explored_graph graph;
  explored_name first, second;
};
std::vector<conflict> conflicts_of(const explored_graph&);

// The value that an event leaves in the location.
value left_in(const explored_event& write, location);

}  // namespace fencepost::verify
