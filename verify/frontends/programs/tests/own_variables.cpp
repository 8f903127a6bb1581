// Programs with thread_local variables; the first argument names the case.
#include <atomic>
#include <cassert>
#include <condition_variable>
#include <cstdint>
#include <cstring>
#include <mutex>
#include <string>
#include <thread>
#include <utility>

#include "named_program.hpp"

namespace {

thread_local int number = 5;
thread_local int zero;
thread_local std::atomic<int> word{3};
alignas(64) thread_local char wide[128] = "wide";
std::atomic<int> x{0};
std::atomic<int*> where{nullptr};

void one_for_each() {
  const auto use = [] {
    assert(number == 5 && zero == 0 && word == 3 && std::strcmp(wide, "wide") == 0);
    assert(reinterpret_cast<std::uintptr_t>(wide) % 64 == 0);
    ++number;
    ++zero;
    word.fetch_add(1);
    wide[0] = 'W';
    x.fetch_add(1);
    assert(number == 6 && zero == 1 && word == 4 && wide[0] == 'W');
  };
  use();
  both(use, use);
  assert(number == 6 && zero == 1 && x == 3);
}
void read_by_another() {
  both(
      [] {
        number = 7;
        where.store(&number, std::memory_order_release);
        x.wait(0);
      },
      [] {
        if (const int* const p = where.load(std::memory_order_acquire))
          assert(p != &number && *p == 7 && number == 5);
        x.store(1);
        x.notify_one();
      });
}
void changed_by_another() {
  both(
      [] {
        where.store(&number, std::memory_order_relaxed);
        number = 7;
      },
      [] {
        if (int* const p = where.load(std::memory_order_acquire)) *p = 8;
      });
}
int ended = 0;
struct counted {
  std::string text = "a text that is too long to be in the object itself";
  ~counted() {
    assert(text.size() == 51 || text.size() == 50);
    ++ended;
  }
};
thread_local counted own;
void ends_with_its_thread() {
  std::thread([] { own.text += '!'; }).join();
  assert(ended == 1);
}
void ends_in_two_threads_at_once() {
  both([] { own.text += '!'; }, [] { own.text += '!'; });
}

// No other memory counts the turns.
thread_local int turns = 0;
void counts_turns() {
  both(
      [] {
        while (x.load() == 0)
          if (++turns == 3) break;
        assert(turns < 3);
      },
      [] { x.store(1); });
}
// Only the mutex counts the turns.
thread_local std::recursive_mutex deep;
void locks_in_turns() {
  both([] { x.store(1); },
       [] {
         deep.lock();
         while (x.load() == 0) deep.lock();
         unlock_twice_if_held(deep);
         std::thread([used = &deep] {
           const bool is_free = used->try_lock();
           if (is_free) used->unlock();
           assert(is_free);
         }).join();
       });
}
void waits() {
  both(
      [] {
        while (x.load() == 0) zero = 1;
      },
      [] { x.store(1); });
}
void crashes() {
  number = 0;
  both([] { *reinterpret_cast<volatile int*>(static_cast<std::uintptr_t>(number) - 5) = 1; },
       [] { x.store(1); });
}
void throws() {
  both(
      [] {
        try {
          x.store(1);
          throw 7;
        } catch (int caught) {
          x.load();
          number += caught;
        }
        assert(number == 12);
      },
      [] {
        try {
          throw x.load();
        } catch (int caught) {
          x.store(2);
          zero = caught;
        }
      });
}

// With these, a thread waits until the variables of another one are destroyed.
std::mutex m;
std::condition_variable condition;
bool is_ready = false;
int left = 0;
struct leaves_something {
  ~leaves_something() { left = 1; }
};
void wait_for_the_end_of(void (*end)(std::unique_lock<std::mutex>)) {
  std::thread other([&] {
    thread_local leaves_something variable;
    (void)&variable;
    std::unique_lock<std::mutex> hold(m);
    is_ready = true;
    end(std::move(hold));
  });
  {
    std::unique_lock<std::mutex> hold(m);
    condition.wait(hold, [] { return is_ready; });
    assert(left == 1);
  }
  other.join();
}
void notified_at_the_end() {
  wait_for_the_end_of([](std::unique_lock<std::mutex> hold) {
    std::notify_all_at_thread_exit(condition, std::move(hold));
    assert(!hold.owns_lock());
  });
}
void notified_before_the_end() {
  wait_for_the_end_of([](std::unique_lock<std::mutex>) { condition.notify_all(); });
}
void notified_without_the_lock() {
  wait_for_the_end_of([](std::unique_lock<std::mutex> hold) {
    hold.unlock();
    std::notify_all_at_thread_exit(condition, std::move(hold));
  });
}

constexpr named tests[] = {FENCEPOST_NAMED(notified_at_the_end),
                           FENCEPOST_NAMED(notified_before_the_end),
                           FENCEPOST_NAMED(notified_without_the_lock),
                           FENCEPOST_NAMED(one_for_each),
                           FENCEPOST_NAMED(read_by_another),
                           FENCEPOST_NAMED(changed_by_another),
                           FENCEPOST_NAMED(ends_with_its_thread),
                           FENCEPOST_NAMED(ends_in_two_threads_at_once),
                           FENCEPOST_NAMED(counts_turns),
                           FENCEPOST_NAMED(locks_in_turns),
                           FENCEPOST_NAMED(waits),
                           FENCEPOST_NAMED(crashes),
                           FENCEPOST_NAMED(throws)};

}  // namespace

int main(int argc, char** argv) { return run_named(tests, argc, argv); }
