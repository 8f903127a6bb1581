// What threads of programs synchronize by; the first argument names the case.
#include <atomic>
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <semaphore>
#include <thread>

#include "named_program.hpp"

namespace {

int plain = 0;
std::mutex lock, other_lock;
std::condition_variable changed;

void counted_under_a_lock() {
  const auto count = [] {
    const std::lock_guard hold(lock);
    ++plain;
  };
  both(count, count);
  assert(plain == 2);
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

// A binary semaphore counts to one at most.
void semaphore_released_twice() {
  static std::binary_semaphore semaphore{0};
  both([] { semaphore.release(); }, [] { semaphore.release(); });
}
void semaphore_up_to_its_maximum() {
  static std::counting_semaphore<3> semaphore{1};
  both([] { semaphore.release(); }, [] { semaphore.release(); });
  semaphore.acquire();
  semaphore.release();
}
void semaphore_beyond_its_maximum() {
  static std::counting_semaphore<3> semaphore{4};
  semaphore.acquire();
}

// Functions that are called once.
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

constexpr named tests[] = {FENCEPOST_NAMED(counted_under_a_lock),
                           FENCEPOST_NAMED(tried_lock),
                           FENCEPOST_NAMED(recursive_lock),
                           FENCEPOST_NAMED(locked_twice),
                           FENCEPOST_NAMED(unlocked_by_another),
                           FENCEPOST_NAMED(locks_in_two_orders),
                           FENCEPOST_NAMED(lock_on_a_stack),
                           FENCEPOST_NAMED(condition),
                           FENCEPOST_NAMED(lost_wake_up),
                           FENCEPOST_NAMED(woken_without_a_reason),
                           FENCEPOST_NAMED(semaphores),
                           FENCEPOST_NAMED(semaphore_for_two),
                           FENCEPOST_NAMED(tried_semaphore),
                           FENCEPOST_NAMED(semaphore_without_release),
                           FENCEPOST_NAMED(semaphore_released_twice),
                           FENCEPOST_NAMED(semaphore_up_to_its_maximum),
                           FENCEPOST_NAMED(semaphore_beyond_its_maximum),
                           FENCEPOST_NAMED(once),
                           FENCEPOST_NAMED(once_after_an_exception),
                           FENCEPOST_NAMED(read_beside_once)};

}  // namespace

int main(int argc, char** argv) { return run_named(tests, argc, argv); }
