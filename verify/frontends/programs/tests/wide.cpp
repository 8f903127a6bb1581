// Programs with atomics of sizes for which no machine has an instruction, or not every machine.
// The first argument names the case.
#include <atomic>
#include <cassert>
#include <cstdint>
#include <thread>

#include "named_program.hpp"

namespace {

struct pair {
  std::int64_t first, second;
};
struct three {
  char bytes[3];
};
struct twelve {
  int numbers[3];
};
struct forty {
  int numbers[10];
};
std::atomic<pair> both_of{pair{1, 2}};
std::atomic<three> narrow{three{{1, 2, 3}}};
std::atomic<twelve> odd{twelve{{4, 5, 6}}};
std::atomic<forty> too_wide{forty{}};
__extension__ using wide = unsigned __int128;
wide number = 7;
int plain = 0;

void add_to_both() {
  pair seen = both_of.load(std::memory_order_relaxed);
  while (!both_of.compare_exchange_weak(seen, {seen.first + 1, seen.second + 1})) {
  }
}
void sixteen_bytes() {
  std::thread other(add_to_both);
  add_to_both();
  other.join();
  const pair last = both_of.exchange({9, 9});
  assert(last.first == 3 && last.second == 4 && both_of.load().second == 9);
}
void one_is_lost() {
  std::thread other(add_to_both);
  const pair seen = both_of.load();
  both_of.store({seen.first + 1, seen.second + 1});
  other.join();
  assert(both_of.load().first == 3);
}
void sixteen_bytes_relaxed() {
  std::thread other([] {
    plain = 1;
    both_of.store({5, 6}, std::memory_order_relaxed);
  });
  if (both_of.load(std::memory_order_acquire).second == 6) assert(plain == 1);
  other.join();
}
void arithmetic() {
  std::thread other([] { __atomic_fetch_add(&number, wide{1} << 64U, __ATOMIC_RELAXED); });
  const wide before = __atomic_fetch_or(&number, 8, __ATOMIC_RELAXED);
  other.join();
  assert(before % 16 == 7 && __atomic_load_n(&number, __ATOMIC_RELAXED) == (wide{1} << 64U) + 15);
}
void in_a_block() {
  auto* const where = new std::atomic<pair>(pair{-1, -2});
  std::thread other([=] { where->store({3, 4}); });
  const pair seen = where->load();
  assert(seen.second == seen.first + (seen.first < 0 ? -1 : 1));
  other.join();
  delete where;
}
// The compiler inlines the code that copies.
void copied_into_a_block() {
  static pair first{-1, -2};
  auto* const where = new pair;
  *where = first;
  std::thread other([=] { std::atomic_ref(*where).store({3, 4}); });
  const pair seen = std::atomic_ref(*where).load();
  assert(seen.second == seen.first + (seen.first < 0 ? -1 : 1));
  other.join();
  delete where;
}
void three_and_twelve_bytes() {
  std::thread other([] {
    narrow.store({{7, 8, 9}});
    odd.store({{7, 8, 9}});
  });
  const twelve seen = odd.load();
  assert(seen.numbers[2] == seen.numbers[0] + 2);
  if (seen.numbers[0] == 7) assert(narrow.load().bytes[2] == 9);
  other.join();
  three expected{{1, 2, 3}};
  assert(!narrow.compare_exchange_strong(expected, {{0, 0, 0}}) && expected.bytes[1] == 8);
  assert(narrow.compare_exchange_strong(expected, {{0, 0, 1}}));
  assert(narrow.exchange({{5, 5, 5}}).bytes[2] == 1 && !narrow.is_lock_free());
}
// Only the last number differs.
void waits_for_twelve_bytes() {
  std::thread other([] {
    plain = 1;
    odd.store({{4, 5, 7}});
    odd.notify_one();
  });
  odd.wait({{4, 5, 6}});
  assert(plain == 1 && odd.load().numbers[2] == 7);
  other.join();
}
void waits_for_sixteen_bytes_in_vain() {
  std::thread other([] { both_of.store({1, 3}); });
  both_of.wait({1, 2});
  other.join();
}
void forty_bytes() { too_wide.store(forty{}); }

constexpr named tests[] = {FENCEPOST_NAMED(sixteen_bytes),
                           FENCEPOST_NAMED(one_is_lost),
                           FENCEPOST_NAMED(sixteen_bytes_relaxed),
                           FENCEPOST_NAMED(arithmetic),
                           FENCEPOST_NAMED(in_a_block),
                           FENCEPOST_NAMED(copied_into_a_block),
                           FENCEPOST_NAMED(three_and_twelve_bytes),
                           FENCEPOST_NAMED(waits_for_twelve_bytes),
                           FENCEPOST_NAMED(waits_for_sixteen_bytes_in_vain),
                           FENCEPOST_NAMED(forty_bytes)};

}  // namespace

int main(int argc, char** argv) { return run_named(tests, argc, argv); }
