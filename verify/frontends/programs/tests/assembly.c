/* Instructions that no hook announces, in assembly code and from intrinsic functions; and one that
   accesses no memory. */
#include <stdatomic.h>
#ifdef __x86_64__
#include <emmintrin.h>
#endif

static atomic_int ready;
static long count;
static int word;
static long pair[2];
static char text[128], copied[128];
static char kept[512] __attribute__((aligned(16)));

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
APART void pass_by(long* p) { __asm__ volatile("stnp xzr, xzr, [%0]" ::"r"(p) : "memory"); }
APART void copy(char* to, const char* from) {
  (void)from;
  __asm__ volatile("dc zva, %0" ::"r"(to) : "memory");
}
APART long now(void) {
  long ticks = 0;
  __asm__ volatile("mrs %0, cntvct_el0" : "=r"(ticks));
  return ticks;
}
APART long ask(void) {
  register long number __asm__("x8") = 172;
  register long answer __asm__("x0");
  __asm__ volatile("svc #0" : "=r"(answer) : "r"(number) : "memory");
  return answer;
}
APART void keep(char* to) { (void)to; }
static void wait_a_little(void) { __asm__ volatile("yield" ::: "memory"); }
#else
APART void add(long* p) { __asm__ volatile("lock incq (%0)" : : "r"(p) : "memory"); }
APART int swap(int* p, int v) {
  __asm__ volatile("xchgl %0, (%1)" : "+r"(v) : "r"(p) : "memory");
  return v;
}
APART void fence(void) { __asm__ volatile("mfence" ::: "memory"); }
APART void pass_by(long* p) { _mm_stream_si32((int*)p, 1); }
APART void copy(char* to, const char* from) {
  unsigned long size = sizeof copied;
  __asm__ volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(size) : : "memory");
}
APART long now(void) { return (long)__builtin_ia32_rdtsc(); }
APART long ask(void) {
  long answer = 39;
  __asm__ volatile("syscall" : "+a"(answer) : : "rcx", "r11", "memory");
  return answer;
}
APART void keep(char* to) { __asm__ volatile("fxsave (%0)" : : "r"(to) : "memory"); }
static void wait_a_little(void) { __asm__ volatile("pause" ::: "memory"); }
#endif

int main(void) {
  add(&count);
  atomic_store(&ready, swap(&word, 1));
  fence();
  pass_by(pair);
  copy(copied, text);
  const struct big {
    char bytes[100];
  } one = {{1}}, another = one; /* copied by whatever the compiler chooses */
  copied[0] = another.bytes[0];
  wait_a_little();
  keep(kept);
  return now() == ask();
}
