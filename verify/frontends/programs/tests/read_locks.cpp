// Programs with reader-writer locks, spinlocks and semaphores of POSIX.
// The first argument names the case.
#include <pthread.h>
#include <semaphore.h>

#include <atomic>
#include <cassert>
#include <cerrno>
#include <mutex>
#include <shared_mutex>
#include <thread>

#include "named_program.hpp"

namespace {

std::shared_mutex lock;
sem_t semaphore;
pthread_spinlock_t spinlock;
std::atomic<int> x{0};
int plain = 0, other = 0;

void write() {
  const std::unique_lock hold(lock);
  ++plain;
  ++other;
}
void read() {
  const std::shared_lock hold(lock);
  assert(plain == other);
}
void readers_and_writers() {
  std::thread third(read);
  both(write, read);
  write();
  third.join();
  assert(plain == 2);
}
void written_by_a_reader() {
  const auto wrong = [] {
    const std::shared_lock hold(lock);
    ++plain;
  };
  both(wrong, wrong);
}
// A reader looks whether a writer has been there.
bool is_written() {
  const std::shared_lock hold(lock);
  return plain != 0;
}
void read_until_written() {
  while (!is_written()) {
  }
  assert(plain == 1 && other == 1);
}
void polled_by_readers() {
  std::thread third(read_until_written);
  both(write, read_until_written);
  third.join();
}
void polled_too_early() {
  both(
      [] {
        {
          const std::unique_lock hold(lock);
          ++plain;
        }
        ++other;
      },
      read_until_written);
}
void polled_in_vain() { both(read, read_until_written); }
// Two readers hold the lock at the same time.
void readers_meet() {
  const auto meet = [] {
    const std::shared_lock hold(lock);
    x.fetch_add(1);
    while (x.load() != 2) {
    }
  };
  both(meet, meet);
}
void writers_never_meet() {
  const auto meet = [] {
    const std::unique_lock hold(lock);
    x.fetch_add(1);
    while (x.load() != 2) {
    }
  };
  both(meet, meet);
}
void tried() {
  both(write, [] {
    if (!lock.try_lock_shared()) return;
    assert(plain == other);
    lock.unlock_shared();
  });
}
void tried_in_vain() {
  both(write, [] {
    assert(lock.try_lock());
    lock.unlock();
  });
}
// What the library does is the same for both modes.
void unlocked_in_another_mode() {
  lock.lock_shared();
  lock.unlock();
}
void unlocked_to_read_in_another_mode() {
  static std::shared_timed_mutex timed;
  timed.lock();
  timed.unlock_shared();
}
void unlocked_by_posix() {
  pthread_rwlock_rdlock(lock.native_handle());
  pthread_rwlock_unlock(lock.native_handle());
  pthread_rwlock_wrlock(lock.native_handle());
  pthread_rwlock_unlock(lock.native_handle());
}
void unlocked_twice() {
  lock.lock_shared();
  lock.unlock_shared();
  lock.unlock_shared();
}
void locked_in_two_ways() {
  lock.lock_shared();
  lock.lock();
}
void kept_out_for_ever() {
  lock.lock();
  std::thread(read).join();
}
// The attempt to write fails, since main() reads; the reader must not wait for that writer.
void never_written() {
  lock.lock_shared();
  both(read, [] {
    if (!lock.try_lock()) return;
    lock.unlock();
  });
  lock.unlock_shared();
}
void counted_by_four_sections() {
  const auto count = [] {
    for (int i = 0; i != 2; ++i) {
      write();
      read();
    }
  };
  both(count, count);
  assert(plain == 4);
}

void wait_and_count() {
  while (sem_wait(&semaphore) != 0) {
  }
  ++plain;
  sem_post(&semaphore);
}
void semaphore_for_one() {
  sem_init(&semaphore, 0, 1);
  both(wait_and_count, wait_and_count);
  assert(plain == 2 && sem_trywait(&semaphore) == 0 && sem_trywait(&semaphore) == -1);
  sem_destroy(&semaphore);
}
void semaphore_for_two() {
  sem_init(&semaphore, 0, 2);
  both(wait_and_count, wait_and_count);
}
void semaphore_never_posted() {
  sem_init(&semaphore, 0, 0);
  both([] { sem_wait(&semaphore); }, [] {});
}
void semaphore_hands_over() {
  sem_init(&semaphore, 0, 0);
  both(
      [] {
        sem_wait(&semaphore);
        assert(plain == 1);
      },
      [] {
        plain = 1;
        sem_post(&semaphore);
      });
}

void count_by_spinning() {
  pthread_spin_lock(&spinlock);
  ++plain;
  pthread_spin_unlock(&spinlock);
}

void counted_by_spinning() {
  assert(pthread_spin_init(&spinlock, PTHREAD_PROCESS_PRIVATE) == 0);
  both(count_by_spinning, count_by_spinning);
  assert(plain == 2);
  assert(pthread_spin_trylock(&spinlock) == 0);
  assert(pthread_spin_trylock(&spinlock) == EBUSY);
  pthread_spin_unlock(&spinlock);
  pthread_spin_destroy(&spinlock);
}

// Adds whether or not it has the lock.
void tried_to_spin() {
  pthread_spin_init(&spinlock, PTHREAD_PROCESS_PRIVATE);
  both(count_by_spinning, [] {
    const bool held = pthread_spin_trylock(&spinlock) == 0;
    ++plain;
    if (held) pthread_spin_unlock(&spinlock);
  });
}

void spins_twice() {
  pthread_spin_init(&spinlock, PTHREAD_PROCESS_PRIVATE);
  pthread_spin_lock(&spinlock);
  pthread_spin_lock(&spinlock);
}

void spinlock_of_another() {
  pthread_spin_init(&spinlock, PTHREAD_PROCESS_PRIVATE);
  pthread_spin_lock(&spinlock);
  std::thread([] { pthread_spin_unlock(&spinlock); }).join();
}

void spinlock_destroyed_while_locked() {
  pthread_spin_init(&spinlock, PTHREAD_PROCESS_PRIVATE);
  pthread_spin_lock(&spinlock);
  pthread_spin_destroy(&spinlock);
}

void spinlock_after_destruction() {
  pthread_spin_init(&spinlock, PTHREAD_PROCESS_PRIVATE);
  pthread_spin_destroy(&spinlock);
  pthread_spin_lock(&spinlock);
}

void spinlock_made_again() {
  for (int i = 0; i < 2; ++i) {
    pthread_spin_init(&spinlock, PTHREAD_PROCESS_PRIVATE);
    both(count_by_spinning, count_by_spinning);
    pthread_spin_destroy(&spinlock);
  }
  assert(plain == 4);
}

constexpr named tests[] = {FENCEPOST_NAMED(readers_and_writers),
                           FENCEPOST_NAMED(written_by_a_reader),
                           FENCEPOST_NAMED(polled_by_readers),
                           FENCEPOST_NAMED(polled_too_early),
                           FENCEPOST_NAMED(polled_in_vain),
                           FENCEPOST_NAMED(readers_meet),
                           FENCEPOST_NAMED(writers_never_meet),
                           FENCEPOST_NAMED(tried),
                           FENCEPOST_NAMED(tried_in_vain),
                           FENCEPOST_NAMED(unlocked_twice),
                           FENCEPOST_NAMED(unlocked_in_another_mode),
                           FENCEPOST_NAMED(unlocked_to_read_in_another_mode),
                           FENCEPOST_NAMED(unlocked_by_posix),
                           FENCEPOST_NAMED(locked_in_two_ways),
                           FENCEPOST_NAMED(kept_out_for_ever),
                           FENCEPOST_NAMED(never_written),
                           FENCEPOST_NAMED(counted_by_four_sections),
                           FENCEPOST_NAMED(counted_by_spinning),
                           FENCEPOST_NAMED(tried_to_spin),
                           FENCEPOST_NAMED(spins_twice),
                           FENCEPOST_NAMED(spinlock_of_another),
                           FENCEPOST_NAMED(spinlock_destroyed_while_locked),
                           FENCEPOST_NAMED(spinlock_after_destruction),
                           FENCEPOST_NAMED(spinlock_made_again),
                           FENCEPOST_NAMED(semaphore_for_one),
                           FENCEPOST_NAMED(semaphore_for_two),
                           FENCEPOST_NAMED(semaphore_never_posted),
                           FENCEPOST_NAMED(semaphore_hands_over)};

}  // namespace

int main(int argc, char** argv) { return run_named(tests, argc, argv); }
