// Programs with reader-writer locks and semaphores of POSIX, by the name in the first argument.
#include <pthread.h>
#include <semaphore.h>

#include <atomic>
#include <cassert>
#include <mutex>
#include <shared_mutex>
#include <thread>

#include "named_program.hpp"

namespace {

std::shared_mutex lock;
sem_t semaphore;
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
// Two readers at once.
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
void unlocked_twice() {
  lock.lock_shared();
  lock.unlock_shared();
  lock.unlock_shared();
}
void locked_in_two_ways() {
  lock.lock_shared();
  lock.lock();
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

constexpr named tests[] = {FENCEPOST_NAMED(readers_and_writers),
                           FENCEPOST_NAMED(written_by_a_reader),
                           FENCEPOST_NAMED(readers_meet),
                           FENCEPOST_NAMED(writers_never_meet),
                           FENCEPOST_NAMED(tried),
                           FENCEPOST_NAMED(tried_in_vain),
                           FENCEPOST_NAMED(unlocked_twice),
                           FENCEPOST_NAMED(locked_in_two_ways),
                           FENCEPOST_NAMED(semaphore_for_one),
                           FENCEPOST_NAMED(semaphore_for_two),
                           FENCEPOST_NAMED(semaphore_never_posted),
                           FENCEPOST_NAMED(semaphore_hands_over)};

}  // namespace

int main(int argc, char** argv) { return run_named(tests, argc, argv); }
