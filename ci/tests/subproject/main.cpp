#include "fencepost/runtime/worker_thread.hpp"
#include "fencepost/scenario/scenario.hpp"

// A thread: the library that it needs, and what that library needs, are linked.
int main() {
  bool ran = false;
  fencepost::worker_thread thread{{.pin_to = 0}, [&ran] { ran = true; }};
  thread.join();
  return ran && fencepost::to_string(fencepost::violation::none) == "none" ? 0 : 1;
}
