// Nested functions of GNU C: their addresses point to code on the stack.
#include <assert.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "named_call.h"

static void run_beside_itself(void* (*function)(void*)) {
  pthread_t other;
  assert(pthread_create(&other, NULL, function, NULL) == 0);
  function(NULL);
  assert(pthread_join(other, NULL) == 0);
}

static void counts_locked(void) {
  int count = 0;
  pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  void* add(void* unused) {
    pthread_mutex_lock(&lock);
    ++count;
    pthread_mutex_unlock(&lock);
    return unused;
  }
  run_beside_itself(add);
  assert(count == 2);
}
static void counts_unlocked(void) {
  int count = 0;
  void* add(void* unused) {
    ++count;
    return unused;
  }
  run_beside_itself(add);
}
static void counts_by_address_unlocked(void) {
  int count = 0;
  int* at = &count;
  void* add(void* unused) {
    ++*at;
    return unused;
  }
  run_beside_itself(add);
}
static void changes_what_is_nested_deeper(void) {
  int count = 0;
  void run(void) {
    void* add(void* unused) {
      ++count;
      return unused;
    }
    pthread_t other;
    pthread_create(&other, NULL, add, NULL);
    ++count;
    pthread_join(other, NULL);
  }
  run();
}
static void reads_what_is_nested(void) {
  int count = 0;
  void* add(void* unused) {
    count = 1;
    return unused;
  }
  pthread_t other;
  pthread_create(&other, NULL, add, NULL);
  assert(count < 2);
  pthread_join(other, NULL);
}
// The code is on the stack of a thread that main() has created.
static void* counts_in_thread(void* unused) {
  counts_locked();
  return unused;
}
static void counts_in_a_thread(void) {
  pthread_t counts;
  assert(pthread_create(&counts, NULL, counts_in_thread, NULL) == 0);
  assert(pthread_join(counts, NULL) == 0);
}
// Its executions resume where they differ from the one before.
static void adds_twice(void) {
  atomic_int x = 0;
  int in_order = 1;
  void* add(void* unused) {
    for (int i = 0; i < 2; ++i) atomic_fetch_add(&x, 1);
    return unused;
  }
  int falling(const void* a, const void* b) {
    const int order = *(const int*)b - *(const int*)a;
    return in_order ? order : -order;
  }
  run_beside_itself(add);
  int both[] = {1, atomic_load(&x)};
  qsort(both, 2, sizeof *both, falling);
  assert(both[0] == 4);
}

static const struct named_call all[] = {
    NAMED(counts_locked, NULL),
    NAMED(counts_unlocked, NULL),
    NAMED(counts_by_address_unlocked, NULL),
    NAMED(changes_what_is_nested_deeper, NULL),
    NAMED(reads_what_is_nested, NULL),
    NAMED(counts_in_a_thread, NULL),
    NAMED(adds_twice, NULL),
};

int main(int argc, char** argv) { return run_named(all, sizeof all / sizeof *all, argc, argv); }
