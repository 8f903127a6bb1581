// Mutexes of POSIX, on which those of C and C++ are built. Only mutexes in the program's memory are
// modelled: no thread ever waits for one of a library.

#include "posix_mutexes.hpp"

#include "c_library.hpp"
#include "passing_time.hpp"
#include "posix_objects.hpp"
#include "program_memory.hpp"

namespace fencepost::programs {
namespace {

using verify::engine;
using verify::wait_for;
using verify::word;

verify::location lock_of(session& s, pthread_mutex_t* m, const source_location& where) {
  return word_of(s, &m->__data.__lock, "a mutex", where);
}

enum class kind { normal, recursive, checked };

kind kind_of(session& s, const pthread_mutex_t* m, const source_location& where) {
  switch (m->__data.__kind) {
    case PTHREAD_MUTEX_NORMAL:
    case PTHREAD_MUTEX_ADAPTIVE_NP: return kind::normal;
    case PTHREAD_MUTEX_RECURSIVE: return kind::recursive;
    case PTHREAD_MUTEX_ERRORCHECK: return kind::checked;
    default: break;
  }
  s.reach_limit("mutexes that are robust, shared by processes, or have a protocol are not modelled",
                where);
}

// Stores the owner and the count where the C library has them.
void hold(session& s, pthread_mutex_t* m, const source_location& where, kind_of_lock whose) {
  s.locks().add(m, where, whose);
  m->__data.__owner = static_cast<int>(engine::current()->this_thread() + 1);
  m->__data.__count = 1;
}

// For a thread that holds the mutex already, and so does not wait for it.
void lock_again(pthread_mutex_t* m) { ++m->__data.__count; }

// A thread must not try to lock a non-recursive mutex of the C++ library that it holds already.
void require_may_try_again(kind k, kind_of_lock whose, const source_location& where) {
  if (k == kind::normal && whose == kind_of_lock::standard)
    engine::current()->fail(violation::misuse,
                            "try_lock() of a mutex that this thread holds already", where);
}

}  // namespace

bool is_held_here(const pthread_mutex_t* m) {
  return m->__data.__owner == static_cast<int>(engine::current()->this_thread() + 1);
}

int lock(session& s, pthread_mutex_t* m, const source_location& where, kind_of_lock whose) {
  const verify::location at = lock_of(s, m, where);
  const kind k = kind_of(s, m, where);
  engine& e = *engine::current();
  if (is_held_here(m)) {
    if (k == kind::checked) return EDEADLK;
    if (k == kind::normal)
      e.fail(violation::liveness,
             "lock() of a mutex that this thread holds already: it waits for itself", where);
    lock_again(m);
    return 0;
  }
  e.begin_operation("lock", m, where);
  e.await_exchange(at, 0, 1, verify::order::acquire, wait_for::mutex, where);
  hold(s, m, where, whose);
  return 0;
}

bool try_lock(session& s, pthread_mutex_t* m, const source_location& where, kind_of_lock whose) {
  const verify::location at = lock_of(s, m, where);
  const kind k = kind_of(s, m, where);
  engine& e = *engine::current();
  if (is_held_here(m)) {
    require_may_try_again(k, whose, where);
    if (k == kind::recursive) lock_again(m);
    return k == kind::recursive;
  }
  e.begin_operation("try_lock", m, where);
  e.is_lock(at, verify::lock_kind::mutex);
  const bool locked = e.compare_exchange(word(at), 0, 1, false, verify::order::acquire,
                                         verify::order::relaxed, where)
                          .success;
  if (locked) hold(s, m, where, whose);
  return locked;
}

// std::lock(): waits for one of the mutexes while it holds none, and tries the others. If one of
// these is held, it unlocks all that it has locked, and waits for that one. This could go on for
// ever. One repetition is explored: a second one only shows whether the thread waits for ever.
void lock_all(session& s, std::span<pthread_mutex_t* const> all, const source_location& where) {
  std::size_t first = 0;
  for (unsigned turn = 0;; ++turn) {
    lock(s, all[first], where, kind_of_lock::standard);
    if (turn == 2) engine::current()->give_up();
    std::size_t held = 1;
    const auto at = [&](std::size_t i) { return all[(first + i) % all.size()]; };
    while (held < all.size() && try_lock(s, at(held), where, kind_of_lock::standard)) ++held;
    if (held == all.size()) return;
    const std::size_t failed = (first + held) % all.size();
    while (held != 0) unlock(s, at(--held), where);
    first = failed;
  }
}

int unlock(session& s, pthread_mutex_t* m, const source_location& where) {
  const verify::location at = lock_of(s, m, where);
  engine& e = *engine::current();
  if (!is_held_here(m)) {
    if (kind_of(s, m, where) == kind::checked) return EPERM;
    e.fail(violation::misuse, "unlock() of a mutex that this thread does not hold", where);
  }
  if (--m->__data.__count != 0) return 0;
  m->__data.__owner = 0;
  s.locks().remove(m);
  e.begin_operation("unlock", m, where);
  e.store(word(at), 0, verify::order::release, where);
  return 0;
}

void destroy(session& s, pthread_mutex_t* m, const source_location& where) {
  const auto at = lock_of(s, m, where);
  if (engine::current()->known(at) != 0)
    engine::current()->fail(violation::misuse, "a mutex is destroyed while it is locked", where);
  destroy(s, m, sizeof(pthread_mutex_t), where);
}

int lock_until(session& s, pthread_mutex_t* m, clockid_t clock, const timespec* then,
               const source_location& where, kind_of_lock whose) {
  const nanoseconds how_long = until(s, clock, read_value(s, then, where));
  if (how_long <= 0) return try_lock(s, m, where, whose) ? 0 : ETIMEDOUT;
  const verify::location at = lock_of(s, m, where);
  const kind k = kind_of(s, m, where);
  engine& e = *engine::current();
  if (is_held_here(m)) {
    if (k == kind::checked) return EDEADLK;
    if (try_lock(s, m, where, whose)) return 0;
    s.library().let_pass(how_long);
    return ETIMEDOUT;
  }
  e.begin_operation("lock", m, where);
  if (by_chance(verify::budget::timeout, where)) {
    // The wait times out if another thread holds the mutex. Otherwise the execution is the same as
    // one without a time-out.
    if (e.compare_exchange(word(at), 0, 1, false, verify::order::acquire, verify::order::relaxed,
                           where)
            .success)
      e.give_up();
    s.library().let_pass(how_long);
    return ETIMEDOUT;
  }
  e.await_exchange(at, 0, 1, verify::order::acquire, wait_for::wake_up_or_timeout, where);
  hold(s, m, where, whose);
  return 0;
}

}  // namespace fencepost::programs

using namespace fencepost::programs;
// The C library names its parameters with reserved names.
// NOLINTBEGIN(bugprone-reserved-identifier,readability-identifier-naming,readability-inconsistent-declaration-parameter-name)
extern "C" {

int pthread_mutex_init(pthread_mutex_t* m, const pthread_mutexattr_t* attributes) noexcept {
  const entered s(m);
  if (s) {
    read_attributes(*s, attributes, FENCEPOST_CALL_SITE);
    initialize(*s, m, sizeof(pthread_mutex_t), "a mutex", s->place(FENCEPOST_CALL_SITE));
  }
  return FENCEPOST_BEHIND(pthread_mutex_init)(m, attributes);
}

int pthread_mutex_destroy(pthread_mutex_t* m) noexcept {
  const entered s(m);
  if (!s) return FENCEPOST_BEHIND(pthread_mutex_destroy)(m);
  destroy(*s, m, s->place(FENCEPOST_CALL_SITE));
  return 0;
}

int pthread_mutex_lock(pthread_mutex_t* m) noexcept {
  const entered s(m);
  if (!s) return FENCEPOST_BEHIND(pthread_mutex_lock)(m);
  return lock(*s, m, s->place(FENCEPOST_CALL_SITE));
}

int pthread_mutex_timedlock(pthread_mutex_t* m, const timespec* until) noexcept {
  const entered s(m);
  if (!s) return FENCEPOST_BEHIND(pthread_mutex_timedlock)(m, until);
  return lock_until(*s, m, CLOCK_REALTIME, until, s->place(FENCEPOST_CALL_SITE));
}

int pthread_mutex_clocklock(pthread_mutex_t* m, clockid_t clock, const timespec* until) noexcept {
  const entered s(m);
  if (!s) return FENCEPOST_BEHIND(pthread_mutex_clocklock)(m, clock, until);
  return lock_until(*s, m, clock, until, s->place(FENCEPOST_CALL_SITE));
}

int pthread_mutex_trylock(pthread_mutex_t* m) noexcept {
  const entered s(m);
  if (!s) return FENCEPOST_BEHIND(pthread_mutex_trylock)(m);
  return try_lock(*s, m, s->place(FENCEPOST_CALL_SITE)) ? 0 : EBUSY;
}

// For std::lock (std/mutex).
void __fencepost_lock_all(pthread_mutex_t* const* all, unsigned count) noexcept {
  if (const entered s; s) lock_all(*s, {all, count}, s->place(FENCEPOST_CALL_SITE));
}

int pthread_mutex_unlock(pthread_mutex_t* m) noexcept {
  const entered s(m);
  if (!s) return FENCEPOST_BEHIND(pthread_mutex_unlock)(m);
  return unlock(*s, m, s->place(FENCEPOST_CALL_SITE));
}

}  // extern "C"
// NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming,readability-inconsistent-declaration-parameter-name)
