// What programs are written with: one case for each, by the name in the first argument.
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <barrier>
#include <cassert>
#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iomanip>
#include <iostream>
#include <latch>
#include <map>
#include <memory>
#include <mutex>
#include <semaphore>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "named_program.hpp"

using std::memory_order_acquire;
using std::memory_order_relaxed;
using std::memory_order_release;

namespace {

std::atomic<int> x{0}, y{0};
std::atomic<bool> ready{false};
int plain = 0;
std::mutex lock, other_lock;
std::condition_variable changed;

void message() {
  both(
      [] {
        plain = 42;
        ready.store(true, memory_order_release);
      },
      [] {
        if (ready.load(memory_order_acquire)) assert(plain == 42);
      });
}
void relaxed_message() {
  both(
      [] {
        plain = 42;  // relaxed_message: write
        ready.store(true, memory_order_relaxed);
      },
      [] {
        if (ready.load(memory_order_acquire)) assert(plain == 42);  // relaxed_message: read
      });
}
void message_by_fences() {
  both(
      [] {
        plain = 42;
        std::atomic_thread_fence(memory_order_release);
        ready.store(true, memory_order_relaxed);
      },
      [] {
        if (!ready.load(memory_order_relaxed)) return;
        std::atomic_thread_fence(memory_order_acquire);
        assert(plain == 42);
      });
}
void store_buffering() {
  both(
      [] {
        x.store(1, memory_order_relaxed);
        assert(y.load(memory_order_relaxed) >= 0);
      },
      [] {
        y.store(1, memory_order_relaxed);
        assert(x.load(memory_order_relaxed) >= 0);
      });
}
void lost_update() {
  both([] { ++plain; }, [] { ++plain; });
}
void counted_under_a_lock() {
  const auto count = [] {
    const std::lock_guard hold(lock);
    ++plain;
  };
  both(count, count);
  assert(plain == 2);
}
void as_many_as_processors() {
  std::vector<std::thread> all;
  for (unsigned i = 0; i < std::thread::hardware_concurrency(); ++i) all.emplace_back([] { ++x; });
  for (std::thread& t : all) t.join();
  assert(x == 2);
}
void tried_lock() {
  const auto count = [] {
    if (!lock.try_lock()) return;
    ++plain;
    lock.unlock();
  };
  both(count, count);
  assert(plain == 2);  // one of them may have failed
}
void recursive_lock() {
  static std::recursive_mutex recursive;
  const auto count = [] {
    const std::lock_guard outer(recursive);
    const std::lock_guard inner(recursive);
    ++plain;
  };
  both(count, count);
  assert(plain == 2);
}
void locked_twice() {
  lock.lock();
  lock.lock();
}
void unlocked_by_another() {
  lock.lock();
  std::thread([] { lock.unlock(); }).join();
}
void locks_in_two_orders() {
  both(
      [] {
        const std::lock_guard a(lock);
        const std::lock_guard b(other_lock);
      },
      [] {
        const std::lock_guard a(other_lock);
        const std::lock_guard b(lock);
      });
}
void lock_on_a_stack() {
  std::mutex here;
  int count = 0;
  both(
      [&] {
        const std::lock_guard hold(here);
        ++count;
      },
      [&] {
        const std::lock_guard hold(here);
        ++count;
      });
  assert(count == 2);
}
void condition() {
  both(
      [] {
        std::unique_lock hold(lock);
        while (plain == 0) changed.wait(hold);
        assert(plain == 1);
      },
      [] {
        {
          const std::lock_guard hold(lock);
          plain = 1;
        }
        changed.notify_one();
      });
}
void woken_without_a_reason() {
  both(
      [] {
        std::unique_lock hold(lock);
        if (plain == 0) changed.wait(hold);
        assert(plain == 1);
      },
      [] {
        {
          const std::lock_guard hold(lock);
          plain = 1;
        }
        changed.notify_one();
      });
}
void lost_wake_up() {
  both(
      [] {
        std::unique_lock hold(lock);
        changed.wait(hold);  // it may have been notified before
      },
      [] { changed.notify_one(); });
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

// Whatever an execution changes is as it was in the next one.
int runs = 0;
std::string text = "text that is too long to be in the object itself";
std::map<int, int> table{{1, 2}};
void variables() {
  message();
  assert(++runs == 1);
  text += "!";
  table[2] = 3;
  assert(text.size() == 49 && table.size() == 2);
  static std::vector<int> numbers;
  numbers.push_back(1);
  assert(numbers.size() == 1);
}
struct made_first {
  made_first() { plain = 7; }
};
std::unique_ptr<int> made_in_constructor = std::make_unique<int>(5);
void constructors() {
  static const made_first one;
  assert(plain == 7 && *made_in_constructor == 5);
}
struct checks_at_the_end {
  ~checks_at_the_end() { assert(plain != 99); }
} at_the_end;
void destructors() { plain = 99; }

void local_static() {
  static std::atomic<int> made{0};
  const auto use = [] {
    static const int once = ++made;
    assert(once == 1);
  };
  both(use, use);
  assert(made == 1);
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
void mixed_sizes() {
  static std::atomic<std::uint64_t> whole;
  both([] { whole.store(1); },
       [] { reinterpret_cast<std::atomic<std::uint32_t>*>(&whole)->store(2); });
}

void caught() {
  const auto throws = [] {
    try {
      if (x.load() == 0) throw std::runtime_error("zero");
      assert(false);
    } catch (const std::exception& e) {
      assert(std::string_view(e.what()) == "zero");
    }
  };
  both(throws, throws);
}
void uncaught() {
  both(
      [] {
        if (x.load() == 0) throw 1;
      },
      [] {});
}
void detached() {
  std::thread([] { x = 1; }).detach();
  assert(x.load() <= 1);
}
void never_joined() {
  std::thread t([] {});
}
void yields() {
  both(
      [] {
        std::this_thread::yield();
        x = 1;
      },
      [] { x = 2; });
}
// Their functions are defined in the library.
struct failure : std::runtime_error {
  using std::runtime_error::runtime_error;
};
void caught_from_the_library() {
  std::string said;
  try {
    throw failure("text");
  } catch (const std::exception& e) {
    said = static_cast<const failure&>(e).std::runtime_error::what();
  }
  assert(said == "text");
  try {
    throw std::bad_alloc();
  } catch (const std::bad_alloc&) {
    said.clear();
  }
  assert(said.empty());
}
// Long enough for the checker to look at its clocks in the middle of it. (clang calls the checker
// at each access to a variable of the function.)
#ifdef __clang__
constexpr unsigned long numbers = 100'000;
#else
constexpr unsigned long numbers = 10'000'000;
#endif
void computes() {
  for (plain = 0; plain < 20; ++plain) {
    unsigned long sum = 0;
    for (unsigned long i = 0; i < numbers; ++i) sum += i;
    assert(sum == numbers * (numbers - 1) / 2);
  }
}
void shows() {
  std::printf("printed %d\n", x.load());
  std::cout << "written " << std::setw(3) << x.load() << std::endl;
  std::clog << "written " << std::setfill('0') << std::setprecision(3) << 0.5 << std::endl;
}

// Loops that wait.
void waits() {
  both(
      [] {
        while (!ready.load(memory_order_acquire)) {
        }
        assert(plain == 1);
      },
      [] {
        plain = 1;
        ready.store(true, memory_order_release);
      });
}
void waits_for_ever() {
  both(
      [] {
        while (!ready.load()) {
        }
      },
      [] {});
}
// Its turns are not idle, although no event tells them apart.
int turns = 0;
void counts_turns() {
  both(
      [] {
        while (!ready.load() && turns < 3) ++turns;
        assert(turns < 3);
      },
      [] { ready.store(true); });
}

// Nor these, which only the mutex counts.
std::recursive_mutex deep;
void locks_in_turns() {
  both([] { ready.store(true); },
       [] {
         deep.lock();
         while (!ready.load()) deep.lock();
         unlock_twice_if_held(deep);
       });
  assert(deep.try_lock());
}
void counts_turns_without_end() {
  both(
      [] {
        while (!ready.load()) ++turns;
      },
      [] { ready.store(true); });
}

// Waiting on atomics, by notification.
template <class T>
void handed_over(T before, T after, std::memory_order order, bool notifies) {
  static std::atomic<T> word;
  word.store(before, memory_order_relaxed);
  both(
      [=] {
        word.wait(before, memory_order_acquire);
        assert(plain == 1);
      },
      [=] {
        plain = 1;
        word.store(after, order);
        if (notifies) word.notify_one();
      });
}
void waits_for_a_word() { handed_over(1, 2, memory_order_release, true); }
void waits_for_a_byte() { handed_over(false, true, memory_order_release, true); }
void waits_for_a_long() { handed_over(1L << 40U, 1L << 41U, memory_order_release, true); }
void waits_relaxed() { handed_over(1, 2, memory_order_relaxed, true); }
void waits_unnotified() { handed_over(1, 2, memory_order_release, false); }
void notifies_before_it_writes() {
  both([] { x.wait(0); },
       [] {
         x.notify_all();
         x = 1;
       });
}
void notifies_one_of_two() {
  static std::atomic<int> word{0};
  std::thread third([] { word.wait(0); });
  both([] { word.wait(0); },
       [] {
         word = 1;
         word.notify_one();
       });
  third.join();
}
void notifies_all_of_two() {
  static std::atomic<int> word{0};
  std::thread third([] { word.wait(0); });
  both([] { word.wait(0); },
       [] {
         word = 1;
         word.notify_all();
       });
  third.join();
}
void waits_for_a_flag() {
  static std::atomic_flag flag;
  both(
      [] {
        flag.wait(false, memory_order_acquire);
        assert(plain == 1);
      },
      [] {
        plain = 1;
        flag.test_and_set(memory_order_release);
        flag.notify_all();
      });
}
void semaphores() {
  static std::binary_semaphore semaphore{1};
  const auto count = [] {
    semaphore.acquire();
    ++plain;
    semaphore.release();
  };
  both(count, count);
  assert(plain == 2);
}
void semaphore_for_two() {
  static std::counting_semaphore<2> semaphore{2};
  const auto count = [] {
    semaphore.acquire();
    ++plain;
    semaphore.release();
  };
  both(count, count);
}
void tried_semaphore() {
  static std::binary_semaphore semaphore{0};
  both([] { semaphore.release(); }, [] { assert(semaphore.try_acquire()); });
}
void semaphore_without_release() {
  static std::binary_semaphore semaphore{1};
  both([] { semaphore.acquire(); }, [] { semaphore.acquire(); });
}
void latches() {
  static std::latch done{2};
  static int results[2];
  both(
      [] {
        results[0] = 1;
        done.arrive_and_wait();
        assert(results[1] == 2);
      },
      [] {
        results[1] = 2;
        done.count_down();
      });
}
void latch_for_too_many() {
  static std::latch done{3};
  both([] { done.arrive_and_wait(); }, [] { done.count_down(); });
}
void barriers() {
  static std::barrier meeting{2};
  static int results[2];
  const auto work = [](int self) {
    results[self] = self + 1;
    meeting.arrive_and_wait();
    assert(results[1 - self] == 2 - self);
  };
  both([=] { work(0); }, [=] { work(1); });
}
void barrier_passed_early() {
  static std::barrier meeting{2};
  static int results[2];
  const auto work = [](int self) {
    results[self] = self + 1;
    static_cast<void>(meeting.arrive());
    assert(results[1 - self] == 2 - self);
  };
  both([=] { work(0); }, [=] { work(1); });
}
int futex_word = 0;
long futex(int operation, int value) {
  return syscall(SYS_futex, &futex_word, operation, value, nullptr, nullptr, 0);
}
void futexes() {
  both(
      [] {
        while (__atomic_load_n(&futex_word, __ATOMIC_ACQUIRE) == 0) {
          if (futex(FUTEX_WAIT_PRIVATE, 0) == -1) assert(errno == EAGAIN);
        }
        assert(plain == 1);
      },
      [] {
        plain = 1;
        __atomic_store_n(&futex_word, 1, __ATOMIC_RELEASE);
        assert(futex(FUTEX_WAKE_PRIVATE, 1) <= 1);
      });
}
void futex_of_another_value() {
  both([] { assert(futex(FUTEX_WAIT_PRIVATE, 0) == 0); },  // it may have changed before
       [] {
         __atomic_store_n(&futex_word, 1, __ATOMIC_RELEASE);
         futex(FUTEX_WAKE_PRIVATE, 1);
       });
}
void futex_never_woken() {
  both(
      [] {
        while (__atomic_load_n(&futex_word, __ATOMIC_ACQUIRE) == 0) futex(FUTEX_WAIT_PRIVATE, 0);
      },
      [] { __atomic_store_n(&futex_word, 1, __ATOMIC_RELEASE); });
}
void other_system_call() { assert(syscall(SYS_getpid) != 0); }
void error_numbers() {
  static std::atomic<int> word;
  errno = 1;
  both([] { assert(errno == 0), errno = 2, word = 1, assert(errno == 2); },
       [] { assert(errno == 0), errno = 3, word = 2, assert(errno == 3); });
  assert(errno == 1);
}

// What is done once.
std::once_flag flag_of_once;
void once() {
  const auto use = [] {
    std::call_once(
        flag_of_once, [](int n) { plain += n; }, 5);
    assert(plain == 5);
  };
  both(use, use);
}
void once_after_an_exception() {
  static std::atomic<int> tries{0};
  const auto use = [] {
    try {
      std::call_once(flag_of_once, [] {
        if (tries.fetch_add(1) == 0) throw 1;
        ++plain;
      });
    } catch (int) {
    }
  };
  both(use, use);
  assert(tries == 2 && plain == 1);
}
void read_beside_once() {
  both([] { std::call_once(flag_of_once, [] { plain = 1; }); }, [] { assert(plain >= 0); });
}
void sleeps() {
  both(
      [] {
        std::this_thread::sleep_for(std::chrono::hours(1));
        plain = 1;
      },
      [] { plain = 2; });  // an hour is no order
}

constexpr named tests[] = {FENCEPOST_NAMED(message),
                           FENCEPOST_NAMED(relaxed_message),
                           FENCEPOST_NAMED(message_by_fences),
                           FENCEPOST_NAMED(store_buffering),
                           FENCEPOST_NAMED(lost_update),
                           FENCEPOST_NAMED(counted_under_a_lock),
                           FENCEPOST_NAMED(tried_lock),
                           FENCEPOST_NAMED(recursive_lock),
                           FENCEPOST_NAMED(locked_twice),
                           FENCEPOST_NAMED(unlocked_by_another),
                           FENCEPOST_NAMED(locks_in_two_orders),
                           FENCEPOST_NAMED(lock_on_a_stack),
                           FENCEPOST_NAMED(condition),
                           FENCEPOST_NAMED(lost_wake_up),
                           FENCEPOST_NAMED(woken_without_a_reason),
                           FENCEPOST_NAMED(one_byte),
                           FENCEPOST_NAMED(two_bytes),
                           FENCEPOST_NAMED(four_bytes),
                           FENCEPOST_NAMED(eight_bytes),
                           FENCEPOST_NAMED(operations),
                           FENCEPOST_NAMED(spurious_failure),
                           FENCEPOST_NAMED(variables),
                           FENCEPOST_NAMED(constructors),
                           FENCEPOST_NAMED(destructors),
                           FENCEPOST_NAMED(local_static),
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
                           FENCEPOST_NAMED(mixed_sizes),
                           FENCEPOST_NAMED(caught),
                           FENCEPOST_NAMED(uncaught),
                           FENCEPOST_NAMED(detached),
                           FENCEPOST_NAMED(never_joined),
                           FENCEPOST_NAMED(yields),
                           FENCEPOST_NAMED(computes),
                           FENCEPOST_NAMED(caught_from_the_library),
                           FENCEPOST_NAMED(as_many_as_processors),
                           FENCEPOST_NAMED(shows),
                           FENCEPOST_NAMED(waits),
                           FENCEPOST_NAMED(waits_for_ever),
                           FENCEPOST_NAMED(counts_turns),
                           FENCEPOST_NAMED(locks_in_turns),
                           FENCEPOST_NAMED(counts_turns_without_end),
                           FENCEPOST_NAMED(waits_for_a_word),
                           FENCEPOST_NAMED(waits_for_a_byte),
                           FENCEPOST_NAMED(waits_for_a_long),
                           FENCEPOST_NAMED(waits_relaxed),
                           FENCEPOST_NAMED(waits_unnotified),
                           FENCEPOST_NAMED(notifies_before_it_writes),
                           FENCEPOST_NAMED(notifies_one_of_two),
                           FENCEPOST_NAMED(notifies_all_of_two),
                           FENCEPOST_NAMED(waits_for_a_flag),
                           FENCEPOST_NAMED(semaphores),
                           FENCEPOST_NAMED(semaphore_for_two),
                           FENCEPOST_NAMED(tried_semaphore),
                           FENCEPOST_NAMED(semaphore_without_release),
                           FENCEPOST_NAMED(latches),
                           FENCEPOST_NAMED(latch_for_too_many),
                           FENCEPOST_NAMED(barriers),
                           FENCEPOST_NAMED(barrier_passed_early),
                           FENCEPOST_NAMED(futexes),
                           FENCEPOST_NAMED(futex_of_another_value),
                           FENCEPOST_NAMED(futex_never_woken),
                           FENCEPOST_NAMED(other_system_call),
                           FENCEPOST_NAMED(error_numbers),
                           FENCEPOST_NAMED(once),
                           FENCEPOST_NAMED(once_after_an_exception),
                           FENCEPOST_NAMED(read_beside_once),
                           FENCEPOST_NAMED(sleeps)};

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) return 9;
  if (run_named(tests, argv[1])) return 0;
  if (std::string_view(argv[1]) == "exit") std::exit(std::atoi(argv[2]));
  if (std::string_view(argv[1]) == "abort") std::abort();
  if (std::string_view(argv[1]) != "argument") return 8;
  // A program may change its arguments; each execution has its own.
  both(
      [=] {
        argv[2][0] = 'X';
        x = 1;
      },
      [] { x = 2; });
  assert(std::string_view(argv[2]) == "Xbc" && argv[3] == nullptr && argc == 3);
  return 0;
}
