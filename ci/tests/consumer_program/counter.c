// Threads count, under a lock or without: counter --threads|--unlocked N.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int count;
static int locked;

static void *add(void *unused) {
  if (locked) pthread_mutex_lock(&lock);
  ++count;
  if (locked) pthread_mutex_unlock(&lock);
  return unused;
}

int main(int argc, char **argv) {
  pthread_t threads[4];
  if (argc != 3) return 2;
  const int n = atoi(argv[2]);
  locked = strcmp(argv[1], "--threads") == 0;
  for (int i = 0; i < n; ++i) pthread_create(&threads[i], NULL, add, NULL);
  for (int i = 0; i < n; ++i) pthread_join(threads[i], NULL);
  assert(count == n);
  return 0;
}
