// Programs that change something after a choice: the next execution resumes at the choice, and must
// find everything as it was there. The first argument names the case.
#include <pthread.h>
#include <unistd.h>

#include <atomic>
#include <cassert>
#include <cerrno>
#include <cstdlib>
#include <iostream>
#include <map>
#include <new>
#include <sstream>
#include <thread>

#include "named_program.hpp"

extern "C" void __VERIFIER_assume(int) noexcept;  // NOLINT(bugprone-reserved-identifier)

namespace {

std::atomic<int> written{0};
// Makes a read that is a choice as long as other threads write.
void choose() { (void)written.load(std::memory_order_acquire); }
void write_twice() {
  for (int i = 0; i < 2; ++i) written.fetch_add(1, std::memory_order_acq_rel);
}

// Runs `changes` beside two writers. Its thread begins last, so that the choices are in it.
void beside_others(auto changes) {
  std::thread a(write_twice), b(write_twice), c(changes);
  a.join();
  b.join();
  c.join();
}

void changes_variable() {
  static int value = 0;
  beside_others([] {
    choose();
    assert(value++ == 0);
    choose();
  });
}
thread_local int own = 1;
void changes_own_variable() {
  beside_others([] {
    choose();
    assert(own++ == 1);
    choose();
  });
}
// The C++ library keeps the state of exceptions for each thread.
void handles_exception() {
  beside_others([] {
    own = 2;
    try {
      throw 1;
    } catch (int) {
      choose();
      assert(std::uncaught_exceptions() == 0 && std::current_exception() != nullptr);
    }
    assert(std::current_exception() == nullptr);
    choose();
  });
}
void changes_key() {
  static pthread_key_t key;
  pthread_key_create(&key, nullptr);
  beside_others([] {
    choose();
    assert(pthread_getspecific(key) == nullptr);
    pthread_setspecific(key, &key);
    choose();
  });
}
void makes_key() {
  static pthread_key_t key;
  static bool is_destroyed = false;
  beside_others([] {
    choose();
    pthread_key_create(&key, [](void*) {
      assert(!is_destroyed);
      is_destroyed = true;
    });
    pthread_setspecific(key, &key);
    choose();
  });
  assert(is_destroyed);
}
void ends_with_the_thread() {
  static int ended = 0;
  struct counted {
    counted() {}  // not trivial: called when the variable is first used
    ~counted() { ++ended; }
  };
  beside_others([] {
    choose();
    static thread_local counted here;
    [[maybe_unused]] const counted* const used = &here;
    choose();
  });
  assert(ended == 1);
}
void ends_with_the_program() {
  static int ended = 0;
  std::thread a(write_twice), b(write_twice);
  choose();
  std::atexit([] { assert(++ended == 1); });
  choose();
  a.join();
  b.join();
}
void holds_lock() {
  static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
  beside_others([] {
    choose();
    pthread_rwlock_wrlock(&lock);
    choose();
    pthread_rwlock_unlock(&lock);
    choose();
  });
}
void joins() {
  std::thread a(write_twice);
  std::thread b(write_twice);
  choose();
  a.join();
  choose();
  std::thread c(write_twice);
  b.join();
  choose();
  c.join();
}
void leaves() {
  static int ended = 0;
  beside_others([] {
    struct counted {
      ~counted() { ++ended; }
    } here;
    choose();
    pthread_exit(nullptr);
  });
  assert(ended == 1);
}
void use_atomic_in_a_function() {
  std::atomic<int> here{0};
  both([&] { here.fetch_add(1); },
       [&] {
         choose();
         here.fetch_add(1);
       });
  assert(here.load() == 2);
}
// Where the assumption does not hold, the caller does not run between the choice and the end of the
// execution. Still, a thread is the first to use one of its variables.
void have_a_variable_that_others_write() {
  int here[5];
  std::thread other([&] {
    const int seen = written.load(std::memory_order_acquire);
    __atomic_store_n(here + 1, 1, __ATOMIC_RELAXED);
    __VERIFIER_assume(seen < 3);
  });
  other.join();
}
void has_a_variable_that_others_write() {
  beside_others([] {
    have_a_variable_that_others_write();
    have_a_variable_that_others_write();
  });
}
void has_atomic_in_a_function() {
  beside_others([] {
    use_atomic_in_a_function();
    use_atomic_in_a_function();
  });
}
// The first executions, which read the latest value, do not use the atomic object.
void has_atomic_in_some_executions() {
  beside_others([] {
    if (written.load(std::memory_order_acquire) != 1) return;
    use_atomic_in_a_function();
    use_atomic_in_a_function();
  });
}
// Uses an atomic object of this type in the bytes.
template <class T>
void use_as(unsigned char (&bytes)[8]) {
  auto& here = *new (bytes) std::atomic<T>(1);
  std::thread([&] { here.fetch_add(1); }).join();
  assert(here.load() == 2);
}
void has_atomics_of_two_sizes() {
  beside_others([] {
    alignas(8) unsigned char bytes[8];
    choose();
    use_as<long>(bytes);
    choose();
    use_as<short>(bytes);
    choose();
  });
}
void has_error() {
  beside_others([] {
    choose();
    assert(errno == 0);
    errno = EAGAIN;
    choose();
  });
}
void reads_options() {
  beside_others([] {
    static char name[] = "name", letters[] = "-ab";
    static char* all[] = {name, letters, nullptr};
    const auto next = [] {
      choose();
      return getopt(2, all, "ab");
    };
    assert(next() == 'a' && optind == 1);
    assert(next() == 'b' && optind == 2);
    assert(next() == -1);
    choose();
  });
}
void changes_stream() {
  beside_others([] {
    choose();
    assert((std::cout.flags() & std::ios::hex) == 0);
    std::cout << std::hex;
    choose();
  });
}
// Each stream counts as one use of the locale.
void destroys_streams() {
  static std::ostringstream* all[64];
  for (auto& s : all) s = new std::ostringstream;
  beside_others([] { choose(); });
  for (const auto& s : all) delete s;
}
void makes_barrier() {
  beside_others([] {
    choose();
    pthread_barrier_t b;
    for (int i = 0; i < 2; ++i) {
      pthread_barrier_init(&b, nullptr, 1);
      pthread_barrier_wait(&b);
      choose();
      pthread_barrier_destroy(&b);
    }
  });
}
// Each node has an atomic object that is initialized before the tree changes.
void fills_maps() {
  const auto fill = [] {
    std::map<int, std::atomic<int>> own_map;
    for (int i = 0; i < 3; ++i) {
      own_map[i].fetch_add(i + 1);
      choose();
    }
    assert(own_map.size() == 3 && own_map[2] == 3);
  };
  beside_others([=] { both(fill, fill); });
}
// The state by which its turns are compared includes variables of threads that begin later.
void waits_for_a_later_thread() {
  static std::atomic<int> ready{0};
  beside_others([] {
    choose();
    own = 3;
    std::thread later([] {
      own = 4;
      choose();
      ready.store(1, std::memory_order_release);
    });
    while (ready.load(std::memory_order_acquire) == 0) {
    }
    later.join();
  });
}
// A thread that begins after the choice must not find errno and keys of the last execution.
void has_a_later_thread() {
  static pthread_key_t key;
  pthread_key_create(&key, nullptr);
  beside_others([] {
    choose();
    std::atomic<int*> shared{nullptr};
    std::thread later([&] {
      assert(errno == 0 && pthread_getspecific(key) == nullptr);
      errno = EAGAIN;
      pthread_setspecific(key, &key);
      int here = 1;
      shared.store(&here, std::memory_order_release);
      while (shared.load(std::memory_order_acquire) != nullptr) {
      }
      assert(here == 2);
    });
    int* there = nullptr;
    while ((there = shared.load(std::memory_order_acquire)) == nullptr) {
    }
    *there = 2;
    shared.store(nullptr, std::memory_order_release);
    later.join();
  });
}
void ends_before_one_that_waits() {
  for (int i = 0; i < 2; ++i) std::thread(write_twice).detach();
  std::thread([] {
    choose();
    choose();
    written.wait(4);
  }).detach();
}
char* first_argument;
void changes_argument() {
  beside_others([] {
    choose();
    assert(first_argument[0] == 'c');
    first_argument[0] = 'd';
    choose();
  });
}

// Its loops wait in functions that call others, whose frames have bytes that are never written.
struct waiter {
  std::atomic<waiter*> next{nullptr};
  std::atomic<bool> waits{true};
};
std::atomic<waiter*> last_waiter{nullptr};
int counted = 0;
void count_in_turn() {
  waiter mine;
  if (waiter* const before = last_waiter.exchange(&mine)) {
    before->next.store(&mine, std::memory_order_release);
    while (mine.waits.load(std::memory_order_acquire)) {
    }
  }
  ++counted;
  waiter* next = mine.next.load(std::memory_order_acquire);
  if (waiter* me = &mine; next == nullptr) {
    if (last_waiter.compare_exchange_strong(me, nullptr)) return;
    while ((next = mine.next.load(std::memory_order_acquire)) == nullptr) {
    }
  }
  next->waits.store(false, std::memory_order_release);
}
void waits_in_deep_frames() {
  std::thread a(count_in_turn), b(count_in_turn);
  count_in_turn();
  a.join();
  b.join();
  assert(counted == 3);
}

// While a thread waits, its loop reads one number after another.
std::atomic<int> next_number{0}, now_serving{0};
void be_served_in_turn() {
  const int own = next_number.fetch_add(1, std::memory_order_relaxed);
  while (now_serving.load(std::memory_order_acquire) != own) {
  }
  ++counted;
  now_serving.store(own + 1, std::memory_order_release);
}
void waits_for_a_number() {
  std::thread a(be_served_in_turn), b(be_served_in_turn), c(be_served_in_turn);
  be_served_in_turn();
  a.join();
  b.join();
  c.join();
  assert(counted == 4);
}

constexpr named programs[] = {FENCEPOST_NAMED(waits_in_deep_frames),
                              FENCEPOST_NAMED(waits_for_a_number),
                              FENCEPOST_NAMED(ends_before_one_that_waits),
                              FENCEPOST_NAMED(changes_variable),
                              FENCEPOST_NAMED(changes_own_variable),
                              FENCEPOST_NAMED(handles_exception),
                              FENCEPOST_NAMED(changes_key),
                              FENCEPOST_NAMED(makes_key),
                              FENCEPOST_NAMED(ends_with_the_thread),
                              FENCEPOST_NAMED(ends_with_the_program),
                              FENCEPOST_NAMED(holds_lock),
                              FENCEPOST_NAMED(joins),
                              FENCEPOST_NAMED(leaves),
                              FENCEPOST_NAMED(has_atomic_in_a_function),
                              FENCEPOST_NAMED(has_a_variable_that_others_write),
                              FENCEPOST_NAMED(has_atomic_in_some_executions),
                              FENCEPOST_NAMED(has_atomics_of_two_sizes),
                              FENCEPOST_NAMED(has_error),
                              FENCEPOST_NAMED(reads_options),
                              FENCEPOST_NAMED(changes_stream),
                              FENCEPOST_NAMED(destroys_streams),
                              FENCEPOST_NAMED(makes_barrier),
                              FENCEPOST_NAMED(fills_maps),
                              FENCEPOST_NAMED(waits_for_a_later_thread),
                              FENCEPOST_NAMED(has_a_later_thread),
                              FENCEPOST_NAMED(changes_argument)};

}  // namespace

int main(int argc, char** argv) {
  if (argc > 1) first_argument = argv[1];
  return run_named(programs, argc, argv);
}
