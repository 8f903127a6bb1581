// Reader-writer locks of POSIX, on which std::shared_mutex is built.

#include "shared_locks.hpp"

#include <pthread.h>

#include <cerrno>
#include <cstdint>

#include "fencepost/verify/wait_queue.hpp"

namespace fencepost::programs {
namespace {

using verify::engine;
using verify::order;
using verify::value;
using verify::wait_for;
using verify::word;
using verify::detail::sleeper;

// The first word of a lock counts its readers, or has this value if a writer holds it.
constexpr value with_writer = 0xffff'ffff;

// If writers are preferred, a reader waits for a writer that waits, so threads that only read may
// wait for each other. With the other kinds of the GNU library, readers come first.
void require_kind(session& s, const void* lock, const source_location& where) {
  const auto& kind = static_cast<const pthread_rwlock_t*>(lock)->__data.__flags;
  if (kind == PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP)
    s.reach_limit("a lock of the kind PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP is not modelled",
                  where);
}

// A thread must not lock a lock of the C++ library that it holds already, in whatever mode.
void require_not_held(session& s, const void* lock, const source_location& where,
                      kind_of_lock whose) {
  if (whose == kind_of_lock::standard && s.locks().kind_held_here(lock))
    engine::current()->fail(violation::misuse,
                            "a thread locks a std::shared_mutex that it holds already", where);
}

bool look_and_read(session& s, void* lock, bool& is_written, const source_location& where,
                   kind_of_lock whose) {
  const verify::location at = first_word(s, lock, where);
  require_kind(s, lock, where);
  require_not_held(s, lock, where, whose);
  engine::current()->begin_operation("lock_shared", lock, where);
  const value seen = engine::current()->load(word(at), order::relaxed, where);
  is_written = seen == with_writer;
  if (is_written || !change_word(at, seen, seen + 1, order::acquire, where)) return false;
  s.locks().add(lock, where, whose);
  return true;
}

// Locks by a single modification, which changes nothing if a writer holds the lock. A reader that
// would have to wait then is explored as one that comes later. Here it only remains to find out
// whether it waits for ever.
void wait_to_read(session& s, void* lock, const source_location& where, kind_of_lock whose) {
  engine& e = *engine::current();
  const verify::location at = first_word(s, lock, where);
  require_kind(s, lock, where);
  require_not_held(s, lock, where, whose);
  e.is_lock(at, verify::lock_kind::shared_mutex);
  e.begin_operation("lock_shared", lock, where);
  const value seen = e.read_modify_write(
      word(at), verify::operation::custom, 0, sizeof(std::uint32_t), order::acquire, where,
      [](value readers, value) { return readers == with_writer ? with_writer : readers + 1; });
  if (seen == with_writer) {
    const verify::location flag = e.declare_hidden(where);
    s.locks().keep_out(lock, flag);
    e.await(flag, 1, order::relaxed, wait_for::mutex, where);
    e.give_up();
  }
  s.locks().add(lock, where, whose);
}

}  // namespace

bool lock_to_read(session& s, void* lock, nanoseconds left, const source_location& where,
                  kind_of_lock whose) {
  if (left == no_end) {
    wait_to_read(s, lock, where, whose);
    return true;
  }
  for (bool is_written = false; !look_and_read(s, lock, is_written, where, whose);)
    if (is_written && !wait_while(s, lock, with_writer, left, where)) return false;
  return true;
}

bool try_to_read(session& s, void* lock, const source_location& where, kind_of_lock whose) {
  for (bool is_written = false;;) {
    if (look_and_read(s, lock, is_written, where, whose)) return true;
    if (is_written) return false;
  }
}

bool try_to_write(session& s, void* lock, const source_location& where, kind_of_lock whose) {
  const verify::location at = first_word(s, lock, where);
  require_not_held(s, lock, where, whose);
  if (!change_word(at, 0, with_writer, order::acquire, where)) return false;
  s.locks().add(lock, where, whose);
  return true;
}

bool lock_to_write(session& s, void* lock, nanoseconds left, const source_location& where,
                   kind_of_lock whose) {
  engine& e = *engine::current();
  const verify::location at = first_word(s, lock, where);
  require_not_held(s, lock, where, whose);
  if (left != no_end && (left <= 0 || by_chance(verify::budget::timeout, where))) {
    const bool free = change_word(at, 0, with_writer, order::acquire, where);
    // The wait times out if another thread holds the lock. Otherwise the execution is the same as
    // one without a time-out.
    if (free && left > 0) e.give_up();
    if (free) s.locks().add(lock, where, whose);
    if (!free && left > 0) s.library().let_pass(left);
    return free;
  }
  e.begin_operation("lock", lock, where);
  e.await_exchange(at, 0, with_writer, order::acquire,
                   left == no_end ? wait_for::mutex : wait_for::wake_up_or_timeout, where);
  s.locks().add(lock, where, whose);
  return true;
}

void unlock_shared_lock(session& s, void* lock, held_to what, const source_location& where) {
  engine& e = *engine::current();
  const verify::location at = first_word(s, lock, where);
  e.begin_operation("unlock", lock, where);
  const value seen = e.known(at);  // a holder knows whether it reads or writes
  if (!s.locks().remove(lock))
    e.fail(violation::misuse,
           seen == 0 ? "unlock() of a lock that nobody holds"
                     : "unlock() of a lock that this thread does not hold",
           where);
  if (what == held_to::write && seen != with_writer)
    e.fail(violation::misuse, "unlock() of a std::shared_mutex that this thread holds to read",
           where);
  if (what == held_to::read && seen == with_writer)
    e.fail(violation::misuse,
           "unlock_shared() of a std::shared_mutex that this thread holds to write", where);
  if (seen != with_writer) {
    e.read_modify_write(word(at), verify::operation::subtract, 1, sizeof(std::uint32_t),
                        order::release, where);
    return;
  }
  // A modification reads the last value, so all readers that were kept out are known.
  e.read_modify_write(word(at), verify::operation::exchange, 0, sizeof(std::uint32_t),
                      order::release, where);
  kept_words flags(s.kept_by_thread());
  s.locks().let_in(lock, [&](verify::location flag) { flags.add(flag); });
  for (std::size_t i = 0; i < flags.size(); ++i)
    e.store(word(static_cast<verify::location>(flags[i])), 1, order::relaxed, where);
  verify::detail::wake(lock, sleeper::atomic, verify::detail::all_of_them, where);
}

}  // namespace fencepost::programs

using namespace fencepost::programs;

// The C library names its parameters with reserved names.
// NOLINTBEGIN(readability-inconsistent-declaration-parameter-name,cppcoreguidelines-macro-usage)
extern "C" {

int pthread_rwlock_init(pthread_rwlock_t* l, const pthread_rwlockattr_t* attributes) noexcept {
  FENCEPOST_ENTER(pthread_rwlock_init, l, l, attributes);
  read_attributes(*s, attributes, FENCEPOST_CALL_SITE);
  initialize(*s, l, sizeof *l, "a lock", where);
  return FENCEPOST_BEHIND(pthread_rwlock_init)(l, attributes);
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
  lock_to_read(*s, l, no_end, where, kind_of_lock::posix);
  return 0;
}

int pthread_rwlock_tryrdlock(pthread_rwlock_t* l) noexcept {
  FENCEPOST_ENTER(pthread_rwlock_tryrdlock, l, l);
  return try_to_read(*s, l, where, kind_of_lock::posix) ? 0 : EBUSY;
}

int pthread_rwlock_wrlock(pthread_rwlock_t* l) noexcept {
  FENCEPOST_ENTER(pthread_rwlock_wrlock, l, l);
  lock_to_write(*s, l, no_end, where, kind_of_lock::posix);
  return 0;
}

int pthread_rwlock_clockrdlock(pthread_rwlock_t* l, clockid_t clock,
                               const timespec* then) noexcept {
  FENCEPOST_ENTER(pthread_rwlock_clockrdlock, l, l, clock, then);
  return lock_to_read(*s, l, left_until(*s, {clock, then}, where), where, kind_of_lock::posix)
             ? 0
             : ETIMEDOUT;
}

int pthread_rwlock_timedrdlock(pthread_rwlock_t* l, const timespec* then) noexcept {
  FENCEPOST_ENTER(pthread_rwlock_timedrdlock, l, l, then);
  return lock_to_read(*s, l, left_until(*s, {CLOCK_REALTIME, then}, where), where,
                      kind_of_lock::posix)
             ? 0
             : ETIMEDOUT;
}

int pthread_rwlock_clockwrlock(pthread_rwlock_t* l, clockid_t clock,
                               const timespec* then) noexcept {
  FENCEPOST_ENTER(pthread_rwlock_clockwrlock, l, l, clock, then);
  return lock_to_write(*s, l, left_until(*s, {clock, then}, where), where, kind_of_lock::posix)
             ? 0
             : ETIMEDOUT;
}

int pthread_rwlock_timedwrlock(pthread_rwlock_t* l, const timespec* then) noexcept {
  FENCEPOST_ENTER(pthread_rwlock_timedwrlock, l, l, then);
  return lock_to_write(*s, l, left_until(*s, {CLOCK_REALTIME, then}, where), where,
                       kind_of_lock::posix)
             ? 0
             : ETIMEDOUT;
}

int pthread_rwlock_trywrlock(pthread_rwlock_t* l) noexcept {
  FENCEPOST_ENTER(pthread_rwlock_trywrlock, l, l);
  return try_to_write(*s, l, where, kind_of_lock::posix) ? 0 : EBUSY;
}

int pthread_rwlock_unlock(pthread_rwlock_t* l) noexcept {
  FENCEPOST_ENTER(pthread_rwlock_unlock, l, l);
  unlock_shared_lock(*s, l, held_to::either, where);
  return 0;
}

}  // extern "C"
// NOLINTEND(readability-inconsistent-declaration-parameter-name,cppcoreguidelines-macro-usage)
