// Ways to access atomic objects and other memory.
// The first argument names the case.
#include <algorithm>
#include <atomic>
#include <cassert>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>
#include <vector>

#include "named_program.hpp"

extern "C" {
void AnnotateHappensBefore(const char*, int, const volatile void*);
void AnnotateHappensAfter(const char*, int, const volatile void*);
void AnnotateIgnoreWritesBegin(const char*, int);
void AnnotateIgnoreWritesEnd(const char*, int);
void __tsan_acquire(void*);
void __tsan_release(void*);
}

using std::memory_order_acquire;
using std::memory_order_relaxed;
using std::memory_order_release;

namespace {

std::atomic<int> x{0};
std::atomic<bool> ready{false};
int plain = 0;

void lost_update() {
  both([] { ++plain; }, [] { ++plain; });
}

template <class T>
void size(T one, T two) {
  std::atomic<T> value{one};
  const auto add = [&] {
    T expected = value.load();
    while (!value.compare_exchange_weak(expected, static_cast<T>(expected + two))) {
    }
  };
  both(add, add);
  assert(value.load() == static_cast<T>(one + two + two));
}
void one_byte() { size<std::int8_t>(-3, 100); }
void two_bytes() { size<std::uint16_t>(65'000, 1'000); }
void four_bytes() { size<std::int32_t>(-5, 7); }
void eight_bytes() { size<std::uint64_t>(1, std::uint64_t{1} << 40U); }
void operations() {
  std::atomic<unsigned char> value{0x0f};
  assert(value.fetch_add(0xf1) == 0x0f && value == 0x00);
  assert(value.fetch_sub(1) == 0x00 && value == 0xff);
  assert(value.fetch_and(0x3c) == 0xff && value.fetch_or(0x81) == 0x3c);
  assert(value.fetch_xor(0xff) == 0xbd && value.exchange(7) == 0x42);
  unsigned char expected = 8;
  assert(!value.compare_exchange_strong(expected, 9) && expected == 7);
  assert(value.compare_exchange_strong(expected, 9) && value.load() == 9);
  std::atomic<int*> pointer{&plain};
  assert(pointer.fetch_add(2) == &plain && pointer.load() == &plain + 2);
  struct pair {
    short a, b;
  };
  std::atomic<pair> both_of{pair{1, 2}};
  const pair was = both_of.exchange({3, 4});
  assert(was.a == 1 && was.b == 2 && both_of.load().b == 4);
  std::atomic<float> real{1.5F};
  real.store(real.load() * 2);
  assert(real.load() == 3.0F);
}
void spurious_failure() {
  int expected = 0;
  assert(x.compare_exchange_weak(expected, 1));
}
void shared() {
  auto number = std::make_shared<int>(5);
  both([number] { assert(*number == 5); },
       [copy = std::weak_ptr<int>(number)] {
         if (const auto there = copy.lock()) assert(*there == 5);
       });
  assert(number.use_count() == 1);
}
void passed_on_unsafely() {
  static std::atomic<int*> where{nullptr};
  both([] { where.store(new int(5), memory_order_relaxed); },
       [] {
         if (const int* p = where.load(memory_order_relaxed)) assert(*p == 5);
       });
}
void used_after_free() {
  auto* const p = new std::atomic<int>(1);
  both([=] { delete p; }, [=] { p->store(2); });
}
void freed_twice() {
  int* const p = new int(1);
  delete p;
  both([=] { delete p; }, [] {});
}
void null_pointer() {
  int* volatile p = nullptr;
  both([&] { *p = 1; }, [] {});
}
void null_atomic() {
  std::atomic<int>* volatile p = nullptr;
  both([&] { p->store(1); }, [] {});
}
void blocks() {
  auto* a = static_cast<int*>(std::malloc(2 * sizeof(int)));
  a[0] = 1, a[1] = 2;
  a = static_cast<int*>(std::realloc(a, 8 * sizeof(int)));
  auto* const b = static_cast<std::atomic<int>*>(std::calloc(4, sizeof(std::atomic<int>)));
  both(
      [&] {
        a[7] = 3;
        b[2] += 1;
      },
      [&] {
        a[6] = 4;
        b[2] += 1;
      });
  assert(a[0] == 1 && a[1] == 2 && a[6] == 4 && a[7] == 3 && b[2] == 2 && b[3] == 0);
  std::free(a);
  std::free(b);
}
void copied_bytes() {
  static char from[16] = "from here", to[16];
  both(
      [] {
        std::memcpy(to, from, sizeof to);
        ready.store(true, memory_order_release);
      },
      [] {
        if (ready.load(memory_order_acquire)) assert(std::memcmp(to, from, 9) == 0);
      });
}
void copied_bytes_race() {
  static char from[16] = "from here", to[16];
  both([] { std::memcpy(to, from, sizeof to); }, [] { assert(to[15] == 0); });
}
void set_bytes_race() {
  static char bytes[64];
  both([] { std::memset(bytes, 1, 40); }, [] { bytes[39] = 2; });
}
void bytes_beside_each_other() {
  static char bytes[8];
  both([] { std::memset(bytes, 1, 5); }, [] { bytes[5] = 2; });
  assert(bytes[4] == 1 && bytes[5] == 2);
}
void struct_copy_race() {
  struct wide {
    long a[5];
  };
  static wide one, two;
  both([] { one = two; }, [] { one.a[4] = 1; });
}
void plain_beside_atomic() {
  static std::atomic<int> counter;
  new (&counter) std::atomic<int>(3);  // written, not atomically
  both([] { ++counter; }, [] { ++counter; });
  static int copy;
  std::memcpy(&copy, &counter, sizeof copy);
  assert(copy == 5);
}
void plain_races_with_atomic() {
  static std::atomic<int> counter;
  both([] { new (&counter) std::atomic<int>(3); }, [] { ++counter; });
}
// A plain read races with the other thread's add where its own thread is the second to add.
void read_before_adding(auto first, auto second) {
  static int counter = 0;
  const auto add = [] { std::atomic_ref(counter).fetch_add(1); };
  both([=] { first(counter), add(); }, [=] { second(counter), add(); });
  assert(counter == 2);
}
void plainly_by_the_first() {
  read_before_adding([](int& c) { plain = c; }, [](int&) {});
}
void plainly_by_the_second() {
  read_before_adding([](int&) {}, [](int& c) { plain = c; });
}
void atomically_by_the_first() {
  read_before_adding([](int& c) { plain = std::atomic_ref(c).load(memory_order_relaxed); },
                     [](int&) {});
}
void mixed_sizes() {
  static std::atomic<std::uint64_t> whole;
  both([] { whole.store(1); },
       [] { reinterpret_cast<std::atomic<std::uint32_t>*>(&whole)->store(2); });
}

// Functions that their author hides from ThreadSanitizer are watched, too.
__attribute__((no_sanitize("thread"))) void write_by_string() { plain = 1; }
__attribute__((no_sanitize_thread)) void write_by_word() { plain = 1; }
[[gnu::no_sanitize("address", "thread")]] void write_in_brackets() { plain = 1; }
__attribute__((__no_sanitize__("thread"))) void write_by_reserved_string() { plain = 1; }
__attribute__((__no_sanitize_thread__)) void write_by_reserved_word() { plain = 1; }
void kept_out_by_a_string() {
  both(write_by_string, [] { ++plain; });
}
void kept_out_by_a_word() {
  both(write_by_word, [] { ++plain; });
}
void kept_out_in_brackets() {
  both(write_in_brackets, [] { ++plain; });
}
void kept_out_by_a_reserved_string() {
  both(write_by_reserved_string, [] { ++plain; });
}
void kept_out_by_a_reserved_word() {
  both(write_by_reserved_word, [] { ++plain; });
}
// By builtins, not by calls of functions that would be instrumented in any case.
bool published = false;
[[gnu::no_sanitize("thread")]] void publish() {
  __atomic_store_n(&published, true, __ATOMIC_RELEASE);
}
[[gnu::no_sanitize("thread")]] bool is_published() {
  return __atomic_load_n(&published, __ATOMIC_ACQUIRE);
}
void atomics_that_are_kept_out() {
  both([] { plain = 1, publish(); }, [] { assert(!is_published() || plain == 1); });
}
// Annotations for ThreadSanitizer do not synchronize.
void annotated() {
  both(
      [] {
        AnnotateIgnoreWritesBegin(__FILE__, __LINE__);
        plain = 1;
        AnnotateIgnoreWritesEnd(__FILE__, __LINE__);
        AnnotateHappensBefore(__FILE__, __LINE__, &plain);
        __tsan_release(&plain);
        ready.store(true, memory_order_relaxed);
      },
      [] {
        if (!ready.load(memory_order_relaxed)) return;
        AnnotateHappensAfter(__FILE__, __LINE__, &plain);
        __tsan_acquire(&plain);
        assert(plain == 1);
      });
}

// All become known in few executions. The environment is not restored: PATH begins with '/', and
// each execution increments that character, so that it counts them.
std::atomic<int> many[300];
void many_atomics() {
  char* const mark = std::getenv("PATH");
  assert(++*mark < '/' + 40);
  for (std::atomic<int>& one : many) one.store(1, memory_order_relaxed);
  both([] { many[7].store(2, memory_order_relaxed); },
       [] { assert(many[7].load(memory_order_relaxed) >= 1); });
}

// The race is in code of the C++ library: the checker finds the call in the program, also after
// another thread has been joined.
[[gnu::noinline]] void join_one() {
  std::thread([] {}).join();
}
void found_after_a_join() {
  std::vector<int> all(1);
  std::thread other([&] { all.front() = 1; });
  join_one();
  std::fill(all.begin(), all.end(), 2);
  other.join();
}

constexpr named tests[] = {FENCEPOST_NAMED(found_after_a_join),
                           FENCEPOST_NAMED(lost_update),
                           FENCEPOST_NAMED(one_byte),
                           FENCEPOST_NAMED(two_bytes),
                           FENCEPOST_NAMED(four_bytes),
                           FENCEPOST_NAMED(eight_bytes),
                           FENCEPOST_NAMED(operations),
                           FENCEPOST_NAMED(spurious_failure),
                           FENCEPOST_NAMED(shared),
                           FENCEPOST_NAMED(passed_on_unsafely),
                           FENCEPOST_NAMED(used_after_free),
                           FENCEPOST_NAMED(freed_twice),
                           FENCEPOST_NAMED(null_pointer),
                           FENCEPOST_NAMED(null_atomic),
                           FENCEPOST_NAMED(blocks),
                           FENCEPOST_NAMED(copied_bytes),
                           FENCEPOST_NAMED(copied_bytes_race),
                           FENCEPOST_NAMED(set_bytes_race),
                           FENCEPOST_NAMED(bytes_beside_each_other),
                           FENCEPOST_NAMED(struct_copy_race),
                           FENCEPOST_NAMED(plain_beside_atomic),
                           FENCEPOST_NAMED(plain_races_with_atomic),
                           FENCEPOST_NAMED(plainly_by_the_first),
                           FENCEPOST_NAMED(plainly_by_the_second),
                           FENCEPOST_NAMED(atomically_by_the_first),
                           FENCEPOST_NAMED(mixed_sizes),
                           FENCEPOST_NAMED(many_atomics),
                           FENCEPOST_NAMED(kept_out_by_a_string),
                           FENCEPOST_NAMED(kept_out_by_a_word),
                           FENCEPOST_NAMED(kept_out_in_brackets),
                           FENCEPOST_NAMED(kept_out_by_a_reserved_string),
                           FENCEPOST_NAMED(kept_out_by_a_reserved_word),
                           FENCEPOST_NAMED(atomics_that_are_kept_out),
                           FENCEPOST_NAMED(annotated)};

}  // namespace

int main(int argc, char** argv) { return run_named(tests, argc, argv); }
