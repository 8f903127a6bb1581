// Atomic objects that a program fills and copies by calls of the C library, some of which its
// compiler inserts; the first argument names the case.
#include <atomic>
#include <cassert>
#include <cstring>

#include "named_program.hpp"

namespace {

// More than 8 KiB: g++ announces that it fills them, and calls memset() for it; on x86 only if told
// to, as in CMakeLists.txt.
[[gnu::noinline]] long in_a_row() {
  std::atomic<long> all[1100];
  all[1099].store(1);
  return all[0].load() + all[1099].load();
}
void filled_by_the_compiler() {
  assert(in_a_row() == 1);
  assert(in_a_row() == 1);
}

struct numbers {
  long first[1100];
};
numbers from;
[[gnu::noinline]] numbers made() { return from; }
[[gnu::noinline]] void look_at(numbers&& n) { assert(std::atomic_ref(n.first[1099]).load() == 2); }
void copied_by_the_compiler() {
  from.first[1099] = 2;
  look_at(made());
}

alignas(8) unsigned char bytes[24];
long number_in(unsigned at) { return std::atomic_ref(*reinterpret_cast<long*>(bytes + at)).load(); }
void all_are_atomic() { assert(number_in(0) + number_in(8) + number_in(16) == 0); }

void written_and_filled() {
  all_are_atomic();
  bytes[0] = 1;
  std::memset(bytes, 0, 8);
  assert(number_in(0) == 0);
}
void written_beside_what_is_filled() {
  all_are_atomic();
  bytes[4] = 1;
  std::memset(bytes, 0, 4);
  assert(number_in(0) == 1L << 32);
}
void written_and_moved() {
  all_are_atomic();
  bytes[8] = 5;
  std::memmove(bytes, bytes + 8, 16);
  assert(number_in(0) == 5 && number_in(8) == 0);
}

constexpr named tests[] = {
    FENCEPOST_NAMED(filled_by_the_compiler), FENCEPOST_NAMED(copied_by_the_compiler),
    FENCEPOST_NAMED(written_and_filled), FENCEPOST_NAMED(written_beside_what_is_filled),
    FENCEPOST_NAMED(written_and_moved)};

}  // namespace

int main(int argc, char** argv) { return run_named(tests, argc, argv); }
