/* Replaces GenMC's header when its tests are checked as programs (ci/outside): defines what they
   use of it in terms of standard C. */
#ifndef FENCEPOST_CI_GENMC_H
#define FENCEPOST_CI_GENMC_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

/* Known to fencepost check. */
void __VERIFIER_assume(int);

typedef pthread_t __VERIFIER_thread_t;

static inline pthread_t __VERIFIER_spawn(void *(*run)(void *), void *argument) {
  pthread_t thread;
  if (pthread_create(&thread, NULL, run, argument) != 0) abort();
  return thread;
}

static inline void *__VERIFIER_join(pthread_t thread) {
  void *result;
  if (pthread_join(thread, &result) != 0) abort();
  return result;
}

/* Hints for the exploration, which do not change the meaning of the program. */
#define __VERIFIER_spawn_symmetric(run, argument, like) __VERIFIER_spawn((run), (argument))
#define __VERIFIER_join_symmetric(thread) ((void)__VERIFIER_join(thread))
#define __VERIFIER_loop_begin() ((void)0)
#define __VERIFIER_spin_start() ((void)0)
#define __VERIFIER_spin_end(again) ((void)(again))
#define __VERIFIER_local_write(statement) do { statement; } while (0)
#define __VERIFIER_final_write(statement) do { statement; } while (0)
#define __VERIFIER_helped_CAS(statement) do { statement; } while (0)
#define __VERIFIER_helping_CAS(statement) do { statement; } while (0)
#define __VERIFIER_speculative_read(expression) (expression)
#define __VERIFIER_confirming_read(expression) (expression)
#define __VERIFIER_confirming_CAS(expression) (expression)
#define __VERIFIER_final_CAS(expression) (expression)

/* Statements that only help threads that would otherwise block may be left out. */
#define __VERIFIER_optional(statement) ((void)0)

/* Hazard pointers without reclamation. */
typedef struct { void *unused; } __VERIFIER_hp_t;
#define __VERIFIER_hp_alloc() ((__VERIFIER_hp_t *)NULL)
#define __VERIFIER_hp_protect(hp, p) ((void)(hp), __atomic_load_n((void **)(p), __ATOMIC_ACQUIRE))
#define __VERIFIER_hp_clear(hp) ((void)(hp))
#define __VERIFIER_hp_free(hp) ((void)(hp))
#define __VERIFIER_hp_retire(p) ((void)(p))

#endif
