// Variables that another thread uses when their block ends, while their function continues. The
// first argument names the case.
#include <atomic>
#include <cassert>
#include <cstring>
#include <mutex>
#include <thread>

#include "named_program.hpp"

namespace {

std::atomic<const int*> where{nullptr};
std::atomic<bool> is_there{false};
int kept = 0;

void read_after_its_block() {
  std::thread reader;
  {
    int number = 1;
    reader = std::thread([&] { kept = number; });
  }
  reader.join();
}
void read_before_its_block_ends() {
  std::thread reader;
  {
    int number = 1;
    reader = std::thread([&] { kept = number; });
    reader.join();
  }
}
void read_after_its_turn() {
  std::thread readers[2];
  for (std::thread& reader : readers) {
    const int number = kept;
    reader = std::thread([&] {
      if (number > 1) where = nullptr;
    });
    if (&reader == readers) reader.join();
  }
  readers[1].join();
}
void read_in_its_turn() {
  for (int i = 0; i < 2; ++i) {
    std::atomic<int> read{0};
    const int number = i;
    std::thread reader([&] { read = number; });
    reader.join();
    assert(read == i);
  }
}
void constants_in_their_turn() {
  for (int i = 0; i < 2; ++i) {
    const struct { int number, bits : 3, more_bits : 4; } all = {i, i, 1};
    const int numbers[] = {1, i};
    std::thread reader([&] { kept = all.number + all.bits + all.more_bits + numbers[i]; });
    reader.join();
    assert(kept == (i == 0 ? 2 : 4));
  }
}
void array_in_its_turn() {
  for (int i = 0; i < 2; ++i) {
    char text[8];
    std::thread writer([&] { std::strcpy(text, i == 0 ? "zero" : "one"); });
    writer.join();
    assert(text[0] == (i == 0 ? 'z' : 'o'));
  }
}
void atomic_after_its_block() {
  std::thread writer;
  {
    std::atomic<int> number{1};
    writer = std::thread([&] { number.store(2, std::memory_order_relaxed); });
    kept = number.load(std::memory_order_relaxed);
  }
  writer.join();
}
void locked_after_its_block() {
  std::thread other;
  {
    std::mutex m;
    other = std::thread([&] {
      is_there = true;
      const std::lock_guard lock(m);
    });
    is_there.wait(false);
  }
  other.join();
}
const int* address_of(const int& number) { return &number; }
void temporary_after_its_statement() {
  std::thread reader([] {
    if (const int* const p = where) kept = *p;
  });
  where = address_of(5);
  reader.join();
}
// The pointer is taken after the block has ended.
void passed_on_after_its_block() {
  std::thread reader([] {
    if (const int* const p = where) kept = *p;
  });
  const int* passed = nullptr;
  {
    int number = 1;
    passed = &number;
    where = passed;
    where = nullptr;
  }
  where = passed;
  reader.join();
}
void block_is_left_by_an_exception() {
  std::thread reader;
  try {
    int number = 1;
    reader = std::thread([&] { kept = number; });
    throw 1;
  } catch (int) {
  }
  reader.join();
}
void block_is_left_by_a_jump() {
  std::thread reader;
  for (;;) {
    int number = 1;
    reader = std::thread([&] { kept = number; });
    if (number != 0) break;
  }
  reader.join();
}

constexpr named tests[] = {
    FENCEPOST_NAMED(read_after_its_block),          FENCEPOST_NAMED(read_before_its_block_ends),
    FENCEPOST_NAMED(read_after_its_turn),           FENCEPOST_NAMED(read_in_its_turn),
    FENCEPOST_NAMED(constants_in_their_turn),       FENCEPOST_NAMED(array_in_its_turn),
    FENCEPOST_NAMED(atomic_after_its_block),        FENCEPOST_NAMED(locked_after_its_block),
    FENCEPOST_NAMED(temporary_after_its_statement), FENCEPOST_NAMED(passed_on_after_its_block),
    FENCEPOST_NAMED(block_is_left_by_an_exception), FENCEPOST_NAMED(block_is_left_by_a_jump)};

}  // namespace

int main(int argc, char** argv) { return run_named(tests, argc, argv); }
