// What clang announces, or announces differently from g++; the first argument names the case.
#include <atomic>
#include <cassert>
#include <memory>
#include <thread>

#include "named_program.hpp"

namespace {

struct pair {
  int first = 0, second = 0;
};

// clang's analysis assumes that the address of a member does not leave the function.
void member_of_a_variable() {
  pair p;
  std::thread other([&] { p.second = 1; });
  p.second = 2;  // not ordered
  other.join();
}
void members_beside_each_other() {
  pair p;
  std::thread other([&] { p.second = 1; });
  p.first = 2;
  other.join();
  assert(p.first == 2 && p.second == 1);
}
// clang announces a read and a write of the same object by one call if it can.
void changed_where_it_was_atomic() {
  int n = 1;
  std::thread other([&] { std::atomic_ref(n).fetch_add(1); });
  other.join();
  n = n + 1;
  ++n;
  assert(std::atomic_ref(n).load() == 4);
}
// Nothing makes the address of the object leave the function.
void atomic_that_stays() {
  int sum = 0;
  for (int turn = 0; turn < 3; ++turn) {
    int n = 5 * turn;
    __atomic_fetch_add(&n, 1, __ATOMIC_RELAXED);
    sum += n;
  }
  assert(sum == 18);
}

// The accesses that are left out are the same in each execution. After one that makes a variable
// known, the runtime's cache of recent cells is empty; when an execution is run again, it is not.
void share_a_variable_at_last() {
  static std::atomic<int> stage{0};
  std::thread other([] { stage = 1; });
  int n = 0;
  if (stage.load() == 1) std::thread([&] { n = 1; }).join();
  other.join();
}
void long_computation() {
  static int count = 0;
  std::thread counting([] {
    for (int turn = 0; turn < 20'000; ++turn) ++count;
  });
  counting.join();
  share_a_variable_at_last();
  assert(count == 20'000);
}
void variable_between_atomics() {
  static int written = 0, read = 0;
  std::thread other([] {
    std::atomic_ref(written).store(1);
    std::atomic_ref(read).store(3);
    written = 2;
    int between = 1;
    between = read;
    assert(between == 3);
  });
  other.join();
  share_a_variable_at_last();
}

std::atomic<int> x{0};
void weak_exchange() {
  int expected = 0;
  assert(x.compare_exchange_weak(expected, 1));  // may fail
}
void strong_exchange() {
  int expected = 0;
  assert(x.compare_exchange_strong(expected, 1) && x.load() == 1);
  assert(!x.compare_exchange_strong(expected, 2) && expected == 1);
}
void weak_exchange_that_fails() {
  int expected = 0;
  if (!x.compare_exchange_weak(expected, 1)) assert(expected == 0 && x.load() == 0);
  expected = 3;
  assert(!x.compare_exchange_weak(expected, 4) && expected != 3);
  assert(!x.compare_exchange_strong(expected, 5) || expected <= 1);
}
// A weak compare-exchange may also fail spuriously.
struct sixteen {
  void* pointer = nullptr;
  long count = 0;
};
std::atomic<sixteen> wide;
void weak_wide_exchange() {
  sixteen expected;
  assert(wide.compare_exchange_weak(expected, {&wide, 1}));  // may fail as well
}
void wide_exchange() {
  sixteen expected;
  assert(wide.compare_exchange_strong(expected, {&wide, 1}) && wide.load().count == 1);
}

void byte_without_value() {
  alignas(std::atomic<char>) unsigned char bytes[sizeof(std::atomic<char>)];
  reinterpret_cast<std::atomic<char>*>(bytes)->exchange(1);
}
void number_without_value() {
  int n;
  std::thread other([&] { std::atomic_ref(n).fetch_add(1); });
  other.join();
}
void number_with_a_value() {
  for (int turn = 0; turn < 2; ++turn) {
    int n = turn;
    std::thread other([&] { std::atomic_ref(n).fetch_add(1); });
    other.join();
    assert(n == turn + 1);
  }
}

struct large {
  long all[5] = {};
};
large shared;
void take(large) {}
void passed_by_value() {
  std::thread other([] { shared.all[1] = 1; });
  take(shared);
  other.join();
}
large made() { return {{1, 2, 3, 4, 5}}; }
void assigned_what_is_returned() {
  std::thread other([] { shared.all[1] = 1; });
  shared = made();
  other.join();
}

void counted_pointer() {
  auto p = std::make_shared<pair>();
  std::thread other([p] { assert(p->first == 0); });
  p.reset();
  other.join();
}

constexpr named tests[] = {FENCEPOST_NAMED(member_of_a_variable),
                           FENCEPOST_NAMED(members_beside_each_other),
                           FENCEPOST_NAMED(changed_where_it_was_atomic),
                           FENCEPOST_NAMED(atomic_that_stays),
                           FENCEPOST_NAMED(long_computation),
                           FENCEPOST_NAMED(variable_between_atomics),
                           FENCEPOST_NAMED(weak_exchange),
                           FENCEPOST_NAMED(strong_exchange),
                           FENCEPOST_NAMED(weak_exchange_that_fails),
                           FENCEPOST_NAMED(weak_wide_exchange),
                           FENCEPOST_NAMED(wide_exchange),
                           FENCEPOST_NAMED(byte_without_value),
                           FENCEPOST_NAMED(number_without_value),
                           FENCEPOST_NAMED(number_with_a_value),
                           FENCEPOST_NAMED(passed_by_value),
                           FENCEPOST_NAMED(assigned_what_is_returned),
                           FENCEPOST_NAMED(counted_pointer)};

}  // namespace

int main(int argc, char** argv) { return run_named(tests, argc, argv); }
