// Mutexes and shared mutexes of the C++ library, which are those of POSIX. Their headers call these
// functions (std/fencepost_mutexes.h), since C++ leaves more uses undefined than POSIX.

#include <pthread.h>

#include <cerrno>

#include "c_library.hpp"
#include "posix_mutexes.hpp"
#include "shared_locks.hpp"

using namespace fencepost::programs;

namespace {

constexpr kind_of_lock standard = kind_of_lock::standard;

}  // namespace

// NOLINTBEGIN(bugprone-reserved-identifier,readability-identifier-naming)
extern "C" {

int __fencepost_mutex_lock(pthread_mutex_t* m) noexcept {
  FENCEPOST_ENTER(pthread_mutex_lock, m, m);
  return lock(*s, m, where, standard);
}
int __fencepost_mutex_trylock(pthread_mutex_t* m) noexcept {
  FENCEPOST_ENTER(pthread_mutex_trylock, m, m);
  return try_lock(*s, m, where, standard) ? 0 : EBUSY;
}
int __fencepost_mutex_timedlock(pthread_mutex_t* m, const timespec* then) noexcept {
  FENCEPOST_ENTER(pthread_mutex_timedlock, m, m, then);
  return lock_until(*s, m, CLOCK_REALTIME, then, where, standard);
}
int __fencepost_mutex_clocklock(pthread_mutex_t* m, clockid_t clock,
                                const timespec* then) noexcept {
  FENCEPOST_ENTER(pthread_mutex_clocklock, m, m, clock, then);
  return lock_until(*s, m, clock, then, where, standard);
}

int __fencepost_rwlock_rdlock(pthread_rwlock_t* l) noexcept {
  FENCEPOST_ENTER(pthread_rwlock_rdlock, l, l);
  lock_to_read(*s, l, no_end, where, standard);
  return 0;
}
int __fencepost_rwlock_tryrdlock(pthread_rwlock_t* l) noexcept {
  FENCEPOST_ENTER(pthread_rwlock_tryrdlock, l, l);
  return try_to_read(*s, l, where, standard) ? 0 : EBUSY;
}
int __fencepost_rwlock_timedrdlock(pthread_rwlock_t* l, const timespec* then) noexcept {
  FENCEPOST_ENTER(pthread_rwlock_timedrdlock, l, l, then);
  const nanoseconds left = left_until(*s, {CLOCK_REALTIME, then}, where);
  return lock_to_read(*s, l, left, where, standard) ? 0 : ETIMEDOUT;
}
int __fencepost_rwlock_clockrdlock(pthread_rwlock_t* l, clockid_t clock,
                                   const timespec* then) noexcept {
  FENCEPOST_ENTER(pthread_rwlock_clockrdlock, l, l, clock, then);
  const nanoseconds left = left_until(*s, {clock, then}, where);
  return lock_to_read(*s, l, left, where, standard) ? 0 : ETIMEDOUT;
}
int __fencepost_rwlock_rdunlock(pthread_rwlock_t* l) noexcept {
  FENCEPOST_ENTER(pthread_rwlock_unlock, l, l);
  unlock_shared_lock(*s, l, held_to::read, where);
  return 0;
}

int __fencepost_rwlock_wrlock(pthread_rwlock_t* l) noexcept {
  FENCEPOST_ENTER(pthread_rwlock_wrlock, l, l);
  lock_to_write(*s, l, no_end, where, standard);
  return 0;
}
int __fencepost_rwlock_trywrlock(pthread_rwlock_t* l) noexcept {
  FENCEPOST_ENTER(pthread_rwlock_trywrlock, l, l);
  return try_to_write(*s, l, where, standard) ? 0 : EBUSY;
}
int __fencepost_rwlock_timedwrlock(pthread_rwlock_t* l, const timespec* then) noexcept {
  FENCEPOST_ENTER(pthread_rwlock_timedwrlock, l, l, then);
  const nanoseconds left = left_until(*s, {CLOCK_REALTIME, then}, where);
  return lock_to_write(*s, l, left, where, standard) ? 0 : ETIMEDOUT;
}
int __fencepost_rwlock_clockwrlock(pthread_rwlock_t* l, clockid_t clock,
                                   const timespec* then) noexcept {
  FENCEPOST_ENTER(pthread_rwlock_clockwrlock, l, l, clock, then);
  const nanoseconds left = left_until(*s, {clock, then}, where);
  return lock_to_write(*s, l, left, where, standard) ? 0 : ETIMEDOUT;
}
int __fencepost_rwlock_unlock(pthread_rwlock_t* l) noexcept {
  FENCEPOST_ENTER(pthread_rwlock_unlock, l, l);
  unlock_shared_lock(*s, l, held_to::write, where);
  return 0;
}

}  // extern "C"
// NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming)
