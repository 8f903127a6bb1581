/* Atomic instructions in assembly code, which no hook tells of; and another one. */
#include <stdatomic.h>

static atomic_int ready;
static long count;
static int word;

#define APART __attribute__((noinline)) static

APART void add(long* p) { __asm__ volatile("lock incq %0" : "+m"(*p)); }
APART int swap(int* p, int v) {
  __asm__ volatile("xchgl %0, %1" : "+r"(v), "+m"(*p));
  return v;
}
static void wait_a_little(void) { __asm__ volatile("pause" ::: "memory"); }

int main(void) {
  add(&count);
  atomic_store(&ready, swap(&word, 1));
  wait_a_little();
  return 0;
}
