// <threads.h>

#include <threads.h>

#include <cstdint>
#include <cstring>
#include <ctime>

#include "c_library.hpp"
#include "fencepost/verify/wait_queue.hpp"
#include "posix_conditions.hpp"
#include "posix_mutexes.hpp"
#include "posix_objects.hpp"
#include "program_memory.hpp"
#include "session.hpp"
#include "threads.hpp"

using namespace fencepost::programs;

namespace {

pthread_mutex_t* as_posix(mtx_t* m) { return reinterpret_cast<pthread_mutex_t*>(m); }
pthread_cond_t* as_posix(cnd_t* c) { return reinterpret_cast<pthread_cond_t*>(c); }

static_assert(sizeof(mtx_t) == sizeof(pthread_mutex_t) && sizeof(cnd_t) == sizeof(pthread_cond_t));
static_assert(sizeof(thrd_t) == sizeof(pthread_t));

// Whether the mutex was initialized with mtx_timed: in a word that the C library does not use here.
unsigned& supports_timeouts(mtx_t* m) { return as_posix(m)->__data.__nusers; }

}  // namespace

// The C library names its parameters with reserved names.
// NOLINTBEGIN(readability-inconsistent-declaration-parameter-name)
extern "C" {

int thrd_create(thrd_t* thread, thrd_start_t function, void* argument) {
  const entered s;
  if (!s) return FENCEPOST_BEHIND(thrd_create)(thread, function, argument);
  const fencepost::source_location where = s->place(FENCEPOST_CALL_SITE);
  const pthread_t made = create_thread(*s, {nullptr, function, argument}, where);
  write_value(*s, thread, made, where);
  return thrd_success;
}

int thrd_join(thrd_t thread, int* result) {
  const entered s;
  if (!s) return FENCEPOST_BEHIND(thrd_join)(thread, result);
  const fencepost::source_location where = s->place(FENCEPOST_CALL_SITE);
  void* const returned = join_thread(*s, thread, where);
  if (result == nullptr) return thrd_success;
  write_value(*s, result, static_cast<int>(reinterpret_cast<std::intptr_t>(returned)), where);
  return thrd_success;
}

int thrd_detach(thrd_t thread) {
  const entered s;
  if (!s) return FENCEPOST_BEHIND(thrd_detach)(thread);
  detach_thread(*s, thread, s->place(FENCEPOST_CALL_SITE));
  return thrd_success;
}

thrd_t thrd_current() {
  const entered s;
  return s ? this_thread() : FENCEPOST_BEHIND(thrd_current)();
}

int mtx_init(mtx_t* m, int type) {
  const entered s(m);
  if (!s) return FENCEPOST_BEHIND(mtx_init)(m, type);
  initialize(*s, m, sizeof *m, "a mutex", s->place(FENCEPOST_CALL_SITE));
  std::memset(m, 0, sizeof *m);
  as_posix(m)->__data.__kind =
      (type & mtx_recursive) != 0 ? PTHREAD_MUTEX_RECURSIVE : PTHREAD_MUTEX_NORMAL;
  supports_timeouts(m) = (type & mtx_timed) != 0 ? 1 : 0;
  return thrd_success;
}

void mtx_destroy(mtx_t* m) {
  const entered s(m);
  if (!s) return FENCEPOST_BEHIND(mtx_destroy)(m);
  destroy(*s, as_posix(m), s->place(FENCEPOST_CALL_SITE));
}

int mtx_lock(mtx_t* m) {
  const entered s(m);
  if (!s) return FENCEPOST_BEHIND(mtx_lock)(m);
  lock(*s, as_posix(m), s->place(FENCEPOST_CALL_SITE));
  return thrd_success;
}

int mtx_trylock(mtx_t* m) {
  const entered s(m);
  if (!s) return FENCEPOST_BEHIND(mtx_trylock)(m);
  return try_lock(*s, as_posix(m), s->place(FENCEPOST_CALL_SITE)) ? thrd_success : thrd_busy;
}

int mtx_unlock(mtx_t* m) {
  const entered s(m);
  if (!s) return FENCEPOST_BEHIND(mtx_unlock)(m);
  unlock(*s, as_posix(m), s->place(FENCEPOST_CALL_SITE));
  return thrd_success;
}

int cnd_init(cnd_t* c) {
  const entered s(c);
  if (!s) return FENCEPOST_BEHIND(cnd_init)(c);
  initialize(*s, c, sizeof *c, "a condition variable", s->place(FENCEPOST_CALL_SITE));
  std::memset(c, 0, sizeof *c);
  return thrd_success;
}

void cnd_destroy(cnd_t* c) {
  const entered s(c);
  if (!s) return FENCEPOST_BEHIND(cnd_destroy)(c);
  destroy(*s, as_posix(c), s->place(FENCEPOST_CALL_SITE));
}

int cnd_wait(cnd_t* c, mtx_t* m) {
  const entered s(c);
  if (!s) return FENCEPOST_BEHIND(cnd_wait)(c, m);
  wait(*s, as_posix(c), as_posix(m), s->place(FENCEPOST_CALL_SITE));
  return thrd_success;
}

int cnd_signal(cnd_t* c) {
  const entered s(c);
  if (!s) return FENCEPOST_BEHIND(cnd_signal)(c);
  notify(*s, as_posix(c), 1, s->place(FENCEPOST_CALL_SITE));
  return thrd_success;
}

int cnd_broadcast(cnd_t* c) {
  const entered s(c);
  if (!s) return FENCEPOST_BEHIND(cnd_broadcast)(c);
  notify(*s, as_posix(c), fencepost::verify::detail::all_of_them, s->place(FENCEPOST_CALL_SITE));
  return thrd_success;
}

int mtx_timedlock(mtx_t* m, const timespec* until) {
  const entered s(m);
  if (!s) return FENCEPOST_BEHIND(mtx_timedlock)(m, until);
  const fencepost::source_location where = s->place(FENCEPOST_CALL_SITE);
  word_of(*s, m, "a mutex", where);
  if (supports_timeouts(m) == 0)
    fencepost::verify::engine::current()->fail(
        fencepost::violation::misuse,
        "mtx_timedlock() of a mutex that was initialized without mtx_timed", where);
  return lock_until(*s, as_posix(m), CLOCK_REALTIME, until, where) == 0 ? thrd_success
                                                                        : thrd_timedout;
}

int cnd_timedwait(cnd_t* c, mtx_t* m, const timespec* until) {
  const entered s(c);
  if (!s) return FENCEPOST_BEHIND(cnd_timedwait)(c, m, until);
  const fencepost::source_location where = s->place(FENCEPOST_CALL_SITE);
  const bool woken = wait_until(*s, as_posix(c), as_posix(m), CLOCK_REALTIME, until, where);
  return woken ? thrd_success : thrd_timedout;
}

}  // extern "C"
// NOLINTEND(readability-inconsistent-declaration-parameter-name)
