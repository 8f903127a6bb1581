// The exploration of a program: its constructors, main() and what is called at its exit, in each
// execution.
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

  // Again from the beginning as long as more becomes known of the program's memory: an execution in
  // which something does counts for nothing. The limit of time is that of all together.
  verify::result explore(verify::options);
  // Runs into the counterexample again, for a debugger (verify/replay.hpp), with what is known of
  // the program's memory by now. Returns "", or why it did not.
  std::string replay(verify::options, const verify::counterexample&);

 private:
  void run();
  void await_other_threads();

  session& session_;
  const main_function main_;
  arguments& arguments_;
};

// Signals that ask for the end: the exploration stops with what it has found. The second one ends
// the process.
void heed_interrupts();

}  // namespace fencepost::programs
