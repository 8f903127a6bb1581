// Threads that end before their function returns: pthread_exit(), thrd_exit(), exit() in main().
#pragma once

#include <string>

#include "session.hpp"

namespace fencepost::programs {

// How a thread has left the function that it was given.
struct departure {
  bool returned = true;  // otherwise it has made one of the calls
  void* with = nullptr;  // the argument of that call
};
departure run_until_it_leaves(void (*function)(void*), void* argument);

// Implements exit(). With the status 0, main() is left; any other is a violation, and `said` is
// added to its message.
void exit_program(session&, int status, const std::string& said, const source_location&);

}  // namespace fencepost::programs
