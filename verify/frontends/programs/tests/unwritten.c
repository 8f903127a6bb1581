// Objects on stacks to which nothing was written, and some that are initialized.
// The first argument names the case.
#include <alloca.h>
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

static void* add(void* to) {
  atomic_fetch_add((atomic_int*)to, 1);
  return 0;
}
static void add_in_two_threads(atomic_int* to) {
  pthread_t other;
  pthread_create(&other, 0, add, to);
  add(to);
  pthread_join(other, 0);
}

static void atomic_without_value(void) {
  atomic_int a;
  add_in_two_threads(&a);
}
static void atomic_that_is_read(void) {
  _Atomic long a;
  atomic_long* volatile p = &a;
  if (atomic_load(p) == 1) abort();
}
static void atomic_in_a_structure(void) {
  struct {
    char name[20];
    atomic_int count[2];
  } all;
  add_in_two_threads(&all.count[1]);
}
static void atomic_of_each_turn(void) {
  for (int turn = 0; turn < 2; ++turn) {
    atomic_int a;
    if (turn == 0) atomic_init(&a, 0);
    add_in_two_threads(&a);
  }
}
static void atomic_in_allocated_bytes(void) { add_in_two_threads(alloca(sizeof(atomic_int))); }
static void atomic_with_a_value(void) {
  atomic_int a = 1;
  atomic_int b;
  atomic_init(&b, 1);
  add_in_two_threads(&a);
  add_in_two_threads(&b);
  assert(a == 3 && b == 3);
}

static void lock_and_unlock(pthread_mutex_t* m) {
  pthread_mutex_lock(m);
  pthread_mutex_unlock(m);
}
static void mutex_without_value(void) {
  pthread_mutex_t m;
  lock_and_unlock(&m);
}
static void mutex_with_a_value(void) {
  pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
  lock_and_unlock(&m);
  pthread_mutex_t n;
  pthread_mutex_init(&n, 0);
  lock_and_unlock(&n);
}
static void semaphore_without_value(void) {
  sem_t s;
  sem_post(&s);
}

int main(int argc, char** argv) {
  static const struct {
    const char* name;
    void (*run)(void);
  } all[] = {{"atomic_without_value", atomic_without_value},
             {"atomic_that_is_read", atomic_that_is_read},
             {"atomic_in_a_structure", atomic_in_a_structure},
             {"atomic_of_each_turn", atomic_of_each_turn},
             {"atomic_in_allocated_bytes", atomic_in_allocated_bytes},
             {"atomic_with_a_value", atomic_with_a_value},
             {"mutex_without_value", mutex_without_value},
             {"mutex_with_a_value", mutex_with_a_value},
             {"semaphore_without_value", semaphore_without_value}};
  for (unsigned i = 0; argc > 1 && i < sizeof all / sizeof all[0]; ++i) {
    if (strcmp(argv[1], all[i].name) != 0) continue;
    all[i].run();
    return 0;
  }
  return 9;
}
