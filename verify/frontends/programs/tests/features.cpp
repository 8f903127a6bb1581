// What programs are written with: one case for each, by the name in the first argument.
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cassert>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <iomanip>
#include <iostream>
#include <map>
#include <memory>
#include <new>
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
void as_many_as_processors() {
  std::vector<std::thread> all;
  for (unsigned i = 0; i < std::thread::hardware_concurrency(); ++i) all.emplace_back([] { ++x; });
  for (std::thread& t : all) t.join();
  assert(x == 2);
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
<<<<<<< HEAD
=======

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
// For what no atomic object says.
bool plainly_ready = false;
void waits_in_a_race() {
  both(
      [] {
        while (!plainly_ready) {
        }
      },
      [] { plainly_ready = true; });
}
void waits_in_a_race_with_volatile() {
  static volatile int stage = 0;
  std::thread other([] { stage = 1; });
  while (stage < 1) std::this_thread::yield();
  other.join();
}
void waits_for_itself() {
  both(
      [] {
        while (!plainly_ready) {
        }
      },
      [] { x.store(1); });
}
void computes_in_plain_data() {
  constexpr int size = 100;
  static int sums[size];
  both(
      [] {
        for (int turn = 0; turn < 300; ++turn)
          for (int i = 1; i < size; ++i) sums[i] += sums[i - 1] + 1;
      },
      [] { x.store(1); });
  assert(sums[1] == 300);
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
>>>>>>> 09f19b9 (programs: find races in plain waits, none in destructors)
void other_system_call() { assert(syscall(SYS_getpid) != 0); }
void error_numbers() {
  static std::atomic<int> word;
  errno = 1;
  both([] { assert(errno == 0), errno = 2, word = 1, assert(errno == 2); },
       [] { assert(errno == 0), errno = 3, word = 2, assert(errno == 3); });
  assert(errno == 1);
}

constexpr named tests[] = {FENCEPOST_NAMED(message),
                           FENCEPOST_NAMED(relaxed_message),
                           FENCEPOST_NAMED(message_by_fences),
                           FENCEPOST_NAMED(store_buffering),
                           FENCEPOST_NAMED(variables),
                           FENCEPOST_NAMED(constructors),
                           FENCEPOST_NAMED(destructors),
                           FENCEPOST_NAMED(local_static),
                           FENCEPOST_NAMED(caught),
                           FENCEPOST_NAMED(uncaught),
                           FENCEPOST_NAMED(detached),
                           FENCEPOST_NAMED(never_joined),
                           FENCEPOST_NAMED(yields),
                           FENCEPOST_NAMED(computes),
                           FENCEPOST_NAMED(caught_from_the_library),
                           FENCEPOST_NAMED(as_many_as_processors),
                           FENCEPOST_NAMED(shows),
<<<<<<< HEAD
=======
                           FENCEPOST_NAMED(waits),
                           FENCEPOST_NAMED(waits_for_ever),
                           FENCEPOST_NAMED(waits_in_a_race),
                           FENCEPOST_NAMED(waits_in_a_race_with_volatile),
                           FENCEPOST_NAMED(waits_for_itself),
                           FENCEPOST_NAMED(computes_in_plain_data),
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
>>>>>>> 09f19b9 (programs: find races in plain waits, none in destructors)
                           FENCEPOST_NAMED(other_system_call),
                           FENCEPOST_NAMED(error_numbers)};

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
