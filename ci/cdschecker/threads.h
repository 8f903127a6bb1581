/* Replaces CDSChecker's header when its tests are checked as programs (ci/outside): its threads
   return nothing, and thrd_join() has no parameter for a result. */
#ifndef FENCEPOST_CI_CDSCHECKER_THREADS_H
#define FENCEPOST_CI_CDSCHECKER_THREADS_H

#include <pthread.h>
#include <sched.h>

typedef void (*thrd_start_t)(void *);
typedef struct {
  pthread_t priv;
} thrd_t;

static inline int thrd_create(thrd_t *thread, thrd_start_t run, void *argument) {
  return pthread_create(&thread->priv, 0, (void *(*)(void *))run, argument);
}
static inline int thrd_join(thrd_t thread) { return pthread_join(thread.priv, 0); }
static inline void thrd_yield(void) { sched_yield(); }
static inline thrd_t thrd_current(void) {
  thrd_t self = {pthread_self()};
  return self;
}

#endif
