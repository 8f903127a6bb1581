// Spinlocks of POSIX.

#include <pthread.h>

#include <cerrno>

#include "posix_words.hpp"

namespace fencepost::programs {
namespace {

using verify::engine;
using verify::order;
using verify::wait_for;
using verify::word;

// The C library declares spinlocks volatile.
int* no_volatile(pthread_spinlock_t* l) { return const_cast<int*>(l); }

verify::location spinlock(session& s, const pthread_spinlock_t* l, const source_location& where) {
  return word_of(s, l, "a spinlock", where);
}

}  // namespace
}  // namespace fencepost::programs

using namespace fencepost::programs;

// The C library names its parameters with reserved names.
// NOLINTBEGIN(readability-inconsistent-declaration-parameter-name,cppcoreguidelines-macro-usage)
extern "C" {

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
  s->locks().add(no_volatile(l), where);
  return 0;
}

int pthread_spin_trylock(pthread_spinlock_t* l) noexcept {
  FENCEPOST_ENTER(pthread_spin_trylock, l, l);
  const fencepost::verify::location at = spinlock(*s, l, where);
  engine::current()->is_lock(at, fencepost::verify::lock_kind::mutex);
  if (!change_word(at, 0, 1, order::acquire, where)) return EBUSY;
  s->locks().add(no_volatile(l), where);
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

}  // extern "C"
// NOLINTEND(readability-inconsistent-declaration-parameter-name,cppcoreguidelines-macro-usage)
