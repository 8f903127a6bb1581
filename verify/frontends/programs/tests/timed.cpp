// Programs in which waits time out and clocks are read; the first argument names the case.
#include <linux/futex.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cassert>
#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <ctime>
#include <mutex>
#include <semaphore>
#include <thread>

#include "named_program.hpp"

using namespace std::chrono_literals;

namespace {

std::mutex lock;
std::timed_mutex timed;
std::recursive_timed_mutex recursive;
std::condition_variable changed;
std::binary_semaphore semaphore{0};
std::atomic<int> x{0};
int plain = 0;

void hold_and_count() {
  const std::lock_guard hold(timed);
  ++plain;
}
void set() {
  {
    const std::lock_guard hold(lock);
    plain = 1;
  }
  changed.notify_one();
}

void locks_in_time() {
  both(hold_and_count, [] {
    if (!timed.try_lock_for(1ms)) return;
    ++plain;
    timed.unlock();
  });
  assert(plain == 1 || plain == 2);
}
void locks_too_late() {
  both(hold_and_count, [] {
    assert(timed.try_lock_for(1ms));
    timed.unlock();
  });
}
void locks_what_nobody_holds() {
  assert(timed.try_lock_until(std::chrono::steady_clock::now() + 1ms));
  std::thread([] { assert(!timed.try_lock_for(1ms)); }).join();
  timed.unlock();
}
void locks_again_in_time() {
  assert(recursive.try_lock_for(1ms) && recursive.try_lock_for(1ms));
  recursive.unlock();
  recursive.unlock();
}
// Nobody unlocks it in time.
void locks_what_is_never_unlocked() {
  timed.lock();
  std::thread([] {
    if (timed.try_lock_for(1ms)) std::abort();
  }).join();
  timed.unlock();
}
void waits_in_time() {
  both(set, [] {
    std::unique_lock hold(lock);
    const bool is_set = changed.wait_for(hold, 1s, [] { return plain == 1; });
    assert(is_set == (plain == 1));
  });
}
void waits_too_late() {
  both(set, [] {
    std::unique_lock hold(lock);
    assert(
        changed.wait_until(hold, std::chrono::system_clock::now() + 1s, [] { return plain == 1; }));
  });
}
void waits_until_the_past() {
  std::unique_lock hold(lock);
  const auto past = std::chrono::steady_clock::now() - 1s;
  assert(changed.wait_until(hold, past) == std::cv_status::timeout);
  const timespec begin{0, 0};
  const int ended = pthread_cond_timedwait(changed.native_handle(), lock.native_handle(), &begin);
  assert(ended == ETIMEDOUT);
}
void is_never_notified() {
  std::unique_lock hold(lock);
  changed.wait_for(hold, 1s);
}
// The thread that is notified after its time-out notifies nobody, and the other one keeps waiting.
void is_notified_too_late() {
  std::thread notifier([] {
    while (x.load() != 2) {
    }
    { const std::lock_guard hold(lock); }
    changed.notify_one();
  });
  both(
      [] {
        std::unique_lock hold(lock);
        ++x;
        if (changed.wait_for(hold, 1s) == std::cv_status::no_timeout) changed.notify_one();
      },
      [] {
        std::unique_lock hold(lock);
        ++x;
        changed.wait(hold);
      });
  notifier.join();
}
void acquires_in_time() {
  both(
      [] {
        plain = 1;
        semaphore.release();
      },
      [] {
        if (semaphore.try_acquire_for(1ms)) assert(plain == 1);
      });
}
void acquires_too_late() {
  both([] { semaphore.release(); }, [] { assert(semaphore.try_acquire_for(1ms)); });
}
void acquires_at_last() {
  both([] { semaphore.release(); },
       [] {
         while (!semaphore.try_acquire_for(1ms)) {
         }
       });
}
void futex_times_out() {
  const timespec second{1, 0};
  const auto begin = std::chrono::steady_clock::now();
  const long woken = syscall(SYS_futex, &x, FUTEX_WAIT, 0, &second, nullptr, 0);
  const int why = errno;
  if (woken == -1) assert(why == ETIMEDOUT && std::chrono::steady_clock::now() - begin >= 1s);
}
void time_passes_in_sleep() {
  const auto begin = std::chrono::steady_clock::now();
  const std::time_t of_day = std::time(nullptr);
  std::this_thread::sleep_for(1500ms);
  std::this_thread::sleep_until(begin + 2s);
  assert(std::chrono::steady_clock::now() - begin >= 2s && std::time(nullptr) - of_day >= 1);
}
void time_does_not_pass() {
  const auto begin = std::chrono::steady_clock::now();
  assert(std::chrono::steady_clock::now() - begin < 1s);
}
// Time that has passed for a thread has passed for the threads that it starts, and for the one that
// joins it.
void time_passes_for_all_that_follow() {
  using clock = std::chrono::steady_clock;
  const auto begin = clock::now();
  std::this_thread::sleep_for(1s);
  const auto then = clock::now();
  clock::time_point later;
  std::thread([&] {
    assert(clock::now() >= then);
    std::this_thread::sleep_for(1s);
    later = clock::now();
  }).join();
  assert(clock::now() >= later && later - begin >= 2s);
}
void looks_at_the_clock_in_a_loop() {
  both(
      [] {
        const auto end = std::chrono::steady_clock::now() + 1s;
        while (x.load() == 0 && std::chrono::steady_clock::now() < end) {
        }
      },
      [] { x.store(1); });
}
void gives_up_in_time() {
  const auto end = std::chrono::steady_clock::now() + 1s;
  while (x.load() == 0)
    if (std::chrono::steady_clock::now() >= end) return;
}

constexpr named tests[] = {FENCEPOST_NAMED(locks_in_time),
                           FENCEPOST_NAMED(locks_too_late),
                           FENCEPOST_NAMED(locks_what_nobody_holds),
                           FENCEPOST_NAMED(locks_again_in_time),
                           FENCEPOST_NAMED(locks_what_is_never_unlocked),
                           FENCEPOST_NAMED(waits_in_time),
                           FENCEPOST_NAMED(waits_too_late),
                           FENCEPOST_NAMED(waits_until_the_past),
                           FENCEPOST_NAMED(is_never_notified),
                           FENCEPOST_NAMED(is_notified_too_late),
                           FENCEPOST_NAMED(acquires_in_time),
                           FENCEPOST_NAMED(acquires_too_late),
                           FENCEPOST_NAMED(acquires_at_last),
                           FENCEPOST_NAMED(futex_times_out),
                           FENCEPOST_NAMED(time_passes_in_sleep),
                           FENCEPOST_NAMED(time_passes_for_all_that_follow),
                           FENCEPOST_NAMED(time_does_not_pass),
                           FENCEPOST_NAMED(looks_at_the_clock_in_a_loop),
                           FENCEPOST_NAMED(gives_up_in_time)};

}  // namespace

int main(int argc, char** argv) { return run_named(tests, argc, argv); }
