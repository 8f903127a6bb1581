// Static variables that only this source file accesses, by name: optimized code must not keep their
// values in registers, nor leave out writes to them, across an atomic access.
#include <atomic>
#include <cassert>

#include "named_program.hpp"

namespace {

// The other thread changes the variable between the write and the read.
void has_another_value() {
  static std::atomic<int> turn{0};
  static int item = 0;
  both(
      [] {
        while (turn.load() != 1) {
        }
        item = 2;
        turn.store(2);
      },
      [] {
        item = 1;
        turn.store(1);
        while (turn.load() != 2) {
        }
        assert(item == 1);
      });
}

// The other thread reads the variable between two writes.
void has_two_values() {
  static std::atomic<int> turn{0};
  static int item = 0;
  both(
      [] {
        item = 1;
        turn.store(1);
        while (turn.load() != 2) {
        }
        item = 2;
        turn.store(3);
      },
      [] {
        while (turn.load() != 1) {
        }
        assert(item == 1);
        turn.store(2);
        while (turn.load() != 3) {
        }
        assert(item == 2);
      });
}

constexpr named programs[] = {FENCEPOST_NAMED(has_another_value), FENCEPOST_NAMED(has_two_values)};

}  // namespace

int main(int argc, char** argv) { return run_named(programs, argc, argv); }
