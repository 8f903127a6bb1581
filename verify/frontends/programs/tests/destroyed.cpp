// Mutexes, condition variables, locks and semaphores of POSIX before they are initialized, and
// after they are destroyed; the first argument names the case.
#include <pthread.h>
#include <semaphore.h>
#include <threads.h>

#include <atomic>
#include <barrier>
#include <cassert>
#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <new>
#include <shared_mutex>
#include <thread>

#include "named_program.hpp"

namespace {

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
sem_t semaphore;
std::atomic<int> told{0};
int plain = 0;

void lock_after_destruction() {
  pthread_mutex_destroy(&mutex);
  std::thread([] { pthread_mutex_lock(&mutex); }).join();
}
void try_to_lock_after_destruction() {
  pthread_mutex_destroy(&mutex);
  pthread_mutex_trylock(&mutex);
}
void mutex_destroyed_twice() {
  pthread_mutex_destroy(&mutex);
  pthread_mutex_destroy(&mutex);
}
void mutex_destroyed_beside_its_use() {
  std::thread user([] {
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    told.store(1, std::memory_order_relaxed);
  });
  if (told.load(std::memory_order_relaxed) == 1) pthread_mutex_destroy(&mutex);
  user.join();
}
void mutex_initialized_while_locked() {
  pthread_mutex_lock(&mutex);
  pthread_mutex_init(&mutex, nullptr);
  pthread_mutex_unlock(&mutex);
}
void mutex_never_initialized() {
  auto* const m = static_cast<pthread_mutex_t*>(std::malloc(sizeof(pthread_mutex_t)));
  if (pthread_mutex_trylock(m) == 0) pthread_mutex_unlock(m);
  std::free(m);
}
// The last user destroys the mutex right after unlocking it.
void mutex_destroyed_by_the_last_user() {
  struct object {
    pthread_mutex_t m;
    int users;
  };
  auto* const o = static_cast<object*>(std::malloc(sizeof(object)));
  pthread_mutex_init(&o->m, nullptr);
  o->users = 2;
  const auto leave = [=] {
    pthread_mutex_lock(&o->m);
    const bool last = --o->users == 0;
    pthread_mutex_unlock(&o->m);
    if (!last) return;
    pthread_mutex_destroy(&o->m);
    std::free(o);
  };
  both(leave, leave);
}
void mutex_made_again() {
  for (int i = 0; i < 2; ++i) {
    pthread_mutex_init(&mutex, nullptr);
    const auto count = [] {
      pthread_mutex_lock(&mutex);
      ++plain;
      pthread_mutex_unlock(&mutex);
    };
    both(count, count);
    pthread_mutex_destroy(&mutex);
  }
  new (&mutex) std::atomic<int>(7);  // memory like any other
  assert(reinterpret_cast<std::atomic<int>&>(mutex).fetch_add(1) == 7);
  mutex = PTHREAD_MUTEX_INITIALIZER;
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
  assert(plain == 4);
}
[[gnu::noinline]] void lock_one(bool unlock) {
  std::mutex here;
  here.lock();
  if (unlock) here.unlock();
}
void mutex_ends_locked() { lock_one(false); }
void mutexes_come_again() {
  lock_one(true);
  lock_one(true);
}
void another_is_locked_when_a_function_returns() {
  std::mutex outer;
  const std::lock_guard hold(outer);
  lock_one(true);
}
struct guarded {
  std::mutex mutex;
  pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
};
void mutex_freed_while_locked() {
  auto g = std::make_unique<guarded>();
  g->mutex.lock();
  std::thread([&] { g.reset(); }).join();
}
void lock_freed_while_read() {
  auto g = std::make_unique<guarded>();
  pthread_rwlock_rdlock(&g->lock);
}
void mutex_freed_when_unlocked() {
  auto g = std::make_unique<guarded>();
  std::thread([&] { const std::lock_guard hold(g->mutex); }).join();
}
std::mutex of_all;
void thread_ends_with_a_mutex() {
  std::thread([] {
    of_all.lock();
    plain = 1;
  }).join();
}
void thread_ends_with_a_mutex_that_it_tried() {
  std::thread([] {
    if (of_all.try_lock()) plain = 1;
  }).join();
}
void thread_ends_with_one_of_two() {
  std::thread([] {
    static std::shared_mutex shared;
    const std::lock_guard hold(of_all);
    shared.lock_shared();
  }).join();
}
// A thread unlocks when its variables are destroyed, and by std::notify_all_at_thread_exit().
void thread_unlocks_at_its_end() {
  std::thread([] {
    thread_local std::unique_lock<std::mutex> held;
    held = std::unique_lock(of_all);
  }).join();
  std::thread([] {
    static std::condition_variable nobody;
    std::notify_all_at_thread_exit(nobody, std::unique_lock(of_all));
  }).join();
  assert(of_all.try_lock());
  of_all.unlock();
}
void thread_ends_while_main_has_a_mutex() {
  const std::lock_guard hold(of_all);
  std::thread([] { plain = 1; }).join();
}
// POSIX allows a thread to end while it holds a mutex.
void thread_of_posix_ends_with_a_mutex() {
  pthread_t thread;
  pthread_create(
      &thread, nullptr,
      [](void* p) {
        pthread_mutex_lock(&mutex);
        return p;
      },
      nullptr);
  pthread_join(thread, nullptr);
  assert(pthread_mutex_trylock(&mutex) == EBUSY);
}
void thread_of_posix_ends_with_a_mutex_of_cpp() {
  pthread_t thread;
  pthread_create(
      &thread, nullptr,
      [](void* p) {
        of_all.lock();
        return p;
      },
      nullptr);
  pthread_join(thread, nullptr);
}
void thread_ends_with_a_mutex_of_posix() {
  std::thread([] { pthread_mutex_lock(&mutex); }).join();
  assert(pthread_mutex_trylock(&mutex) == EBUSY);
}
// Static objects end with the program, also a std::mutex.
void main_ends_with_a_mutex() { of_all.lock(); }
void main_ends_with_a_mutex_of_posix() { pthread_mutex_lock(&mutex); }
void main_ends_with_a_lock_that_it_reads() {
  static std::shared_mutex shared;
  shared.lock_shared();
}
void main_ends_with_a_mutex_that_it_waited_with() {
  static std::condition_variable c;
  std::unique_lock hold(of_all);
  c.wait_for(hold, std::chrono::seconds(1));
  hold.release();
}
void main_exits_with_a_mutex() {
  of_all.lock();
  std::exit(0);
}
// exit() does not destroy the variables of main().
void main_exits_with_a_mutex_of_its_own() {
  std::mutex here;
  here.lock();
  std::exit(0);
}
void main_leaves_with_a_mutex() {
  static auto* const g = new guarded;
  g->mutex.lock();
  pthread_exit(nullptr);
}
// The lock is constructed after the mutex, so it is destroyed before it.
void mutex_is_unlocked_at_the_exit() { static std::unique_lock hold(of_all); }

void own_mutex_is_tried() {
  const std::lock_guard hold(of_all);
  of_all.try_lock();
}
void own_mutex_is_tried_in_time() {
  static std::timed_mutex timed;
  const std::lock_guard hold(timed);
  timed.try_lock_for(std::chrono::seconds(1));
}
void own_mutex_is_tried_after_waiting() {
  static std::condition_variable c;
  std::unique_lock hold(of_all);
  c.wait_for(hold, std::chrono::seconds(1));
  of_all.try_lock();
}
void own_mutex_is_locked_with_itself() { const std::scoped_lock hold(of_all, of_all); }
void own_mutex_of_posix_is_tried() {
  pthread_mutex_lock(&mutex);
  assert(pthread_mutex_trylock(&mutex) == EBUSY);
  pthread_mutex_unlock(&mutex);
}
void own_recursive_mutex_is_tried() {
  static std::recursive_timed_mutex m;
  const std::lock_guard hold(m);
  assert(m.try_lock());
  m.unlock();
  assert(m.try_lock_for(std::chrono::seconds(1)));
  m.unlock();
}
std::shared_timed_mutex of_readers;
void lock_is_read_twice() { const std::shared_lock first(of_readers), second(of_readers); }
void own_lock_is_tried() {
  const std::shared_lock hold(of_readers);
  of_readers.try_lock();
}
void own_lock_is_tried_in_time() {
  const std::lock_guard hold(of_readers);
  of_readers.try_lock_shared_for(std::chrono::seconds(1));
}
void lock_of_posix_is_read_twice() {
  pthread_rwlock_rdlock(&lock);
  assert(pthread_rwlock_tryrdlock(&lock) == 0);
  pthread_rwlock_unlock(&lock);
  pthread_rwlock_unlock(&lock);
}
void lock_is_read_by_all() {
  const auto read = [] { const std::shared_lock hold(of_readers); };
  both(read, read);
}

void another_is_freed_under_a_lock() {
  auto g = std::make_unique<guarded>();
  auto other = std::make_unique<int>();
  const std::lock_guard hold(g->mutex);
  other.reset();
}
void mutex_freed_beside_its_use() {
  auto g = std::make_unique<guarded>();
  static std::atomic<bool> goes_on{false};
  std::thread user([m = &g->mutex] {
    m->lock();
    told.store(1, std::memory_order_relaxed);
    while (!goes_on.load(std::memory_order_relaxed)) std::this_thread::yield();
    m->unlock();
  });
  if (told.load(std::memory_order_relaxed) == 1) g.reset();
  goes_on.store(true, std::memory_order_relaxed);
  user.join();
}
void mutex_of_c_destroyed() {
  static mtx_t m;
  mtx_init(&m, mtx_plain);
  mtx_lock(&m);
  mtx_unlock(&m);
  mtx_destroy(&m);
  mtx_trylock(&m);
}

void mutex_of_c_is_locked_in_time(int type) {
  static mtx_t m;
  mtx_init(&m, type);
  const timespec past{0, 0};
  if (mtx_timedlock(&m, &past) == thrd_success) mtx_unlock(&m);
}
void plain_mutex_of_c_is_locked_in_time() { mutex_of_c_is_locked_in_time(mtx_plain); }
void recursive_mutex_of_c_is_locked_in_time() { mutex_of_c_is_locked_in_time(mtx_recursive); }
void timed_mutex_of_c_is_locked_in_time() {
  mutex_of_c_is_locked_in_time(mtx_timed);
  mutex_of_c_is_locked_in_time(mtx_timed | mtx_recursive);
}

void signal_after_destruction() {
  pthread_cond_destroy(&condition);
  std::thread([] { pthread_cond_signal(&condition); }).join();
}
void wait_after_destruction() {
  pthread_cond_destroy(&condition);
  pthread_mutex_lock(&mutex);
  pthread_cond_wait(&condition, &mutex);
}
void condition_never_initialized() {
  auto* const c = static_cast<pthread_cond_t*>(std::malloc(sizeof(pthread_cond_t)));
  pthread_cond_signal(c);
  std::free(c);
}
void signal_beside_destruction() {
  both([] { pthread_cond_signal(&condition); }, [] { pthread_cond_destroy(&condition); });
}
void wait_for_it(std::condition_variable& c, std::mutex& m, const bool& is_there) {
  std::unique_lock hold(m);
  while (!is_there) c.wait(hold);
}
[[gnu::noinline]] void wait_with_a_condition_of_its_own() {
  std::mutex m;
  std::condition_variable c;
  bool is_there = false;
  std::thread other([&] {
    const std::lock_guard hold(m);
    is_there = true;
    c.notify_one();
  });
  wait_for_it(c, m, is_there);
  other.join();
}
void conditions_come_again() {
  wait_with_a_condition_of_its_own();
  wait_with_a_condition_of_its_own();
}
void condition_made_again() {
  alignas(std::condition_variable) static unsigned char bytes[sizeof(std::condition_variable)];
  for (int i = 0; i < 2; ++i) {
    auto* const c = new (bytes) std::condition_variable;
    c->notify_one();
    c->~condition_variable();
  }
}
// The condition variable may be destroyed before it is notified.
void notified_after_unlocking() {
  auto state = std::make_unique<std::pair<std::mutex, std::condition_variable>>();
  bool is_there = false;
  std::thread other([&, s = state.get()] {
    {
      const std::lock_guard hold(s->first);
      is_there = true;
    }
    s->second.notify_one();
  });
  wait_for_it(state->second, state->first, is_there);
  state.reset();
  other.join();
}

void read_lock_after_destruction() {
  pthread_rwlock_destroy(&lock);
  pthread_rwlock_tryrdlock(&lock);
}
void lock_initialized_while_read() {
  pthread_rwlock_rdlock(&lock);
  pthread_rwlock_init(&lock, nullptr);
}
void lock_unlocked_by_another() {
  pthread_rwlock_wrlock(&lock);
  std::thread([] { pthread_rwlock_unlock(&lock); }).join();
}
void lock_made_again() {
  for (int i = 0; i < 2; ++i) {
    pthread_rwlock_init(&lock, nullptr);
    both(
        [] {
          pthread_rwlock_wrlock(&lock);
          ++plain;
          pthread_rwlock_unlock(&lock);
        },
        [] {
          pthread_rwlock_rdlock(&lock);
          assert(plain <= 2);
          pthread_rwlock_unlock(&lock);
        });
    pthread_rwlock_destroy(&lock);
  }
}
void post_after_destruction() {
  sem_init(&semaphore, 0, 1);
  sem_destroy(&semaphore);
  sem_post(&semaphore);
}
void semaphore_never_initialized() {
  auto* const s = static_cast<sem_t*>(std::malloc(sizeof(sem_t)));
  sem_wait(s);
  std::free(s);
}
// sem_post() may not have returned in the other thread, but it no longer uses the memory.
void semaphore_made_again() {
  for (int i = 0; i < 2; ++i) {
    sem_init(&semaphore, 0, 0);
    std::thread other([] { sem_post(&semaphore); });
    sem_wait(&semaphore);
    other.join();
    sem_destroy(&semaphore);
  }
}

// The other thread may not have returned from it.
void barrier_freed_while_others_leave() {
  auto* const b = new std::barrier<>(2);
  both(
      [=] {
        b->arrive_and_wait();
        delete b;
      },
      [=] { b->arrive_and_wait(); });
}
void barrier_freed_when_others_have_left() {
  auto b = std::make_shared<std::barrier<>>(2);
  both([b]() mutable { b->arrive_and_wait(), b.reset(); },
       [b]() mutable { b->arrive_and_wait(), b.reset(); });
}

constexpr named tests[] = {FENCEPOST_NAMED(lock_after_destruction),
                           FENCEPOST_NAMED(try_to_lock_after_destruction),
                           FENCEPOST_NAMED(mutex_destroyed_twice),
                           FENCEPOST_NAMED(mutex_destroyed_beside_its_use),
                           FENCEPOST_NAMED(mutex_initialized_while_locked),
                           FENCEPOST_NAMED(mutex_never_initialized),
                           FENCEPOST_NAMED(mutex_destroyed_by_the_last_user),
                           FENCEPOST_NAMED(mutex_made_again),
                           FENCEPOST_NAMED(mutex_ends_locked),
                           FENCEPOST_NAMED(mutexes_come_again),
                           FENCEPOST_NAMED(another_is_locked_when_a_function_returns),
                           FENCEPOST_NAMED(mutex_freed_while_locked),
                           FENCEPOST_NAMED(lock_freed_while_read),
                           FENCEPOST_NAMED(mutex_freed_when_unlocked),
                           FENCEPOST_NAMED(thread_ends_with_a_mutex),
                           FENCEPOST_NAMED(thread_ends_with_a_mutex_that_it_tried),
                           FENCEPOST_NAMED(thread_ends_with_one_of_two),
                           FENCEPOST_NAMED(thread_unlocks_at_its_end),
                           FENCEPOST_NAMED(thread_ends_while_main_has_a_mutex),
                           FENCEPOST_NAMED(thread_of_posix_ends_with_a_mutex),
                           FENCEPOST_NAMED(thread_of_posix_ends_with_a_mutex_of_cpp),
                           FENCEPOST_NAMED(thread_ends_with_a_mutex_of_posix),
                           FENCEPOST_NAMED(main_ends_with_a_mutex),
                           FENCEPOST_NAMED(main_ends_with_a_mutex_of_posix),
                           FENCEPOST_NAMED(main_ends_with_a_lock_that_it_reads),
                           FENCEPOST_NAMED(main_ends_with_a_mutex_that_it_waited_with),
                           FENCEPOST_NAMED(main_exits_with_a_mutex),
                           FENCEPOST_NAMED(main_exits_with_a_mutex_of_its_own),
                           FENCEPOST_NAMED(main_leaves_with_a_mutex),
                           FENCEPOST_NAMED(mutex_is_unlocked_at_the_exit),
                           FENCEPOST_NAMED(own_mutex_is_tried),
                           FENCEPOST_NAMED(own_mutex_is_tried_in_time),
                           FENCEPOST_NAMED(own_mutex_is_tried_after_waiting),
                           FENCEPOST_NAMED(own_mutex_is_locked_with_itself),
                           FENCEPOST_NAMED(own_mutex_of_posix_is_tried),
                           FENCEPOST_NAMED(own_recursive_mutex_is_tried),
                           FENCEPOST_NAMED(lock_is_read_twice),
                           FENCEPOST_NAMED(own_lock_is_tried),
                           FENCEPOST_NAMED(own_lock_is_tried_in_time),
                           FENCEPOST_NAMED(lock_of_posix_is_read_twice),
                           FENCEPOST_NAMED(lock_is_read_by_all),
                           FENCEPOST_NAMED(plain_mutex_of_c_is_locked_in_time),
                           FENCEPOST_NAMED(recursive_mutex_of_c_is_locked_in_time),
                           FENCEPOST_NAMED(timed_mutex_of_c_is_locked_in_time),
                           FENCEPOST_NAMED(another_is_freed_under_a_lock),
                           FENCEPOST_NAMED(mutex_freed_beside_its_use),
                           FENCEPOST_NAMED(mutex_of_c_destroyed),
                           FENCEPOST_NAMED(signal_after_destruction),
                           FENCEPOST_NAMED(wait_after_destruction),
                           FENCEPOST_NAMED(condition_never_initialized),
                           FENCEPOST_NAMED(signal_beside_destruction),
                           FENCEPOST_NAMED(conditions_come_again),
                           FENCEPOST_NAMED(condition_made_again),
                           FENCEPOST_NAMED(notified_after_unlocking),
                           FENCEPOST_NAMED(read_lock_after_destruction),
                           FENCEPOST_NAMED(lock_initialized_while_read),
                           FENCEPOST_NAMED(lock_unlocked_by_another),
                           FENCEPOST_NAMED(lock_made_again),
                           FENCEPOST_NAMED(post_after_destruction),
                           FENCEPOST_NAMED(semaphore_never_initialized),
                           FENCEPOST_NAMED(semaphore_made_again),
                           FENCEPOST_NAMED(barrier_freed_while_others_leave),
                           FENCEPOST_NAMED(barrier_freed_when_others_have_left)};

}  // namespace

int main(int argc, char** argv) { return run_named(tests, argc, argv); }
