// Barriers of POSIX, keys of threads, threads that end themselves, mutexes that check their use,
// and waits with a time-out.
#include <fenv.h>
#include <pthread.h>
#include <semaphore.h>
#include <threads.h>
#include <unistd.h>

#include <atomic>
#include <cassert>
#include <cctype>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <mutex>
#include <shared_mutex>
#include <thread>

#include "named_program.hpp"

namespace {

int plain = 0, other_plain = 0;
std::atomic<int> x{0};
pthread_barrier_t barrier;

void meet() { pthread_barrier_wait(&barrier); }
void barrier_of_two() {
  pthread_barrier_init(&barrier, nullptr, 2);
  std::atomic<int> last{0};
  both(
      [&] {
        plain = 1;
        if (pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD) ++last;
        assert(other_plain == 2);
      },
      [&] {
        other_plain = 2;
        if (pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD) ++last;
        assert(plain == 1);
      });
  assert(last == 1);
  pthread_barrier_destroy(&barrier);
}
void barrier_in_two_rounds() {
  pthread_barrier_init(&barrier, nullptr, 2);
  both(
      [] {
        meet();
        plain = 1;
        meet();
      },
      [] {
        meet();
        meet();
        assert(plain == 1);
      });
}
void barrier_in_one_round_too_few() {
  pthread_barrier_init(&barrier, nullptr, 2);
  both(
      [] {
        meet();
        plain = 1;
      },
      [] {
        meet();
        assert(plain == 1);
      });
}
void barrier_for_three() {
  pthread_barrier_init(&barrier, nullptr, 3);
  both(meet, meet);
}
// POSIX allows the barrier to be destroyed at once: the other thread may not have returned.
void barrier_destroyed_by_one_of_two() {
  auto* const b = static_cast<pthread_barrier_t*>(std::malloc(sizeof(pthread_barrier_t)));
  pthread_barrier_init(b, nullptr, 2);
  const auto wait = [b] {
    if (pthread_barrier_wait(b) == 0) return;
    pthread_barrier_destroy(b);
    std::free(b);
  };
  both(wait, wait);
}
void barrier_destroyed_while_one_waits() {
  pthread_barrier_init(&barrier, nullptr, 2);
  std::thread waits(meet);
  pthread_barrier_destroy(&barrier);
  waits.join();
}
void barrier_after_destruction() {
  pthread_barrier_init(&barrier, nullptr, 1);
  meet();
  pthread_barrier_destroy(&barrier);
  meet();
}
void barrier_initialized_twice() {
  pthread_barrier_init(&barrier, nullptr, 1);
  pthread_barrier_init(&barrier, nullptr, 2);
}
void barrier_never_initialized() { meet(); }
void barrier_made_again() {
  for (unsigned threads = 1; threads <= 2; ++threads) {
    pthread_barrier_init(&barrier, nullptr, threads);
    std::thread another([=] {
      if (threads == 1) return;
      plain = 1;
      meet();
    });
    meet();
    if (threads == 2) assert(plain == 1);
    another.join();
    pthread_barrier_destroy(&barrier);
  }
}

pthread_key_t key;
void key_of_each_thread() {
  pthread_key_create(&key, [](void* p) { x += *static_cast<int*>(p); });
  const auto put = [](int& n) {
    assert(pthread_getspecific(key) == nullptr);
    pthread_setspecific(key, &n);
    assert(pthread_getspecific(key) == &n);
  };
  static int numbers[2] = {1, 2};
  both([=] { put(numbers[0]); }, [=] { put(numbers[1]); });
  assert(x == 3 && pthread_getspecific(key) == nullptr);
  pthread_key_delete(key);
  assert(pthread_setspecific(key, nullptr) == EINVAL);
}
void key_destroyed_in_a_race() {
  pthread_key_create(&key, [](void*) { ++plain; });
  const auto put = [] { pthread_setspecific(key, &key); };
  both(put, put);
}
void key_of_c() {
  tss_t of_c;
  assert(tss_create(&of_c, nullptr) == thrd_success && tss_get(of_c) == nullptr);
  assert(tss_set(of_c, &of_c) == thrd_success && tss_get(of_c) == &of_c);
}
void key_waited_for() {
  pthread_key_create(&key, nullptr);
  std::thread sets([] { x = 1; });
  while (pthread_getspecific(key) == nullptr)
    if (x == 1) pthread_setspecific(key, &key);
  sets.join();
}

struct guard {
  ~guard() { ++plain; }
};
void* leave(void* p) {
  const guard g;
  pthread_exit(p);
}
void leaves_with_a_result() {
  pthread_t thread;
  pthread_create(&thread, nullptr, leave, &plain);
  void* result = nullptr;
  pthread_join(thread, &result);
  assert(result == &plain && plain == 1);
}
void leaves_in_a_race() {
  pthread_t thread;
  pthread_create(&thread, nullptr, leave, nullptr);
  ++plain;
  pthread_join(thread, nullptr);
}
void leaves_in_c() {
  thrd_t thread;
  thrd_create(
      &thread, [](void*) -> int { thrd_exit(7); }, nullptr);
  int result = 0;
  thrd_join(thread, &result);
  assert(result == 7);
}
void leaves_and_is_caught() {
  std::thread([] {
    try {
      pthread_exit(nullptr);
    } catch (...) {
    }
  }).join();
}
void main_leaves() {
  std::thread([] { x = 1; }).detach();
  std::atexit([] { assert(x == 1); });
  pthread_exit(nullptr);
}
void main_leaves_for_a_thread_that_waits() {
  std::thread([] {
    while (x == 0) {
    }
  }).detach();
  pthread_exit(nullptr);
}
// The variables of main() exist until it calls pthread_exit().
void main_leaves_its_variables() {
  int mine = 0;
  std::thread([&mine] { mine = 1; }).detach();
  pthread_exit(nullptr);
}
void main_leaves_what_is_done_with() {
  int mine = 0;
  std::thread([&mine] {
    mine = 1;
    x.store(1, std::memory_order_release);
  }).detach();
  while (x.load(std::memory_order_acquire) == 0) {
  }
  std::atexit([] {
    int yours = 0;
    std::thread([&yours] { yours = 1; }).join();
    assert(yours == 1);
  });
  pthread_exit(nullptr);
}
// exit() does not end them: the functions that it calls have their variables elsewhere.
void main_exits_beside_its_variables() {
  int mine[] = {1, 2, 3, 4};
  static std::atomic<bool> is_read{false};
  std::atexit([] {
    is_read.wait(false);
    volatile int others[32];
    for (volatile int& i : others) i = 9;
  });
  std::thread([&mine] {
    assert(mine[2] == 3);
    mine[1] = 5;
    is_read = true;
    is_read.notify_one();
  }).detach();
  std::exit(0);
}
void main_exits() {
  const guard not_destroyed;
  std::atexit([] { assert(plain == 0); });
  std::exit(0);
}
void main_exits_too_early() {
  std::atexit([] { assert(plain == 1); });
  std::exit(0);
}
void main_exits_with_a_variable_of_its_own() {
  thread_local const guard destroyed_first;
  std::atexit([] { assert(plain == 1); });
  std::exit(0);
}
void another_exits() {
  std::thread([] { std::exit(0); }).join();
}

void mutex_that_checks() {
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_ERRORCHECK);
  static pthread_mutex_t m;
  pthread_mutex_init(&m, &attributes);
  const auto count = [] {
    assert(pthread_mutex_lock(&m) == 0);
    assert(pthread_mutex_lock(&m) == EDEADLK && pthread_mutex_trylock(&m) == EBUSY);
    ++plain;
    assert(pthread_mutex_unlock(&m) == 0);
  };
  both(count, count);
  assert(plain == 2 && pthread_mutex_unlock(&m) == EPERM);
}
void mutex_that_is_robust() {
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
  pthread_mutex_t m;
  pthread_mutex_init(&m, &attributes);
  pthread_mutex_lock(&m);
}

timespec in_a_second(clockid_t clock) {
  timespec t{};
  clock_gettime(clock, &t);
  ++t.tv_sec;
  return t;
}
void mutex_that_checks_in_time() {
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_ERRORCHECK);
  static pthread_mutex_t m;
  pthread_mutex_init(&m, &attributes);
  const auto count = [] {
    const timespec then = in_a_second(CLOCK_REALTIME);
    if (pthread_mutex_timedlock(&m, &then) != 0) return;
    assert(pthread_mutex_timedlock(&m, &then) == EDEADLK);
    ++plain;
    assert(pthread_mutex_unlock(&m) == 0);
  };
  both(count, count);
  assert(plain != 0);
}
void mutex_that_is_robust_in_time() {
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
  static pthread_mutex_t m;
  pthread_mutex_init(&m, &attributes);
  const timespec then = in_a_second(CLOCK_REALTIME);
  pthread_mutex_timedlock(&m, &then);
}
void waits_by_another_clock() {
  pthread_condattr_t attributes;
  pthread_condattr_init(&attributes);
  pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
  pthread_cond_t c;
  pthread_cond_init(&c, &attributes);
  pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
  const timespec then = in_a_second(CLOCK_MONOTONIC);
  pthread_mutex_lock(&m);
  while (pthread_cond_timedwait(&c, &m, &then) != ETIMEDOUT) {
  }
  assert(in_a_second(CLOCK_MONOTONIC).tv_sec > then.tv_sec);
  pthread_mutex_unlock(&m);
}
sem_t semaphore;
void semaphore_in_time() {
  sem_init(&semaphore, 0, 0);
  std::thread other([] {
    plain = 1;
    sem_post(&semaphore);
  });
  const timespec then = in_a_second(CLOCK_REALTIME);
  const int got = sem_timedwait(&semaphore, &then);
  const int why = errno;
  assert(got == 0 ? plain == 1 : why == ETIMEDOUT);
  other.join();
  int left = -1;
  sem_getvalue(&semaphore, &left);
  assert(left == (got == 0 ? 0 : 1));
}
void semaphore_too_late() {
  sem_init(&semaphore, 0, 0);
  std::thread other([] { sem_post(&semaphore); });
  const timespec then = in_a_second(CLOCK_MONOTONIC);
  assert(sem_clockwait(&semaphore, CLOCK_MONOTONIC, &then) == 0);
  other.join();
}
std::shared_timed_mutex shared;
void count() {
  const std::lock_guard hold(shared);
  ++plain;
}
void reads_in_time() {
  both(count, [] {
    if (!shared.try_lock_shared_for(std::chrono::seconds(1))) return;
    assert(plain == 0 || plain == 1);
    shared.unlock_shared();
  });
}
void reads_too_late() {
  both(count, [] { assert(shared.try_lock_shared_for(std::chrono::seconds(1))); });
}
void writes_in_time() {
  both(count, [] {
    if (!shared.try_lock_for(std::chrono::seconds(1))) return;
    ++plain;
    shared.unlock();
  });
}
void writes_without_a_lock() {
  both(count, [] {
    const bool locked = shared.try_lock_for(std::chrono::seconds(1));
    ++plain;
    if (locked) shared.unlock();
  });
}
void writes_what_is_never_unlocked() {
  shared.lock();
  std::thread([] { assert(!shared.try_lock_for(std::chrono::seconds(1))); }).join();
  shared.unlock();
}

char text[16] = "some text";
void text_searched_while_it_changes() {
  both([] { assert(std::strchr(text, 'm') == text + 2); }, [] { text[4] = 0; });
}
void text_searched_before_what_changes() {
  both([] { assert(std::memchr(text, 'm', sizeof text) == text + 2); }, [] { text[4] = 0; });
}
void text_written_while_it_changes() {
  both([] { std::snprintf(text, 4, "%d", 12345); }, [] { text[3] = 'x'; });
}
void text_written_beside_what_changes() {
  both([] { assert(std::snprintf(text, 4, "%d", 12345) == 5); }, [] { text[4] = 'x'; });
  assert(std::strcmp(text, "123") == 0);
}
char wanted[4] = "te";
void text_searched_for_what_changes() {
  both([] { assert(std::strstr(text, wanted) == text + 5); }, [] { wanted[0] = 'e'; });
}
void text_copied_in_part_while_it_changes() {
  char copy[8];
  both([&] { std::strncpy(copy, text, 5); }, [] { text[4] = 'x'; });
}
void text_copied_in_part_and_filled() {
  char copy[8] = "1234567";
  both([&] { std::strncpy(copy, "ab", 6); }, [] { text[4] = 'x'; });
  assert(std::memcmp(copy, "ab\0\0\0\0007", 8) == 0);
  assert(strnlen(copy, 8) == 2 && strnlen("abc", 2) == 2);
  assert(std::strstr(copy, "b") == copy + 1 && std::strstr(copy, "c") == nullptr);
  char* end = nullptr;
  assert(std::strtod("1.5x", &end) == 1.5 && *end == 'x');
  assert(std::isalpha(static_cast<unsigned char>(*end)) != 0);
}
void text_filled_beside_what_changes() {
  static char copy[8];
  both([] { std::strncpy(copy, "ab", 6); }, [] { copy[5] = 'x'; });
}

void rounds_to_nearest() { assert(fegetround() == FE_TONEAREST && fegetexcept() == 0); }

// Nobody cancels a thread.
void says_when_it_may_be_cancelled() {
  const auto say = [] {
    int before = -1;
    assert(pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before) == 0);
    assert(before == PTHREAD_CANCEL_ENABLE);
    assert(pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, &before) == 0);
    assert(before == PTHREAD_CANCEL_DISABLE);
    assert(pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, &before) == 0);
    assert(before == PTHREAD_CANCEL_DEFERRED);
    assert(pthread_setcanceltype(2, nullptr) == EINVAL);
    pthread_testcancel();
  };
  both(say, say);
}
void told_in_one_place_when_it_may_be_cancelled() {
  static int before;
  const auto say = [] { pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before); };
  both(say, say);
}

constexpr named tests[] = {FENCEPOST_NAMED(says_when_it_may_be_cancelled),
                           FENCEPOST_NAMED(told_in_one_place_when_it_may_be_cancelled),
                           FENCEPOST_NAMED(rounds_to_nearest),
                           FENCEPOST_NAMED(barrier_of_two),
                           FENCEPOST_NAMED(barrier_initialized_twice),
                           FENCEPOST_NAMED(barrier_in_two_rounds),
                           FENCEPOST_NAMED(barrier_in_one_round_too_few),
                           FENCEPOST_NAMED(barrier_for_three),
                           FENCEPOST_NAMED(barrier_destroyed_by_one_of_two),
                           FENCEPOST_NAMED(barrier_destroyed_while_one_waits),
                           FENCEPOST_NAMED(barrier_after_destruction),
                           FENCEPOST_NAMED(barrier_never_initialized),
                           FENCEPOST_NAMED(barrier_made_again),
                           FENCEPOST_NAMED(key_of_each_thread),
                           FENCEPOST_NAMED(key_destroyed_in_a_race),
                           FENCEPOST_NAMED(key_of_c),
                           FENCEPOST_NAMED(key_waited_for),
                           FENCEPOST_NAMED(leaves_with_a_result),
                           FENCEPOST_NAMED(leaves_in_a_race),
                           FENCEPOST_NAMED(leaves_in_c),
                           FENCEPOST_NAMED(leaves_and_is_caught),
                           FENCEPOST_NAMED(main_leaves),
                           FENCEPOST_NAMED(main_leaves_for_a_thread_that_waits),
                           FENCEPOST_NAMED(main_leaves_its_variables),
                           FENCEPOST_NAMED(main_leaves_what_is_done_with),
                           FENCEPOST_NAMED(main_exits_beside_its_variables),
                           FENCEPOST_NAMED(main_exits),
                           FENCEPOST_NAMED(main_exits_too_early),
                           FENCEPOST_NAMED(main_exits_with_a_variable_of_its_own),
                           FENCEPOST_NAMED(another_exits),
                           FENCEPOST_NAMED(mutex_that_checks),
                           FENCEPOST_NAMED(mutex_that_is_robust),
                           FENCEPOST_NAMED(mutex_that_checks_in_time),
                           FENCEPOST_NAMED(mutex_that_is_robust_in_time),
                           FENCEPOST_NAMED(waits_by_another_clock),
                           FENCEPOST_NAMED(semaphore_in_time),
                           FENCEPOST_NAMED(semaphore_too_late),
                           FENCEPOST_NAMED(reads_in_time),
                           FENCEPOST_NAMED(reads_too_late),
                           FENCEPOST_NAMED(writes_in_time),
                           FENCEPOST_NAMED(writes_without_a_lock),
                           FENCEPOST_NAMED(writes_what_is_never_unlocked),
                           FENCEPOST_NAMED(text_searched_while_it_changes),
                           FENCEPOST_NAMED(text_searched_before_what_changes),
                           FENCEPOST_NAMED(text_written_while_it_changes),
                           FENCEPOST_NAMED(text_written_beside_what_changes),
                           FENCEPOST_NAMED(text_searched_for_what_changes),
                           FENCEPOST_NAMED(text_copied_in_part_while_it_changes),
                           FENCEPOST_NAMED(text_copied_in_part_and_filled),
                           FENCEPOST_NAMED(text_filled_beside_what_changes)};

}  // namespace

int main(int argc, char** argv) { return run_named(tests, argc, argv); }
