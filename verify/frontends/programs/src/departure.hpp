// Threads that end before their function returns: pthread_exit(), thrd_exit(), exit() in main().
#pragma once

#include "session.hpp"

namespace fencepost::programs {

// What a thread does, as `function` does it or as it leaves it.
struct departure {
  bool returned = true;  // otherwise by one of the calls
  void* with = nullptr;  // what the call was given
};
departure run_until_it_leaves(void (*function)(void*), void* argument);

// Of main(): exit() with the status 0. Returns where it cannot be left.
void leave_main(session&, const source_location&);

}  // namespace fencepost::programs
