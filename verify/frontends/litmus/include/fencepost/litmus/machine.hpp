// Runs the body of one thread of a litmus test, and asks a machine for everything that touches
// memory. What an answer may be is the machine's affair: the explorer is one, the enumerator's
// unfolding another.
#pragma once

#include <string>
#include <vector>

#include "fencepost/litmus/program.hpp"

namespace fencepost::litmus {

// Every call is one event of the calling thread, in program order. Orders are as in the source; an
// access of order `plain` is not atomic: it takes part in reads-from, modification order, coherence
// and races, and never synchronises. Each access says which part of the location it touches; values
// of a half are 32 bits, of a whole word of halves high << 32 | low.
class machine {
 public:
  struct compared {
    bool success = false;
    value seen = 0;
  };

  machine() = default;
  machine(const machine&) = delete;
  machine& operator=(const machine&) = delete;
  virtual ~machine() = default;

  virtual value load(location_id, word_part, access_order) = 0;
  virtual void store(location_id, word_part, value, access_order) = 0;
  // Gives the old value; the new one is apply(op, old, operand).
  virtual value modify(location_id, word_part, rmw_operation op, value operand, access_order) = 0;
  virtual compared compare_exchange(location_id, word_part, value expected, value desired,
                                    access_order success, access_order failure, bool weak) = 0;
  virtual void fence(access_order) = 0;  // never plain or relaxed: such a fence is no event

  // A loop of this thread reached its bound: the execution does not count. Need not return.
  virtual void cut() = 0;
  // The thread accesses what is no location, and ends: the program is undefined. Need not return.
  virtual void stray() = 0;
};

struct thread_end {
  std::vector<value> registers;
  bool cut = false;
  bool strays = false;  // it accesses what is no location
};

// What is wrong then.
std::string stray_message(unsigned thread);

// A failed compare-exchange leaves the value seen where the expected one was.
thread_end run_thread(const program&, unsigned thread, machine&);

}  // namespace fencepost::litmus
