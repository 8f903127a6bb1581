// The same in C: stdatomic.h and pthreads.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

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
static void* twelve(void* at) { return (char*)at + 12; }

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
    default: return 8;
  }
}
