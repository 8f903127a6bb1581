// What is done once: the guards of local statics, and the flags of pthread_once() and call_once().
// A thread that finds it not done takes the lock of the guard or flag, and does it.

#include <cxxabi.h>
#include <pthread.h>
#include <threads.h>

#include <cstdint>

#include "c_library.hpp"
#include "session.hpp"

using fencepost::source_location;
using fencepost::programs::entered;
using fencepost::programs::session;
using fencepost::verify::engine;
using fencepost::verify::order;
using fencepost::verify::wait_for;
using fencepost::verify::word;

namespace {

// The first byte says whether it is done, the second one is the lock.
std::uint8_t* bytes_of(void* flag) { return static_cast<std::uint8_t*>(flag); }

// True if the caller is to do it, and holds the lock.
bool begin(session& s, void* flag, const source_location& where) {
  engine& e = *engine::current();
  const word done(s.atomic(bytes_of(flag), 1, where));
  const auto lock = s.atomic(bytes_of(flag) + 1, 1, where);
  if (e.load(done, order::acquire, where) != 0) return false;
  e.await_exchange(lock, 0, 1, order::acquire, wait_for::mutex, where);
  if (e.load(done, order::relaxed, where) == 0) return true;
  e.store(word(lock), 0, order::release, where);
  return false;
}

void end(session& s, void* flag, bool done, const source_location& where) {
  engine& e = *engine::current();
  if (done) e.store(word(s.atomic(bytes_of(flag), 1, where)), 1, order::release, where);
  e.store(word(s.atomic(bytes_of(flag) + 1, 1, where)), 0, order::release, where);
}

}  // namespace

// NOLINTBEGIN(bugprone-reserved-identifier,readability-identifier-naming,readability-inconsistent-declaration-parameter-name)
extern "C" {

int __cxa_guard_acquire(__cxxabiv1::__guard* guard) {
  const entered s(guard);
  if (!s) return FENCEPOST_BEHIND(__cxa_guard_acquire)(guard);
  return begin(*s, guard, s->place(FENCEPOST_CALL_SITE)) ? 1 : 0;
}

void __cxa_guard_release(__cxxabiv1::__guard* guard) noexcept {
  const entered s(guard);
  if (!s) return FENCEPOST_BEHIND(__cxa_guard_release)(guard);
  end(*s, guard, true, s->place(FENCEPOST_CALL_SITE));
}

void __cxa_guard_abort(__cxxabiv1::__guard* guard) noexcept {
  const entered s(guard);
  if (!s) return FENCEPOST_BEHIND(__cxa_guard_abort)(guard);
  end(*s, guard, false, s->place(FENCEPOST_CALL_SITE));
}

// For std::call_once (std/mutex).
bool __fencepost_begin_once(void* flag) noexcept {
  const entered s;
  return s && begin(*s, flag, s->place(FENCEPOST_CALL_SITE));
}

void __fencepost_end_once(void* flag, bool done) noexcept {
  if (const entered s; s) end(*s, flag, done, s->place(FENCEPOST_CALL_SITE));
}

// The function is the program's: no function of the runtime is active while it runs.
int pthread_once(pthread_once_t* flag, void (*function)()) {
  const fencepost::programs::call_site site = FENCEPOST_CALL_SITE;
  {
    const entered s(flag);
    if (!s) return FENCEPOST_BEHIND(pthread_once)(flag, function);
    if (!begin(*s, flag, s->place(site))) return 0;
  }
  function();
  if (const entered s; s) end(*s, flag, true, s->place(site));
  return 0;
}

void call_once(once_flag* flag, void (*function)()) { pthread_once(&flag->__data, function); }

}  // extern "C"
// NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming,readability-inconsistent-declaration-parameter-name)
