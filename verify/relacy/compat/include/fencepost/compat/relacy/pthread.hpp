// POSIX threads, semaphores and Linux's futex, as Relacy offers them. The macros at the end replace
// the functions of the same name.
#pragma once

#include <cerrno>
#include <climits>

#include "fencepost/compat/relacy/base.hpp"
#include "fencepost/compat/relacy/condition_variable.hpp"
#include "fencepost/compat/relacy/kernel_objects.hpp"
#include "fencepost/compat/relacy/mutex.hpp"
#include "fencepost/compat/relacy/thread.hpp"

// NOLINTBEGIN(readability-identifier-naming): the names are other people's.

namespace rl {

using rl_pthread_t = detail::kernel_thread*;
using rl_pthread_attr_t = void*;

inline int rl_pthread_create(rl_pthread_t* thread, const void* /*attributes*/,
                             void* (*function)(void*), void* argument, debug_info_param info) {
  *thread = detail::kernel_thread::start([function, argument] { return function(argument); }, info);
  return 0;
}
inline int rl_pthread_join(rl_pthread_t thread, void** result, debug_info_param info) {
  detail::waitable* const object = thread;
  detail::wait_for_objects(&object, 1, true, detail::waiting::for_ever, nullptr, info);
  if (result != nullptr) *result = thread->result();
  return 0;
}

using rl_sem_t = detail::late<detail::kernel_semaphore>;

namespace detail {
inline kernel_semaphore& semaphore(rl_sem_t* s, debug_info_param info) {
  return s->get(test_result_usage_of_non_initialized_semaphore, info);
}
inline int with_errno(int error) {
  if (error != 0) get_errno() = error;
  return error == 0 ? 0 : -1;
}
}  // namespace detail

inline int rl_sem_init(rl_sem_t* s, int /*shared*/, unsigned count, debug_info_param info) {
  s->begin(test_result_double_initialization_of_semaphore, info, static_cast<long>(count),
           long{INT_MAX}, info);
  return 0;
}
inline int rl_sem_destroy(rl_sem_t* s, debug_info_param info) {
  s->end(test_result_usage_of_non_initialized_semaphore, info);
  return 0;
}
inline int rl_sem_wait(rl_sem_t* s, debug_info_param info) {
  detail::waitable* const object = &detail::semaphore(s, info);
  if (detail::here().choose(2, fencepost::verify::budget::spurious_wakeup, info) == 1)
    return detail::with_errno(EINTR);
  detail::wait_for_objects(&object, 1, true, detail::waiting::for_ever, nullptr, info);
  return 0;
}
inline int rl_sem_trywait(rl_sem_t* s, debug_info_param info) {
  detail::waitable* const object = &detail::semaphore(s, info);
  const auto taken =
      detail::wait_for_objects(&object, 1, true, detail::waiting::not_at_all, nullptr, info);
  return detail::with_errno(taken == detail::wait_timed_out ? EAGAIN : 0);
}
inline int rl_sem_post(rl_sem_t* s, debug_info_param info) {
  long before = 0;
  return detail::with_errno(detail::semaphore(s, info).post(1, before, info) ? 0 : EOVERFLOW);
}
inline int rl_sem_getvalue(rl_sem_t* s, int* count, debug_info_param info) {
  *count = static_cast<int>(detail::semaphore(s, info).count(info));
  return 0;
}

enum rl_pthread_mutex_type {
  RL_PTHREAD_MUTEX_NORMAL,
  RL_PTHREAD_MUTEX_ERRORCHECK,
  RL_PTHREAD_MUTEX_RECURSIVE,
  RL_PTHREAD_MUTEX_DEFAULT = RL_PTHREAD_MUTEX_NORMAL,
};
struct rl_pthread_mutexattr_t {
  int type = RL_PTHREAD_MUTEX_DEFAULT;
};
using rl_pthread_mutex_t = detail::late<detail::basic_mutex>;

namespace detail {
inline basic_mutex& mutex_of(rl_pthread_mutex_t* m, debug_info_param info) {
  return m->get(test_result_usage_of_non_initialized_mutex, info);
}
}  // namespace detail

inline int rl_pthread_mutexattr_init(rl_pthread_mutexattr_t* a, debug_info_param) {
  *a = {};
  return 0;
}
inline int rl_pthread_mutexattr_destroy(rl_pthread_mutexattr_t*, debug_info_param) { return 0; }
inline int rl_pthread_mutexattr_settype(rl_pthread_mutexattr_t* a, int type, debug_info_param) {
  a->type = type;
  return 0;
}
inline int rl_pthread_mutex_init(rl_pthread_mutex_t* m, const rl_pthread_mutexattr_t* a,
                                 debug_info_param info) {
  m->begin(test_result_double_initialization_of_mutex, info,
           a != nullptr && a->type == RL_PTHREAD_MUTEX_RECURSIVE, info);
  return 0;
}
inline int rl_pthread_mutex_destroy(rl_pthread_mutex_t* m, debug_info_param info) {
  m->end(test_result_usage_of_non_initialized_mutex, info);
  return 0;
}
inline int rl_pthread_mutex_lock(rl_pthread_mutex_t* m, debug_info_param info) {
  detail::mutex_of(m, info).lock(info);
  return 0;
}
inline int rl_pthread_mutex_trylock(rl_pthread_mutex_t* m, debug_info_param info) {
  return detail::mutex_of(m, info).try_lock(info) ? 0 : EBUSY;
}
inline int rl_pthread_mutex_unlock(rl_pthread_mutex_t* m, debug_info_param info) {
  detail::mutex_of(m, info).unlock(info);
  return 0;
}

using rl_pthread_rwlock_t = detail::late<shared_mutex>;

namespace detail {
inline shared_mutex& mutex_of(rl_pthread_rwlock_t* m, debug_info_param info) {
  return m->get(test_result_usage_of_non_initialized_mutex, info);
}
}  // namespace detail

inline int rl_pthread_rwlock_init(rl_pthread_rwlock_t* m, const void* /*attributes*/,
                                  debug_info_param info) {
  m->begin(test_result_double_initialization_of_mutex, info, info);
  return 0;
}
inline int rl_pthread_rwlock_destroy(rl_pthread_rwlock_t* m, debug_info_param info) {
  m->end(test_result_usage_of_non_initialized_mutex, info);
  return 0;
}
inline int rl_pthread_rwlock_rdlock(rl_pthread_rwlock_t* m, debug_info_param info) {
  detail::mutex_of(m, info).lock_shared(info);
  return 0;
}
inline int rl_pthread_rwlock_tryrdlock(rl_pthread_rwlock_t* m, debug_info_param info) {
  return detail::mutex_of(m, info).try_lock_shared(info) ? 0 : EBUSY;
}
inline int rl_pthread_rwlock_wrlock(rl_pthread_rwlock_t* m, debug_info_param info) {
  detail::mutex_of(m, info).lock(info);
  return 0;
}
inline int rl_pthread_rwlock_trywrlock(rl_pthread_rwlock_t* m, debug_info_param info) {
  return detail::mutex_of(m, info).try_lock(info) ? 0 : EBUSY;
}
inline int rl_pthread_rwlock_unlock(rl_pthread_rwlock_t* m, debug_info_param info) {
  detail::mutex_of(m, info).unlock_any(info);
  return 0;
}

using rl_pthread_condattr_t = int;
using rl_pthread_cond_t = detail::late<condition_variable>;

namespace detail {
inline condition_variable& condition_of(late<condition_variable>* c, debug_info_param info) {
  return c->get(test_result_usage_of_non_initialized_condvar, info);
}
}  // namespace detail

inline int rl_pthread_cond_init(rl_pthread_cond_t* c, const void* /*attributes*/,
                                debug_info_param info) {
  c->begin(test_result_double_initialization_of_condvar, info, info);
  return 0;
}
inline int rl_pthread_cond_destroy(rl_pthread_cond_t* c, debug_info_param info) {
  c->end(test_result_usage_of_non_initialized_condvar, info);
  return 0;
}
inline int rl_pthread_cond_wait(rl_pthread_cond_t* c, rl_pthread_mutex_t* m,
                                debug_info_param info) {
  detail::condition_of(c, info).wait(detail::mutex_of(m, info), info);
  return 0;
}
inline int rl_pthread_cond_timedwait(rl_pthread_cond_t* c, rl_pthread_mutex_t* m,
                                     const void* /*until*/, debug_info_param info) {
  return detail::condition_of(c, info).wait_for(detail::mutex_of(m, info), 0, info) ? 0 : ETIMEDOUT;
}
inline int rl_pthread_cond_signal(rl_pthread_cond_t* c, debug_info_param info) {
  detail::condition_of(c, info).notify_one(info);
  return 0;
}
inline int rl_pthread_cond_broadcast(rl_pthread_cond_t* c, debug_info_param info) {
  detail::condition_of(c, info).notify_all(info);
  return 0;
}

enum rl_futex_operation { RL_FUTEX_WAIT, RL_FUTEX_WAKE };

// Returns what the system call returns, but for an error its number instead of -1.
inline int rl_futex(const atomic<int>* word, int operation, int value, const void* timeout,
                    const void* /*second*/, int /*third*/, debug_info_param info) {
  return operation == RL_FUTEX_WAIT ? detail::futex_wait(*word, value, timeout != nullptr, info)
                                    : detail::futex_wake(*word, value, info);
}

}  // namespace rl

#if !defined(FENCEPOST_RELACY_KEEP_C)
#define sched_yield() ::rl::yield(1, $)
#define pthread_yield() ::rl::yield(1, $)

#define pthread_t ::rl::rl_pthread_t
#define pthread_attr_t ::rl::rl_pthread_attr_t
#define pthread_create(thread, attributes, function, argument) \
  ::rl::rl_pthread_create(thread, attributes, function, argument, $)
#define pthread_join(thread, result) ::rl::rl_pthread_join(thread, result, $)

#define sem_t ::rl::rl_sem_t
#define sem_init(s, shared, count) ::rl::rl_sem_init(s, shared, count, $)
#define sem_destroy(s) ::rl::rl_sem_destroy(s, $)
#define sem_wait(s) ::rl::rl_sem_wait(s, $)
#define sem_trywait(s) ::rl::rl_sem_trywait(s, $)
#define sem_post(s) ::rl::rl_sem_post(s, $)
#define sem_getvalue(s, count) ::rl::rl_sem_getvalue(s, count, $)

#undef PTHREAD_MUTEX_NORMAL
#undef PTHREAD_MUTEX_ERRORCHECK
#undef PTHREAD_MUTEX_RECURSIVE
#undef PTHREAD_MUTEX_DEFAULT
#define PTHREAD_MUTEX_NORMAL ::rl::RL_PTHREAD_MUTEX_NORMAL
#define PTHREAD_MUTEX_ERRORCHECK ::rl::RL_PTHREAD_MUTEX_ERRORCHECK
#define PTHREAD_MUTEX_RECURSIVE ::rl::RL_PTHREAD_MUTEX_RECURSIVE
#define PTHREAD_MUTEX_DEFAULT ::rl::RL_PTHREAD_MUTEX_DEFAULT
#define pthread_mutexattr_t ::rl::rl_pthread_mutexattr_t
#define pthread_mutexattr_init(a) ::rl::rl_pthread_mutexattr_init(a, $)
#define pthread_mutexattr_destroy(a) ::rl::rl_pthread_mutexattr_destroy(a, $)
#define pthread_mutexattr_settype(a, type) ::rl::rl_pthread_mutexattr_settype(a, type, $)
#define pthread_mutex_t ::rl::rl_pthread_mutex_t
#define pthread_mutex_init(m, a) ::rl::rl_pthread_mutex_init(m, a, $)
#define pthread_mutex_destroy(m) ::rl::rl_pthread_mutex_destroy(m, $)
#define pthread_mutex_lock(m) ::rl::rl_pthread_mutex_lock(m, $)
#define pthread_mutex_trylock(m) ::rl::rl_pthread_mutex_trylock(m, $)
#define pthread_mutex_try_lock(m) ::rl::rl_pthread_mutex_trylock(m, $)
#define pthread_mutex_unlock(m) ::rl::rl_pthread_mutex_unlock(m, $)

#define pthread_rwlock_t ::rl::rl_pthread_rwlock_t
#define pthread_rwlock_init(m, a) ::rl::rl_pthread_rwlock_init(m, a, $)
#define pthread_rwlock_destroy(m) ::rl::rl_pthread_rwlock_destroy(m, $)
#define pthread_rwlock_rdlock(m) ::rl::rl_pthread_rwlock_rdlock(m, $)
#define pthread_rwlock_tryrdlock(m) ::rl::rl_pthread_rwlock_tryrdlock(m, $)
#define pthread_rwlock_wrlock(m) ::rl::rl_pthread_rwlock_wrlock(m, $)
#define pthread_rwlock_trywrlock(m) ::rl::rl_pthread_rwlock_trywrlock(m, $)
#define pthread_rwlock_unlock(m) ::rl::rl_pthread_rwlock_unlock(m, $)

#define pthread_cond_t ::rl::rl_pthread_cond_t
#define pthread_condattr_t ::rl::rl_pthread_condattr_t
#define pthread_cond_init(c, a) ::rl::rl_pthread_cond_init(c, a, $)
#define pthread_cond_destroy(c) ::rl::rl_pthread_cond_destroy(c, $)
#define pthread_cond_wait(c, m) ::rl::rl_pthread_cond_wait(c, m, $)
#define pthread_cond_timedwait(c, m, until) ::rl::rl_pthread_cond_timedwait(c, m, until, $)
#define pthread_cond_signal(c) ::rl::rl_pthread_cond_signal(c, $)
#define pthread_cond_broadcast(c) ::rl::rl_pthread_cond_broadcast(c, $)

#undef FUTEX_WAIT
#undef FUTEX_WAKE
#define FUTEX_WAIT ::rl::RL_FUTEX_WAIT
#define FUTEX_WAKE ::rl::RL_FUTEX_WAKE
#define futex(word, operation, value, timeout, second, third) \
  ::rl::rl_futex(word, operation, value, timeout, second, third, $)
#endif

// NOLINTEND(readability-identifier-naming)
