// Ways in which threads of programs wait; the first argument names the case.
#include <getopt.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cassert>
#include <cerrno>
#include <chrono>
#include <memory>
#include <mutex>
#include <thread>

#include "named_program.hpp"

using std::memory_order_acquire;
using std::memory_order_relaxed;
using std::memory_order_release;

namespace {

std::atomic<int> x{0};
std::atomic<bool> ready{false};
int plain = 0;

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
// Waits for a variable that is not atomic.
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
// Without volatile, optimization may remove the loop, which has no effect.
void waits_for_itself() {
  static volatile bool never_ready = false;
  both(
      [] {
        while (!never_ready) {
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

// Neither are these turns, which only the mutex counts.
std::recursive_mutex deep;
void locks_in_turns() {
  both([] { ready.store(true); },
       [] {
         deep.lock();
         while (!ready.load()) deep.lock();
         unlock_twice_if_held(deep);
         std::thread([] {
           const bool is_free = deep.try_lock();
           if (is_free) deep.unlock();
           assert(is_free);
         }).join();
       });
}
// Each execution makes one allocation more than the one before.
void allocates_for_each_question() {
  struct question {
    std::unique_ptr<int> number = std::make_unique<int>(1);
    bool ask() const { return ready.load(memory_order_acquire); }
  };
  std::thread other([] {
    while (!question().ask()) {
    }
  });
  ready.store(true, memory_order_release);
  other.join();
}
void counts_turns_without_end() {
  both(
      [] {
        while (!ready.load()) ++turns;
      },
      [] { ready.store(true); });
}
// A variable of the C library, of which nothing is left in the frame.
void counts_in_the_library() {
  std::atomic<int> flag{0};
  std::thread other([&] { flag.store(1); });
  while (!flag.load()) {
    static void (*volatile count)() = [] { ++optind; };
    count();
  }
  other.join();
  assert(optind < 4);
}
// Loops that lock a mutex in each turn.
std::mutex polled;
void polls(bool in_vain) {
  both(
      [] {
        for (;;) {
          {
            const std::lock_guard lock(polled);
            if (plainly_ready) break;
          }
          std::this_thread::yield();
        }
        assert(plain == 1);
      },
      [=] {
        plain = 1;
        const std::lock_guard lock(polled);
        plainly_ready = !in_vain;
      });
}
void polls_under_a_mutex() { polls(false); }
void look_for_a_change(const int* p) {
  while (*p == 0) {
  }
}
void waits_for_its_own_variable() {
  const int own = 0;
  look_for_a_change(&own);
}
void polls_in_vain() { polls(true); }
void polls_by_trying() {
  both(
      [] {
        for (bool seen = false; !seen;) {
          if (!polled.try_lock()) continue;
          seen = plainly_ready;
          polled.unlock();
        }
        assert(plain == 1);
      },
      [] {
        plain = 1;
        const std::lock_guard lock(polled);
        plainly_ready = true;
      });
}
// The other thread writes to the stack of the thread that polls.
void polls_for_its_own_variables() {
  std::mutex m;
  bool done = false;
  int data = 0;
  std::thread other([&] {
    data = 1;
    const std::lock_guard lock(m);
    done = true;
  });
  for (;;) {
    const std::lock_guard lock(m);
    if (done) break;
  }
  assert(data == 1);
  other.join();
}
void polls_too_early() {
  both(
      [] {
        for (;;) {
          const std::lock_guard lock(polled);
          if (plainly_ready) break;
        }
        assert(plain == 1);
      },
      [] {
        {
          const std::lock_guard lock(polled);
          plainly_ready = true;
        }
        plain = 1;
      });
}

// Waits for a pointer that another thread publishes, and uses it.
std::atomic<int*> published{nullptr};
void waits_for_a_pointer() {
  both(
      [] {
        int* p;
        while (!(p = published.load(memory_order_acquire))) std::this_thread::yield();
        assert(*p == 1);
        delete p;
      },
      [] { published.store(new int(1), memory_order_release); });
}
void waits_for_a_pointer_relaxed() {
  both(
      [] {
        int* p;
        while (!(p = published.load(memory_order_acquire))) {
        }
        assert(*p == 1);
      },
      [] { published.store(new int(1), memory_order_relaxed); });
}

// Each turn takes a reference, and drops it. The other thread's may be dropped meanwhile: then the
// turn drops the last one.
thread_local bool is_owner = false;
struct owned {
  explicit owned(bool yes) : by_owner(yes) {}
  ~owned() { assert(!by_owner || is_owner); }
  const bool by_owner;
};
template <class Wait>
void outlives(bool by_owner, Wait wait) {
  auto shared = std::make_shared<owned>(by_owner);
  const std::weak_ptr<owned> weak = shared;
  std::thread other([&] {
    is_owner = true;
    shared.reset();
  });
  wait(weak);
  assert(weak.expired());
  other.join();
}
void waits_for_the_last_owner() {
  outlives(false, [](const auto& weak) {
    while (weak.lock()) std::this_thread::yield();
  });
}
void uses_what_it_waits_for() {
  outlives(false, [](const auto& weak) {
    while (const auto p = weak.lock()) assert(!p->by_owner);
  });
}
void waits_as_an_owner() {
  outlives(true, [](const auto& weak) {
    while (weak.lock()) {
    }
  });
}
void waits_until_it_has_expired() {
  outlives(true, [](const auto& weak) {
    while (!weak.expired()) std::this_thread::yield();
  });
}
void waits_for_the_only_owner() {
  auto shared = std::make_shared<int>(1);
  std::thread other([copy = shared]() mutable { copy.reset(); });
  while (shared.use_count() > 1) std::this_thread::yield();
  other.join();
}
void waits_for_itself_to_let_go() {
  const auto shared = std::make_shared<int>(1);
  const std::weak_ptr<int> weak = shared;
  while (weak.lock()) {
  }
}
// A lock that the program builds from a flag; two wait under it.
struct spinlock {
  std::atomic_flag held = ATOMIC_FLAG_INIT;
  void lock() {
    while (held.test_and_set(memory_order_acquire)) std::this_thread::yield();
  }
  void unlock() { held.clear(memory_order_release); }
};
spinlock guard;
int items = 0, taken = 0;
template <int pushes>
void takes_items_under_a_spinlock() {
  const auto take = [] {
    for (;;) {
      const std::lock_guard<spinlock> hold(guard);
      if (items == 0) continue;
      --items;
      ++taken;
      return;
    }
  };
  std::thread first(take), second(take);
  for (int i = 0; i < pushes; ++i) {
    const std::lock_guard<spinlock> hold(guard);
    ++items;
  }
  first.join();
  second.join();
  assert(taken == 2);
}
// Threads that nobody joins may wait for ever.
void polls_after_main() {
  const auto poll = [] {
    for (;;) {
      const std::lock_guard<spinlock> hold(guard);
      if (items != 0) return;
    }
  };
  std::thread(poll).detach();
  std::thread(poll).detach();
}
void counts_after_main() {
  std::thread([] {
    for (;;) {
      x.fetch_add(1, memory_order_relaxed);
      x.fetch_sub(1, memory_order_relaxed);
    }
  }).detach();
  std::thread([] {
    for (const int value : {1, 0, 1, 0, 1}) {
      while (x.load(memory_order_relaxed) != value) {
      }
    }
    assert(!"it has seen the number change");
  }).detach();
}
// The number that the turns change for a moment.
void counts_for_a_moment() {
  both(
      [] {
        for (bool is_done = false; !is_done;) {
          x.fetch_add(1);
          is_done = ready.load(memory_order_acquire);
          x.fetch_sub(1);
        }
        assert(plain == 1);
      },
      [] {
        plain = 1;
        ready.store(true, memory_order_release);
      });
}
// Another thread has seen it twice, and another number in between.
void counts_for_several_moments() {
  std::thread other([] {
    const bool counts = x.load() == 1 && x.load() == 0 && x.load() == 1;
    ready.store(true);
    assert(!counts);
  });
  for (bool is_done = false; !is_done;) {
    x.fetch_add(1);
    is_done = ready.load();
    x.fetch_sub(1);
  }
  other.join();
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
void sleeps() {
  both(
      [] {
        std::this_thread::sleep_for(std::chrono::hours(1));
        plain = 1;
      },
      [] { plain = 2; });  // sleeping for an hour orders nothing
}

constexpr named tests[] = {FENCEPOST_NAMED(waits),
                           FENCEPOST_NAMED(waits_for_ever),
                           FENCEPOST_NAMED(waits_in_a_race),
                           FENCEPOST_NAMED(waits_in_a_race_with_volatile),
                           FENCEPOST_NAMED(waits_for_itself),
                           FENCEPOST_NAMED(computes_in_plain_data),
                           FENCEPOST_NAMED(counts_turns),
                           FENCEPOST_NAMED(locks_in_turns),
                           FENCEPOST_NAMED(allocates_for_each_question),
                           FENCEPOST_NAMED(counts_turns_without_end),
                           FENCEPOST_NAMED(counts_in_the_library),
                           FENCEPOST_NAMED(polls_under_a_mutex),
                           FENCEPOST_NAMED(polls_by_trying),
                           FENCEPOST_NAMED(polls_for_its_own_variables),
                           FENCEPOST_NAMED(polls_too_early),
                           FENCEPOST_NAMED(polls_in_vain),
                           FENCEPOST_NAMED(waits_for_its_own_variable),
                           FENCEPOST_NAMED(waits_for_a_pointer),
                           FENCEPOST_NAMED(waits_for_a_pointer_relaxed),
                           FENCEPOST_NAMED(waits_for_the_last_owner),
                           FENCEPOST_NAMED(uses_what_it_waits_for),
                           FENCEPOST_NAMED(waits_as_an_owner),
                           FENCEPOST_NAMED(waits_until_it_has_expired),
                           FENCEPOST_NAMED(waits_for_the_only_owner),
                           FENCEPOST_NAMED(waits_for_itself_to_let_go),
                           {"takes_two_under_a_spinlock", takes_items_under_a_spinlock<2>},
                           {"takes_one_too_many", takes_items_under_a_spinlock<1>},
                           FENCEPOST_NAMED(counts_for_a_moment),
                           FENCEPOST_NAMED(counts_for_several_moments),
                           FENCEPOST_NAMED(polls_after_main),
                           FENCEPOST_NAMED(counts_after_main),
                           FENCEPOST_NAMED(waits_for_a_word),
                           FENCEPOST_NAMED(waits_for_a_byte),
                           FENCEPOST_NAMED(waits_for_a_long),
                           FENCEPOST_NAMED(waits_relaxed),
                           FENCEPOST_NAMED(waits_unnotified),
                           FENCEPOST_NAMED(notifies_before_it_writes),
                           FENCEPOST_NAMED(notifies_one_of_two),
                           FENCEPOST_NAMED(notifies_all_of_two),
                           FENCEPOST_NAMED(waits_for_a_flag),
                           FENCEPOST_NAMED(futexes),
                           FENCEPOST_NAMED(futex_of_another_value),
                           FENCEPOST_NAMED(futex_never_woken),
                           FENCEPOST_NAMED(sleeps)};

}  // namespace

int main(int argc, char** argv) { return run_named(tests, argc, argv); }
