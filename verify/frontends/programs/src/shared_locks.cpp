// Reader-writer locks of POSIX, on which std::shared_mutex is built, its spinlocks and semaphores.
// What waits for them waits as at a futex.

#include <pthread.h>
#include <semaphore.h>

#include <cerrno>
#include <cstdint>
#include <ctime>
#include <limits>
#include <utility>

#include "c_library.hpp"
#include "fencepost/verify/wait_queue.hpp"
#include "passing_time.hpp"
#include "posix_objects.hpp"
#include "session.hpp"

namespace fencepost::programs {
namespace {

using verify::engine;
using verify::order;
using verify::value;
using verify::wait_for;
using verify::word;
using verify::detail::sleeper;

// A reader-writer lock: the first word counts its readers, or says that a writer has it.
constexpr value with_writer = 0xffff'ffff;

verify::location first_word(session& s, const volatile void* object, const source_location& where) {
  return word_of(s, object, "a lock or semaphore", where);
}

bool change(verify::location at, value from, value to, order how, const source_location& where) {
  return engine::current()
      ->compare_exchange(word(at), from, to, false, how, order::relaxed, where)
      .success;
}

bool try_to_read(session& s, void* lock, bool& is_written, const source_location& where) {
  const verify::location at = first_word(s, lock, where);
  engine::current()->begin_operation("lock_shared", lock, where);
  const value seen = engine::current()->load(word(at), order::relaxed, where);
  is_written = seen == with_writer;
  if (is_written || !change(at, seen, seen + 1, order::acquire, where)) return false;
  s.locks().add(lock);
  return true;
}

// The end of a wait that has one.
struct deadline {
  clockid_t clock;
  const timespec* then;
};
constexpr nanoseconds no_end = std::numeric_limits<nanoseconds>::max();

nanoseconds left_until(session& s, const deadline& d, const source_location& where) {
  s.read(d.then, sizeof *d.then, where);
  return until(s, d.clock, *d.then);
}

// Waits while the word holds that. False: it has timed out.
bool wait_while(session& s, void* object, value v, nanoseconds left, const source_location& where) {
  if (left <= 0) return false;
  const bool timed = left != no_end;
  const auto w = verify::detail::wait_on(first_word(s, object, where), object, v, sleeper::atomic,
                                         timed, where);
  if (w != verify::detail::waited::timed_out) return true;
  s.library().let_pass(left);
  return false;
}

// As one modification, which changes nothing while a writer has the lock. What has to wait is then
// as if it had come later, which is explored: the rest only shows whether it waits forever.
void wait_to_read(session& s, void* lock, const source_location& where) {
  engine& e = *engine::current();
  const verify::location at = first_word(s, lock, where);
  e.begin_operation("lock_shared", lock, where);
  const value seen = e.read_modify_write(
      word(at), verify::operation::custom, 0, sizeof(std::uint32_t), order::acquire, where,
      [](value readers, value) { return readers == with_writer ? with_writer : readers + 1; });
  if (seen == with_writer) {
    const verify::location flag = e.declare_hidden(where);
    s.locks().kept_out(lock).push_back(flag);
    e.await(flag, 1, order::relaxed, wait_for::mutex, where);
    e.give_up();
  }
  s.locks().add(lock);
}

bool lock_to_read(session& s, void* lock, nanoseconds left, const source_location& where) {
  if (left == no_end) {
    wait_to_read(s, lock, where);
    return true;
  }
  for (bool is_written = false; !try_to_read(s, lock, is_written, where);)
    if (is_written && !wait_while(s, lock, with_writer, left, where)) return false;
  return true;
}

bool lock_to_write(session& s, void* lock, nanoseconds left, const source_location& where) {
  engine& e = *engine::current();
  const verify::location at = first_word(s, lock, where);
  if (left != no_end && (left <= 0 || by_chance(verify::budget::timeout, where))) {
    const bool free = change(at, 0, with_writer, order::acquire, where);
    // It times out if somebody else holds it. Otherwise it is as if it had not.
    if (free && left > 0) e.give_up();
    if (free) s.locks().add(lock);
    if (!free && left > 0) s.library().let_pass(left);
    return free;
  }
  e.begin_operation("lock", lock, where);
  e.await_exchange(at, 0, with_writer, order::acquire,
                   left == no_end ? wait_for::mutex : wait_for::wake_up_or_timeout, where);
  s.locks().add(lock);
  return true;
}

void unlock(session& s, void* lock, const source_location& where) {
  engine& e = *engine::current();
  const verify::location at = first_word(s, lock, where);
  e.begin_operation("unlock", lock, where);
  const value seen = e.known(at);  // whoever holds it knows what for
  if (!s.locks().remove(lock))
    e.fail(violation::misuse,
           seen == 0 ? "unlock() of a lock that nobody holds"
                     : "unlock() of a lock that this thread does not hold",
           where);
  if (seen != with_writer) {
    e.read_modify_write(word(at), verify::operation::subtract, 1, sizeof(std::uint32_t),
                        order::release, where);
    return;
  }
  // It reads the last value: so all that were kept out are known.
  e.read_modify_write(word(at), verify::operation::exchange, 0, sizeof(std::uint32_t),
                      order::release, where);
  for (const verify::location flag : std::exchange(s.locks().kept_out(lock), {}))
    e.store(word(flag), 1, order::relaxed, where);
  verify::detail::wake(lock, sleeper::atomic, verify::detail::all_of_them, where);
}

// The C library declares spinlocks volatile.
int* no_volatile(pthread_spinlock_t* l) { return const_cast<int*>(l); }

verify::location spinlock(session& s, const pthread_spinlock_t* l, const source_location& where) {
  return word_of(s, l, "a spinlock", where);
}

bool try_to_take(session& s, sem_t* semaphore, const source_location& where) {
  const verify::location at = first_word(s, semaphore, where);
  const value seen = engine::current()->load(word(at), order::relaxed, where);
  return seen != 0 && change(at, seen, seen - 1, order::acquire, where);
}

int take(session& s, sem_t* semaphore, nanoseconds left, const source_location& where) {
  while (!try_to_take(s, semaphore, where)) {
    if (wait_while(s, semaphore, 0, left, where)) continue;
    s.library().error_number() = ETIMEDOUT;
    return -1;
  }
  return 0;
}

}  // namespace
}  // namespace fencepost::programs

using namespace fencepost::programs;

#define FENCEPOST_ENTER(function, object, ...)                                         \
  const entered s(const_cast<const void*>(static_cast<const volatile void*>(object))); \
  if (!s) return FENCEPOST_BEHIND(function)(__VA_ARGS__);                              \
  const fencepost::source_location where = s->place(FENCEPOST_CALL_SITE)

// The C library names its parameters with reserved names.
// NOLINTBEGIN(readability-inconsistent-declaration-parameter-name,cppcoreguidelines-macro-usage)
extern "C" {

int pthread_rwlock_init(pthread_rwlock_t* l, const pthread_rwlockattr_t* attributes) noexcept {
  FENCEPOST_ENTER(pthread_rwlock_init, l, l, attributes);
  initialize(*s, l, sizeof *l, "a lock", where);
  return FENCEPOST_BEHIND(pthread_rwlock_init)(l, nullptr);
}

int pthread_rwlock_destroy(pthread_rwlock_t* l) noexcept {
  FENCEPOST_ENTER(pthread_rwlock_destroy, l, l);
  if (engine::current()->known(first_word(*s, l, where)) != 0)
    engine::current()->fail(fencepost::violation::misuse, "a lock is destroyed while it is held",
                            where);
  destroy(*s, l, sizeof *l, where);
  return 0;
}

int pthread_rwlock_rdlock(pthread_rwlock_t* l) noexcept {
  FENCEPOST_ENTER(pthread_rwlock_rdlock, l, l);
  lock_to_read(*s, l, no_end, where);
  return 0;
}

int pthread_rwlock_tryrdlock(pthread_rwlock_t* l) noexcept {
  FENCEPOST_ENTER(pthread_rwlock_tryrdlock, l, l);
  for (bool is_written = false;;) {
    if (try_to_read(*s, l, is_written, where)) return 0;
    if (is_written) return EBUSY;
  }
}

int pthread_rwlock_wrlock(pthread_rwlock_t* l) noexcept {
  FENCEPOST_ENTER(pthread_rwlock_wrlock, l, l);
  lock_to_write(*s, l, no_end, where);
  return 0;
}

int pthread_rwlock_clockrdlock(pthread_rwlock_t* l, clockid_t clock,
                               const timespec* then) noexcept {
  FENCEPOST_ENTER(pthread_rwlock_clockrdlock, l, l, clock, then);
  return lock_to_read(*s, l, left_until(*s, {clock, then}, where), where) ? 0 : ETIMEDOUT;
}

int pthread_rwlock_timedrdlock(pthread_rwlock_t* l, const timespec* then) noexcept {
  FENCEPOST_ENTER(pthread_rwlock_timedrdlock, l, l, then);
  return lock_to_read(*s, l, left_until(*s, {CLOCK_REALTIME, then}, where), where) ? 0 : ETIMEDOUT;
}

int pthread_rwlock_clockwrlock(pthread_rwlock_t* l, clockid_t clock,
                               const timespec* then) noexcept {
  FENCEPOST_ENTER(pthread_rwlock_clockwrlock, l, l, clock, then);
  return lock_to_write(*s, l, left_until(*s, {clock, then}, where), where) ? 0 : ETIMEDOUT;
}

int pthread_rwlock_timedwrlock(pthread_rwlock_t* l, const timespec* then) noexcept {
  FENCEPOST_ENTER(pthread_rwlock_timedwrlock, l, l, then);
  return lock_to_write(*s, l, left_until(*s, {CLOCK_REALTIME, then}, where), where) ? 0 : ETIMEDOUT;
}

int pthread_rwlock_trywrlock(pthread_rwlock_t* l) noexcept {
  FENCEPOST_ENTER(pthread_rwlock_trywrlock, l, l);
  if (!change(first_word(*s, l, where), 0, with_writer, order::acquire, where)) return EBUSY;
  s->locks().add(l);
  return 0;
}

int pthread_rwlock_unlock(pthread_rwlock_t* l) noexcept {
  FENCEPOST_ENTER(pthread_rwlock_unlock, l, l);
  unlock(*s, l, where);
  return 0;
}

int pthread_spin_init(pthread_spinlock_t* l, int shared) noexcept {
  FENCEPOST_ENTER(pthread_spin_init, l, l, shared);
  initialize(*s, no_volatile(l), sizeof *l, "a spinlock", where);
  *l = 0;
  return 0;
}

int pthread_spin_destroy(pthread_spinlock_t* l) noexcept {
  FENCEPOST_ENTER(pthread_spin_destroy, l, l);
  if (engine::current()->known(spinlock(*s, l, where)) != 0)
    engine::current()->fail(fencepost::violation::misuse,
                            "a spinlock is destroyed while it is locked", where);
  destroy(*s, no_volatile(l), sizeof *l, where);
  return 0;
}

int pthread_spin_lock(pthread_spinlock_t* l) noexcept {
  FENCEPOST_ENTER(pthread_spin_lock, l, l);
  engine::current()->begin_operation("lock", no_volatile(l), where);
  engine::current()->await_exchange(spinlock(*s, l, where), 0, 1, order::acquire, wait_for::mutex,
                                    where);
  s->locks().add(no_volatile(l));
  return 0;
}

int pthread_spin_trylock(pthread_spinlock_t* l) noexcept {
  FENCEPOST_ENTER(pthread_spin_trylock, l, l);
  if (!change(spinlock(*s, l, where), 0, 1, order::acquire, where)) return EBUSY;
  s->locks().add(no_volatile(l));
  return 0;
}

int pthread_spin_unlock(pthread_spinlock_t* l) noexcept {
  FENCEPOST_ENTER(pthread_spin_unlock, l, l);
  engine& e = *engine::current();
  const fencepost::verify::location at = spinlock(*s, l, where);
  e.begin_operation("unlock", no_volatile(l), where);
  if (!s->locks().remove(no_volatile(l)))
    e.fail(fencepost::violation::misuse, "unlock() of a spinlock that this thread does not hold",
           where);
  e.store(word(at), 0, order::release, where);
  return 0;
}

int sem_init(sem_t* semaphore, int shared, unsigned n) noexcept {
  FENCEPOST_ENTER(sem_init, semaphore, semaphore, shared, n);
  s->write(semaphore, sizeof *semaphore, where);
  *reinterpret_cast<unsigned*>(semaphore) = n;
  return 0;
}

int sem_destroy(sem_t* semaphore) noexcept {
  FENCEPOST_ENTER(sem_destroy, semaphore, semaphore);
  first_word(*s, semaphore, where);
  destroy(*s, semaphore, sizeof *semaphore, where);
  return 0;
}

int sem_wait(sem_t* semaphore) {
  FENCEPOST_ENTER(sem_wait, semaphore, semaphore);
  take(*s, semaphore, no_end, where);
  return 0;
}

int sem_timedwait(sem_t* semaphore, const timespec* then) {
  FENCEPOST_ENTER(sem_timedwait, semaphore, semaphore, then);
  return take(*s, semaphore, left_until(*s, {CLOCK_REALTIME, then}, where), where);
}

int sem_clockwait(sem_t* semaphore, clockid_t clock, const timespec* then) {
  FENCEPOST_ENTER(sem_clockwait, semaphore, semaphore, clock, then);
  return take(*s, semaphore, left_until(*s, {clock, then}, where), where);
}

int sem_getvalue(sem_t* semaphore, int* to) noexcept {
  FENCEPOST_ENTER(sem_getvalue, semaphore, semaphore, to);
  const value n =
      engine::current()->load(word(first_word(*s, semaphore, where)), order::relaxed, where);
  s->write(to, sizeof *to, where);
  *to = static_cast<int>(n);
  return 0;
}

int sem_trywait(sem_t* semaphore) noexcept {
  FENCEPOST_ENTER(sem_trywait, semaphore, semaphore);
  if (try_to_take(*s, semaphore, where)) return 0;
  s->library().error_number() = EAGAIN;
  return -1;
}

int sem_post(sem_t* semaphore) noexcept {
  FENCEPOST_ENTER(sem_post, semaphore, semaphore);
  engine::current()->read_modify_write(word(first_word(*s, semaphore, where)),
                                       fencepost::verify::operation::add, 1, sizeof(std::uint32_t),
                                       order::release, where);
  fencepost::verify::detail::wake(semaphore, sleeper::atomic, 1, where);
  return 0;
}

}  // extern "C"
// NOLINTEND(readability-inconsistent-declaration-parameter-name,cppcoreguidelines-macro-usage)
