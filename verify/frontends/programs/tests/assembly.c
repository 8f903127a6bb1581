/* Atomic instructions in assembly code, which no hook tells of; and another one. */
#include <stdatomic.h>

static atomic_int ready;
static long count;
static int word;

#define APART __attribute__((noinline)) static

#ifdef __aarch64__
APART void add(long* p) {
  long sum = 0;
  int failed = 0;
  __asm__ volatile("1: ldxr %0, %2\n add %0, %0, 1\n stxr %w1, %0, %2\n cbnz %w1, 1b"
                   : "=&r"(sum), "=&r"(failed), "+Q"(*p));
}
APART int swap(int* p, int v) {
  __asm__ volatile(".arch armv8.1-a\n swp %w0, %w0, %1" : "+r"(v), "+Q"(*p));
  return v;
}
APART void fence(void) { __asm__ volatile("dmb ish" ::: "memory"); }
static void wait_a_little(void) { __asm__ volatile("yield" ::: "memory"); }
#else
APART void add(long* p) { __asm__ volatile("lock incq (%0)" : : "r"(p) : "memory"); }
APART int swap(int* p, int v) {
  __asm__ volatile("xchgl %0, (%1)" : "+r"(v) : "r"(p) : "memory");
  return v;
}
APART void fence(void) { __asm__ volatile("mfence" ::: "memory"); }
static void wait_a_little(void) { __asm__ volatile("pause" ::: "memory"); }
#endif

int main(void) {
  add(&count);
  atomic_store(&ready, swap(&word, 1));
  fence();
  wait_a_little();
  return 0;
}
