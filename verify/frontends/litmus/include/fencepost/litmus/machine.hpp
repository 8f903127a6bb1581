// Runs the body of one thread of a litmus test, and hands every operation on memory to a machine.
// The machine decides which value a read returns: the explorer is one machine, the enumerator's
// unfolding another.
#pragma once

#include <string>
#include <vector>

#include "fencepost/litmus/program.hpp"

namespace fencepost::litmus {

// Every call is one event of the calling thread, in program order. Orders are as in the source; an
// access of order `plain` is not atomic: it takes part in reads-from, modification order, coherence
// and races, and never synchronises. Each access says which part of the location it touches; the
// value of a half has 32 bits, that of a whole word of halves is high << 32 | low.
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
  // Returns the old value; the new one is apply(op, old, operand).
  virtual value modify(location_id, word_part, rmw_operation op, value operand, access_order) = 0;
  virtual compared compare_exchange(location_id, word_part, value expected, value desired,
                                    access_order success, access_order failure, bool weak) = 0;
  virtual void fence(access_order) = 0;  // never plain or relaxed: such fences are not events

  // A loop of this thread reached its bound: the execution does not count. Need not return.
  virtual void cut() = 0;
  // The thread accesses an address that is not a location's, and ends: the program's behaviour is
  // undefined. Need not return.
  virtual void stray() = 0;
};

struct thread_end {
  std::vector<value> registers;
  bool cut = false;
  bool strays = false;  // it accesses an address that is not a location's
};

// The message about a thread that strays.
std::string stray_message(unsigned thread);

// A failed compare-exchange stores the value seen where the expected one was.
thread_end run_thread(const program&, unsigned thread, machine&);

}  // namespace fencepost::litmus
