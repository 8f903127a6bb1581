// Features that programs are written with; the first argument names the case.
#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cassert>
#include <cerrno>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <iomanip>
#include <iostream>
#include <map>
#include <memory>
#include <mutex>
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

// What an execution changes has its initial value again in the next one.
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
// Starts a thread that nothing stops: it ends with the program.
template <class F>
void leave_to_the_end(F thread) {
  std::thread(thread).detach();
  assert(x.load() == 0);
}
void left_waiting_for_a_condition() {
  static std::mutex& m = *new std::mutex;
  static auto& c = *new std::condition_variable;
  leave_to_the_end([] {
    std::unique_lock lock(m);
    c.wait(lock, [] { return x.load() != 0; });
  });
}
void left_waiting_in_a_loop() {
  leave_to_the_end([] {
    while (x.load() == 0) std::this_thread::yield();
  });
}
void left_waiting_for_a_word() {
  leave_to_the_end([] { x.wait(0); });
}
void left_joinable() {
  pthread_t t;
  const auto wait = [](void*) -> void* {
    x.wait(0);
    return nullptr;
  };
  pthread_create(&t, nullptr, wait, nullptr);
  assert(x.load() == 0);
}
// In some executions the program ends while the thread waits; in others main() joins it.
void waited_for_in_some_executions() {
  std::atomic<int>& began = *new std::atomic<int>(0);
  std::thread t([&began] {
    began = 1;
    x.wait(0);
  });
  if (began.load() == 1)
    t.join();
  else
    t.detach();
}
void left_by_what_goes_wrong() {
  std::thread([] {
    assert(x.exchange(1) == 0);
    x.wait(1);
  }).detach();
  assert(x.exchange(1) == 0);
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
// The functions of these exceptions are defined in the library.
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
// Computes for so long that the checker reads its clocks in the middle. (clang calls the checker at
// each access to a variable of the function.)
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
void other_system_call() { assert(syscall(SYS_getppid) != 0); }
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
                           FENCEPOST_NAMED(left_waiting_for_a_condition),
                           FENCEPOST_NAMED(left_waiting_in_a_loop),
                           FENCEPOST_NAMED(left_waiting_for_a_word),
                           FENCEPOST_NAMED(left_joinable),
                           FENCEPOST_NAMED(waited_for_in_some_executions),
                           FENCEPOST_NAMED(left_by_what_goes_wrong),
                           FENCEPOST_NAMED(never_joined),
                           FENCEPOST_NAMED(yields),
                           FENCEPOST_NAMED(computes),
                           FENCEPOST_NAMED(caught_from_the_library),
                           FENCEPOST_NAMED(as_many_as_processors),
                           FENCEPOST_NAMED(shows),
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
