// The exploration of a program. Each execution runs its constructors, main(), and its exit calls.
#pragma once

#include <string>

#include "arguments.hpp"
#include "fencepost/verify/options.hpp"
#include "fencepost/verify/result.hpp"
#include "session.hpp"

namespace fencepost::programs {

using main_function = int (*)(int, char**, char**);

class program_exploration {
 public:
  program_exploration(session& s, main_function main, arguments& given)
      : session_(s), main_(main), arguments_(given) {}

  // Restarts as long as more becomes known of the program's memory: an execution in which that
  // happens does not count. The time limit is for all of these explorations together.
  verify::result explore(verify::options);
  // Repeats the counterexample for a debugger (verify/replay.hpp), with what is known of the
  // program's memory by now. Returns "", or why it could not.
  std::string replay(verify::options, const verify::counterexample&);

 private:
  void run();
  void await_other_threads();

  session& session_;
  const main_function main_;
  arguments& arguments_;
};

// Installs handlers for signals that ask for the end: the first one stops the exploration, which
// reports what it has found; the second one ends the process.
void heed_interrupts();

}  // namespace fencepost::programs
