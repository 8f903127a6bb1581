// Store buffering in a ring, for GenMC: a thread stores its own location and loads its neighbour's.
// With ACCESSES these accesses are sequentially consistent; without, a fence is between them.
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#ifdef ACCESSES
enum { order = memory_order_seq_cst };
static void fence(void) {}
#else
enum { order = memory_order_relaxed };
static void fence(void) { atomic_thread_fence(memory_order_seq_cst); }
#endif

static atomic_int own[THREADS];
static int indices[THREADS];

static void* run(void* argument) {
  const int index = *(const int*)argument;
  atomic_store_explicit(&own[index], 1, order);
  fence();
  (void)atomic_load_explicit(&own[(index + 1) % THREADS], order);
  return NULL;
}

int main(void) {
  pthread_t threads[THREADS];
  for (int i = 0; i < THREADS; ++i) {
    indices[i] = i;
    pthread_create(&threads[i], NULL, run, &indices[i]);
  }
  return 0;
}
