// Loops whose progress is only in registers: an optimized function keeps there what it needs after
// a call of the checker, and passes as arguments what only the call needs.
#include <atomic>
#include <cassert>
#include <thread>

#include "named_program.hpp"

namespace {

std::atomic<int> flag{0};
[[gnu::noinline]] int look_three_times() {
  int looks = 0;
  while (flag.load(std::memory_order_acquire) == 0 && ++looks < 3) {
  }
  return looks;
}
// The count is kept in a register across the calls.
void gives_up_after_three_looks() {
  std::thread other([] { flag.store(1, std::memory_order_release); });
  assert(look_three_times() != 3);
  other.join();
}
void gives_up_or_not() {
  std::thread other([] { flag.store(1, std::memory_order_release); });
  look_three_times();
  other.join();
}

std::atomic<int> links[] = {1, 2, 3, 0};
// The position is an argument of the call, and is not needed after it.
void follows_links() {
  int at = 0;
  while ((at = links[at].load(std::memory_order_acquire)) != 0) {
  }
}

std::atomic<int> turn{0};
// The turns differ in an argument: the address for the answer, which decides nothing earlier.
void exchanges_for_two_answers() {
  int first = 1, second = 1;
  bool again = false;
  do {
    first = second = 1;
    turn.compare_exchange_strong(again ? second : first, 2);
    again = first == 0;
  } while (again);
  assert(second == 0);
}

// The expected value is in an atomic object as well: one call makes two events, and no turn lies
// between them.
void expects_what_is_atomic() {
  alignas(int) static int expected;
  std::atomic_ref<int>(expected).store(0);
  std::thread other([] { turn.store(2); });
  const bool done = turn.compare_exchange_strong(expected, 1);
  other.join();
  assert(expected == (done ? 0 : 2));
}

constexpr named programs[] = {FENCEPOST_NAMED(gives_up_after_three_looks),
                              FENCEPOST_NAMED(gives_up_or_not), FENCEPOST_NAMED(follows_links),
                              FENCEPOST_NAMED(exchanges_for_two_answers),
                              FENCEPOST_NAMED(expects_what_is_atomic)};

}  // namespace

int main(int argc, char** argv) { return run_named(programs, argc, argv); }
