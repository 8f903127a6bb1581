// Reads that get a value from the future: what they are promised, or what their thread was promised
// before, which is a choice.
//
// Such a read is no event of the explorer's graph. In the execution, it replaces the choices that
// it takes there, and the write of a read-modify-write.
#pragma once

#include <array>

#include "fencepost/verify/engine.hpp"
#include "fencepost/verify/explored_graph.hpp"
#include "graph/clock.hpp"
#include "reexecute/promised_execution.hpp"
#include "reexecute/promised_writes.hpp"
#include "reexecute/promises.hpp"
#include "reexecute/repeated_starts.hpp"
#include "reexecute/unknown_order.hpp"

namespace fencepost::verify {

class promised_reads {
 public:
  struct parts {
    const promises& promised;
    promised_execution& execution;
    repeated_starts& repeated;
    promised_writes& writes;
    unknown_order& unknown;
  };
  explicit promised_reads(const parts& p)
      : promises_(p.promised),
        execution_(p.execution),
        repeated_(p.repeated),
        writes_(p.writes),
        unknown_(p.unknown) {}

  void begin_run();

  // What the running thread's next event is promised. choose() adds, for a read of the word, what
  // it gets again of what the thread was promised before.
  [[nodiscard]] from_future promised();
  [[nodiscard]] from_future choose(word, source_location);
  // The value of such a read. The explorer reads the field that is not from the future.
  [[nodiscard]] value value_of(const from_future&, word, source_location);
  // Chooses whether the read fails, as a weak compare-exchange may.
  [[nodiscard]] bool fails_by_chance(source_location);
  // Adds the read to the execution: what it has read, and written if it is a read-modify-write.
  void add(const from_future&, const explored_event& read);

  // The explorer has done a read, all of whose values come from its graph.
  void explored(word, value got, bool writes);
  // The running thread has come to a fence: waits for the writes that the fence has to keep in
  // order.
  void keep_before_fence(order);

 private:
  [[nodiscard]] const promise* promised_before(word, unsigned field) const;
  void end_where_older(location, unsigned field);

  const promises& promises_;
  promised_execution& execution_;
  repeated_starts& repeated_;
  promised_writes& writes_;
  unknown_order& unknown_;

  // For the read that a thread is making: how many of the explorer's events it takes, without a
  // write; and which of them has read the field that is not from the future.
  struct events_taken {
    unsigned count = 0;
    unsigned other_field = 0;
  };
  std::array<events_taken, max_threads> taken_{};
  location read_again_ = no_location;  // read in place of a promise, by choice
};

}  // namespace fencepost::verify
