// One of Relacy's tests, on this checker: docs/guide/relacy-tests.md.
// [message_passing]
#include "fencepost/compat/relacy.hpp"  // was "relacy/relacy.hpp"

struct message_passing : rl::test_suite<message_passing, 2> {
  rl::atomic<int> ready{0};
  rl::var<int> data;
  void thread(unsigned index) {
    if (index == 0) {
      data($) = 42;
      ready($).store(1, rl::mo_release);
    } else if (ready($).load(rl::mo_acquire) == 1) {
      RL_ASSERT(data($) == 42);
    }
  }
};

int main() { return rl::simulate<message_passing>() ? 0 : 1; }
// [message_passing]
