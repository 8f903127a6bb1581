// Features of C: stdatomic.h, pthreads and threads.h.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <threads.h>

static atomic_int x;
static _Atomic short narrow;
static atomic_flag flag = ATOMIC_FLAG_INIT;
static int plain;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

static void both(void* (*first)(void*), void* (*second)(void*), void* argument) {
  pthread_t a, b;
  assert(pthread_create(&a, NULL, first, argument) == 0);
  assert(pthread_create(&b, NULL, second, argument) == 0);
  assert(pthread_join(a, NULL) == 0);
  assert(pthread_join(b, NULL) == 0);
}

static void* add(void* unused) {
  ++x;
  narrow *= 3;  // a loop of compare-exchanges
  return unused;
}
static void* spin(void* unused) {
  while (atomic_flag_test_and_set_explicit(&flag, memory_order_acquire)) {
  }
  ++plain;
  atomic_flag_clear_explicit(&flag, memory_order_release);
  return unused;
}
static void* broken_spin(void* unused) {
  while (atomic_flag_test_and_set_explicit(&flag, memory_order_relaxed)) {
  }
  ++plain;
  atomic_flag_clear_explicit(&flag, memory_order_release);
  return unused;
}
static void* produce(void* at) {
  pthread_mutex_lock(&lock);
  *(int*)at = 1;
  pthread_cond_broadcast(&changed);
  pthread_mutex_unlock(&lock);
  return NULL;
}
static void* consume(void* at) {
  pthread_mutex_lock(&lock);
  while (*(int*)at == 0) pthread_cond_wait(&changed, &lock);
  pthread_mutex_unlock(&lock);
  return NULL;
}
static void* initialised_mutex(void* at) {
  pthread_mutex_lock(at);
  ++plain;
  pthread_mutex_unlock(at);
  return NULL;
}

// Threads and locks of threads.h.
static mtx_t mutex;
static cnd_t condition;
static once_flag once = ONCE_FLAG_INIT;
static pthread_once_t posix_once = PTHREAD_ONCE_INIT;

static int both_of_c(int (*first)(void*), int (*second)(void*)) {
  thrd_t a, b;
  int one, two;
  assert(thrd_create(&a, first, NULL) == thrd_success);
  assert(thrd_create(&b, second, NULL) == thrd_success);
  assert(thrd_join(a, &one) == thrd_success && thrd_join(b, &two) == thrd_success);
  return one + two;
}
static int count(void* unused) {
  mtx_lock(&mutex);
  ++plain;
  mtx_unlock(&mutex);
  return unused == NULL ? -7 : 0;
}
static int count_if_free(void* unused) {
  if (mtx_trylock(&mutex) == thrd_busy) return 0;
  const int twice = mtx_trylock(&mutex);
  ++plain;
  if (twice == thrd_success) mtx_unlock(&mutex);
  mtx_unlock(&mutex);
  return unused == NULL ? twice : 0;
}
static int count_unlocked(void* unused) {
  thrd_yield();
  ++plain;
  return unused == NULL ? 0 : 1;
}
static int set(void* unused) {
  mtx_lock(&mutex);
  plain = 1;
  cnd_signal(&condition);
  mtx_unlock(&mutex);
  return unused == NULL ? 0 : 1;
}
static int await(void* unused) {
  mtx_lock(&mutex);
  while (plain == 0) cnd_wait(&condition, &mutex);
  mtx_unlock(&mutex);
  return unused == NULL ? 0 : 1;
}
static int await_at_once(void* unused) {
  mtx_lock(&mutex);
  cnd_wait(&condition, &mutex);
  mtx_unlock(&mutex);
  return unused == NULL ? 0 : 1;
}
static void make(void) { ++plain; }
static int make_once(void* unused) {
  call_once(&once, make);
  assert(plain == 1);
  return unused == NULL ? 0 : 1;
}
static int make_once_by_posix(void* unused) {
  pthread_once(&posix_once, make);
  assert(plain == 1);
  return unused == NULL ? 0 : 1;
}
static void* twelve(void* at) { return (char*)at + 12; }

void __VERIFIER_assume(int);
static void* send(void* unused) {
  atomic_store_explicit(&x, 256, memory_order_release);
  return unused;
}
static void* receive(void* only_if) {
  const int got = atomic_load_explicit(&x, memory_order_acquire);
  if (only_if != NULL) __VERIFIER_assume(got);
  assert(got == 256);
  return NULL;
}

static int is_counted_at_the_end;
static void* count_once(void* unused) {
  ++plain;
  return unused;
}
__attribute__((destructor)) static void count_at_the_end(void) {
  if (is_counted_at_the_end) ++plain;
}

int main(int argc, char** argv) {
  if (argc != 2) return 9;
  if (strlen(argv[1]) != 1) return 9;
  switch (argv[1][0]) {
    case 'a':
      narrow = 1;
      both(add, add, NULL);
      assert(x == 2 && narrow == 9);
      return 0;
    case 's': both(spin, spin, NULL); assert(plain == 2); return 0;
    case 'b': both(broken_spin, broken_spin, NULL); return 0;
    case 'c': {
      int* at = calloc(1, sizeof *at);
      both(produce, consume, at);
      free(at);
      return 0;
    }
    case 'm': {
      pthread_mutex_t* made = malloc(sizeof *made);
      pthread_mutex_init(made, NULL);
      both(initialised_mutex, initialised_mutex, made);
      pthread_mutex_destroy(made);
      free(made);
      assert(plain == 2);
      return 0;
    }
    case 'D': {
      // A detached thread cannot be joined.
      pthread_attr_t attributes;
      pthread_t t;
      assert(pthread_attr_init(&attributes) == 0);
      assert(pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED) == 0);
      pthread_create(&t, &attributes, twelve, &plain);
      pthread_attr_destroy(&attributes);
      pthread_join(t, NULL);
      return 0;
    }
    case 'd': {
      pthread_mutex_lock(&lock);
      pthread_mutex_destroy(&lock);
      return 0;
    }
    case 'r': {
      pthread_t t;
      void* result = NULL;
      pthread_create(&t, NULL, twelve, &plain);
      pthread_join(t, &result);
      assert((char*)result == (char*)&plain + 12);
      return 0;
    }
    case 'j': {
      pthread_t t;
      pthread_create(&t, NULL, twelve, &plain);
      pthread_join(t, NULL);
      pthread_join(t, NULL);
      return 0;
    }
    case 't':
      mtx_init(&mutex, mtx_plain);
      assert(both_of_c(count, count) == -14 && plain == 2);
      mtx_destroy(&mutex);
      assert(thrd_equal(thrd_current(), thrd_current()));
      return 0;
    case 'u': both_of_c(count_unlocked, count_unlocked); return 0;
    case 'v':
      mtx_init(&mutex, mtx_plain | mtx_recursive);
      assert(both_of_c(count_if_free, count_if_free) == 2 * thrd_success && plain >= 1);
      return 0;
    case 'w':
      mtx_init(&mutex, mtx_plain);
      cnd_init(&condition);
      both_of_c(set, await_at_once);
      return 0;
    case 'x':
      mtx_init(&mutex, mtx_plain);
      cnd_init(&condition);
      both_of_c(set, await);
      cnd_destroy(&condition);
      return 0;
    case 'o': both_of_c(make_once, make_once); return 0;
    case 'p': both_of_c(make_once_by_posix, make_once_by_posix); return 0;
    case 'e': both(send, receive, &x); return 0;
    case 'f': both(send, receive, NULL); return 0;
    case 'g': {
      pthread_t other;
      pthread_create(&other, NULL, count_once, NULL);
      pthread_join(other, NULL);
      is_counted_at_the_end = 1;
      return 0;
    }
    case 'h': {
      pthread_t other;
      pthread_create(&other, NULL, count_once, NULL);
      is_counted_at_the_end = 1;
      return 0;
    }
    case 'i': {
      const size_t alignment = (size_t)argc + 1;
      free(aligned_alloc(alignment, 3 * alignment));
      return 0;
    }
    default: return 8;
  }
}
