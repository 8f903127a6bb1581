#include "fencepost/runtime/worker_thread.hpp"
#include "fencepost/scenario/scenario.hpp"

// Starts a thread: the library that it needs, and what that library needs, are linked. With an
// argument the thread is joined twice, which the library refuses.
int main(int arguments, char**) {
  bool ran = false;
  fencepost::worker_thread thread{{.pin_to = 0}, [&ran] { ran = true; }};
  thread.join();
  if (arguments > 1) thread.join();
  return ran && fencepost::to_string(fencepost::violation::none) == "none" ? 0 : 1;
}
