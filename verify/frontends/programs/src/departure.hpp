// Threads that end before their function returns: pthread_exit(), thrd_exit(), exit() in main().
#pragma once

#include <string>

#include "session.hpp"

namespace fencepost::programs {

// What a thread does, as `function` does it or as it leaves it.
struct departure {
  bool returned = true;  // otherwise by one of the calls
  void* with = nullptr;  // what the call was given
};
departure run_until_it_leaves(void (*function)(void*), void* argument);

// exit(): main() is left with the status 0; any other is a violation, of which `said` says more.
void exit_program(session&, int status, const std::string& said, const source_location&);

}  // namespace fencepost::programs
