// Explorations that are long enough for several processes to divide; the first argument names the
// case. What is to be found is in executions that are explored last, by one process.
#include <atomic>
#include <cassert>
#include <thread>
#include <vector>

#include "named_program.hpp"

extern "C" void __VERIFIER_assume(int) noexcept;  // NOLINT(bugprone-reserved-identifier)

namespace {

std::atomic<int> counted{0}, late{0};

// Has 7! orders of the threads, times the four values that the first one may read. The oldest value
// is among the last that are tried.
void with_a_late_read(auto if_late, unsigned threads = 7) {
  std::vector<std::thread> all;
  for (unsigned t = 0; t < threads; ++t)
    all.emplace_back([t, if_late] {
      if (t == 0 && late.load(std::memory_order_relaxed) == 0) if_late();
      for (int value = 1; t == 1 && value <= 3; ++value)
        late.store(value, std::memory_order_relaxed);
      counted.fetch_add(1, std::memory_order_relaxed);
    });
  for (std::thread& t : all) t.join();
  assert(counted == static_cast<int>(threads));
}

void is_explored() {
  with_a_late_read([] {});
}
void is_long() {
  with_a_late_read([] {}, 12);
}
void goes_wrong() {
  with_a_late_read([] { assert(!"what was stored is read"); });
}

// The exploration restarts when an execution accesses memory that was not known before.
int plain = 0;
void meets_new_memory() {
  with_a_late_read([] { ++plain; });
}
void races_in_new_memory() {
  with_a_late_read([] { both([] { ++plain; }, [] { ++plain; }); });
}

// Atomic accesses of different sizes to one object are not modelled.
union {
  int whole;
  short half;
} mixed;
void meets_a_limit() {
  with_a_late_read([] {
    both([] { __atomic_store_n(&mixed.whole, 1, __ATOMIC_RELAXED); },
         [] { __atomic_store_n(&mixed.half, 2, __ATOMIC_RELAXED); });
  });
}

// The verdict reports each of these if it happens in at least one execution.
void leaves_a_thread() {
  with_a_late_read([] { std::thread([] { late.wait(3); }).detach(); });
}
void assumes() {
  with_a_late_read([] { __VERIFIER_assume(0); });
}

// The exploration restarts when the first turn of a loop shows how it waits.
void waits() {
  with_a_late_read([] {
    while (counted.load(std::memory_order_acquire) == 0) {
    }
  });
}

constexpr named programs[] = {FENCEPOST_NAMED(is_explored),
                              FENCEPOST_NAMED(is_long),
                              FENCEPOST_NAMED(goes_wrong),
                              FENCEPOST_NAMED(meets_new_memory),
                              FENCEPOST_NAMED(races_in_new_memory),
                              FENCEPOST_NAMED(meets_a_limit),
                              FENCEPOST_NAMED(leaves_a_thread),
                              FENCEPOST_NAMED(assumes),
                              FENCEPOST_NAMED(waits)};

}  // namespace

int main(int argc, char** argv) { return run_named(programs, argc, argv); }
