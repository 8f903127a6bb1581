// Objects on stacks to which nothing was written, or nothing that the compiler announces.
// The first argument names the case.
#include <atomic>
#include <cassert>
#include <initializer_list>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <new>
#include <thread>

#include "named_program.hpp"

namespace {

template <class F>
void in_two_threads(F f) {
  std::thread other(f);
  f();
  other.join();
}

void atomic_that_is_not_constructed() {
  alignas(std::atomic<int>) unsigned char bytes[sizeof(std::atomic<int>)];
  auto& a = *reinterpret_cast<std::atomic<int>*>(bytes);
  in_two_threads([&] { a.fetch_add(1); });
}
void atomic_that_is_constructed() {
  alignas(std::atomic<int>) unsigned char bytes[sizeof(std::atomic<int>)];
  auto& a = *new (bytes) std::atomic<int>(1);
  in_two_threads([&] { a.fetch_add(1); });
  assert(a == 3);
}
void number_without_value() {
  int n;
  in_two_threads([&] { std::atomic_ref(n).fetch_add(1); });
}
// The object is below all other frames: a byte within one of them would hold what it left there.
void byte_that_is_not_constructed() {
  volatile char others[4096];
  others[0] = 0;
  alignas(std::atomic<bool>) unsigned char bytes[sizeof(std::atomic<bool>)];
  reinterpret_cast<std::atomic<bool>*>(bytes)->exchange(true);
}

// The compiler does not announce the writes of arguments and of returned values.
[[gnu::noinline]] void add_to_copy(int n, int expected) {
  in_two_threads([&] { std::atomic_ref(n).fetch_add(1); });
  assert(n == expected);
}
void argument() { add_to_copy(5, 7); }
void argument_of_each_call() {
  add_to_copy(5, 7);
  add_to_copy(6, 8);
}
[[gnu::noinline]] void add_or_read(int n, int expected, bool adds) {
  const int* volatile p = &n;
  if (adds) std::atomic_ref(n).fetch_add(1);
  assert(*p == expected);
}
void argument_that_is_only_read() {
  add_or_read(1, 2, true);
  add_or_read(3, 3, false);
  add_or_read(4, 4, false);
}
struct pair {
  int first, second;
};
[[gnu::noinline]] pair made() { return {3, 4}; }
void returned() {
  pair p = made();
  in_two_threads([&] { std::atomic_ref(p.second).fetch_add(1); });
  assert(p.first == 3 && p.second == 6);
}
void returned_to_a_block() {
  const auto p = std::make_unique<pair>();
  *p = made();
  in_two_threads([&] { std::atomic_ref(p->second).fetch_add(1); });
  assert(p->first == 3);
}
void read_before_it_is_atomic() {
  pair p = made();
  const int* volatile second = &p.second;
  assert(*second == 4);
  in_two_threads([&] { std::atomic_ref(p.second).fetch_add(1); });
  assert(*second == 6);
}

// A std::thread is where the other function has an atomic object.
[[gnu::noinline]] int in_one_thread() {
  std::atomic<int> a{0};
  std::thread t([&] { a.store(1); });
  t.join();
  return a.load();
}
[[gnu::noinline]] long in_turns() {
  std::atomic<long> a{0}, b{0};
  std::thread t([&] { a.fetch_add(1); });
  std::thread u([&] {
    a.fetch_add(1);
    b.fetch_add(1);
  });
  t.join();
  u.join();
  return a.load() + b.load();
}
[[gnu::noinline]] long in_a_row() {
  std::atomic<long> all[32];
  for (std::atomic<long>& each : all) each.fetch_add(1);
  long sum = 0;
  for (std::atomic<long>& each : all) sum += each.load();
  return sum;
}
std::atomic<bool> was_there{false};
[[gnu::noinline]] void in_a_detached_thread() {
  std::thread t([] { was_there.store(true); });
  t.detach();
  while (!was_there.load()) std::this_thread::yield();
}
void detached_where_atomics_are() {
  assert(in_a_row() == 32);
  in_a_detached_thread();
}
// Its atomics are where other functions have their variables.
[[gnu::noinline]] long in_a_long_row() {
  std::atomic<long> all[200];
  for (std::atomic<long>& each : all) each.store(1);
  return all[199].load();
}
[[gnu::noinline]] void below(void (*f)()) {
  volatile char variables[200];
  variables[0] = 1;
  f();
  assert(variables[0] == 1);
}
void where_atomics_are(void (*f)()) {
  assert(in_a_long_row() == 1);
  below(f);
}
struct two_numbers {
  long first, second;
};
[[gnu::noinline]] void change(two_numbers& p) { ++p.first; }
[[gnu::noinline]] void copy_one() {
  two_numbers one{1, 2}, other{3, 4};
  change(one);
  change(other);
  other = one;
  assert(other.first == 2 && other.second == 2);
}
void copied_where_atomics_are() { where_atomics_are(copy_one); }
// The library changes the containers for one thread after another.
std::mutex mutex;
int last = 0;
[[gnu::noinline]] void insert_in_two_threads() {
  std::map<int, int> tree;
  std::list<int> list;
  in_two_threads([&] {
    const std::lock_guard<std::mutex> lock(mutex);
    ++last;
    tree.emplace(last, last);
    list.push_back(last);
  });
  assert(tree.begin()->first == 1 && tree.rbegin()->first == 2 && list.back() == 2);
}
void containers_where_atomics_are() { where_atomics_are(insert_in_two_threads); }
// Where one temporary object follows another, the compiler may announce only the first.
[[gnu::noinline]] void change_numbers(const two_numbers& by, int& a, int& b) {
  a += static_cast<int>(by.first);
  b += static_cast<int>(by.second);
}
[[gnu::noinline]] const int* first(std::initializer_list<const int*> all) { return *all.begin(); }
[[gnu::noinline]] void take_first() {
  int one = 1, two = 2;
  change_numbers({1, 1}, one, two);
  assert(first({&one, &two}) == &one);
  change_numbers({1, 1}, one, two);
  assert(first({&two, &one}) == &two);
}
void temporaries_where_atomics_are() { where_atomics_are(take_first); }
// Bytes between members, or beside one that was written, belong to no value. On a stack that no
// function has used before, they differ when an execution is run again.
[[gnu::noinline]] void far_below(void (*f)()) {
  volatile char variables[8000] __attribute__((uninitialized));
  f();
  variables[0] = 1;
}
void where_atomics_will_be(void (*f)()) {
  std::thread([=] {
    far_below(f);
    far_below([] { assert(in_a_long_row() == 1); });
  }).join();
}
struct padded {
  char letter;
  long number;
};
[[gnu::noinline]] padded made_padded(long n) { return {'a', n}; }
[[gnu::noinline]] void take_padded() {
  const padded p = made_padded(1);
  assert(p.letter == 'a' && p.number == 1);
}
void padding_where_atomics_will_be() {
  where_atomics_will_be([] { below(take_padded); });
}
[[gnu::noinline]] void write_one_byte_of_eight() {
  alignas(8) unsigned char bytes[8] __attribute__((uninitialized));
  unsigned char* const volatile third = bytes + 3;
  *third = 3;
  assert(*third == 3);
}
void one_byte_where_atomics_will_be() {
  where_atomics_will_be([] { below(write_one_byte_of_eight); });
}
[[gnu::noinline]] void ends_of_threads_by_another() {
  std::thread joined([] {}), detached([] { was_there.store(true); });
  std::thread([&] {
    joined.join();
    detached.detach();
  }).join();
  assert(!joined.joinable() && !detached.joinable());
  while (!was_there.load()) std::this_thread::yield();
}
void joined_where_atomics_are() { where_atomics_are(ends_of_threads_by_another); }
void started_where_atomics_were() {
  {
    std::atomic<long> all[32] = {};
    std::thread([&] {
      for (std::atomic<long>& each : all) each.store(1);
    }).join();
    assert(all[31].load() == 1);
  }
  std::thread other([] {});
  other.join();
}
void threads_where_atomics_are() {
  assert(in_a_row() == 32);
  assert(in_turns() == 3);
  assert(in_a_row() == 32);
}
void threads_of_two_functions() {
  assert(in_one_thread() == 1);
  assert(in_turns() == 3);
  assert(in_one_thread() == 1);
}

constexpr named tests[] = {FENCEPOST_NAMED(atomic_that_is_not_constructed),
                           FENCEPOST_NAMED(atomic_that_is_constructed),
                           FENCEPOST_NAMED(number_without_value),
                           FENCEPOST_NAMED(byte_that_is_not_constructed),
                           FENCEPOST_NAMED(argument),
                           FENCEPOST_NAMED(argument_of_each_call),
                           FENCEPOST_NAMED(argument_that_is_only_read),
                           FENCEPOST_NAMED(returned),
                           FENCEPOST_NAMED(returned_to_a_block),
                           FENCEPOST_NAMED(read_before_it_is_atomic),
                           FENCEPOST_NAMED(threads_of_two_functions),
                           FENCEPOST_NAMED(threads_where_atomics_are),
                           FENCEPOST_NAMED(copied_where_atomics_are),
                           FENCEPOST_NAMED(containers_where_atomics_are),
                           FENCEPOST_NAMED(temporaries_where_atomics_are),
                           FENCEPOST_NAMED(padding_where_atomics_will_be),
                           FENCEPOST_NAMED(one_byte_where_atomics_will_be),
                           FENCEPOST_NAMED(joined_where_atomics_are),
                           FENCEPOST_NAMED(started_where_atomics_were),
                           FENCEPOST_NAMED(detached_where_atomics_are)};

}  // namespace

int main(int argc, char** argv) { return run_named(tests, argc, argv); }
