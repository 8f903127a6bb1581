// Structures that functions return or that are passed by value; the first argument names the case.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#ifdef __x86_64__
#include <immintrin.h>
#endif

struct point {
  long x, y, z;
};
static struct point shared;
static struct point made(long x) {
  struct point p = {x, 2, 3};
  return p;
}
static long taken(struct point p) { return p.x; }

// Whose size is known only at run time.
static void* copied_of_any_size(void* unused) {
  const int size = unused == NULL ? sizeof shared : 1;
  struct bytes {
    char all[size];
  };
  struct bytes* copy = malloc(sizeof *copy);
  *copy = *(struct bytes*)&shared;
  if (copy->all[0] > 1) abort();
  free(copy);
  return unused;
}
// Such a structure that is passed by value is not announced.
static long first(int unused, ...) { return unused; }
static long of_any_size(int n) {
  struct row {
    long all[n];
  };
  struct row* row = calloc(1, sizeof *row);
  const long is = first(n, *row);
  free(row);
  return is;
}

static void* returned(void* unused) {
  shared = made(1);
  return unused;
}
static void* passed(void* unused) {
  if (taken(shared) > 1) abort();
  return unused;
}
static void* member_of_what_is_returned(void* unused) {
  shared.x = made(1).x;
  return unused;
}

// Assembly code that accesses what it names as its operands.
static void* written_by_assembly(void* unused) {
#ifdef __x86_64__
  long* const to = &shared.x;
  __asm__ volatile("movq $1, %0" : "=m"(*to));
#else
  shared.x = 1;
#endif
  return unused;
}
static void* read_by_assembly(void* unused) {
#ifdef __x86_64__
  long is;
  __asm__ volatile("movq %1, %0" : "=r"(is) : "m"(shared.x));
  if (is > 1) abort();
#else
  if (shared.x > 1) abort();
#endif
  return unused;
}
static void* beside_by_assembly(void* unused) {
#ifdef __x86_64__
  __asm__ volatile("incq %0" : "+m"(shared.y));
  assert(shared.y == 1);
#endif
  return unused;
}
// Intrinsic functions, and what their arguments point to.
static void* written_by_a_function(void* unused) {
#ifdef __x86_64__
  unsigned long long sum;
  _addcarry_u64(0, 1, 2, &sum);
  assert(sum == 3);
  _addcarry_u64(0, 1, 0, (unsigned long long*)&shared.x);
#else
  shared.x = 1;
#endif
  return unused;
}
static void* read_by_a_function(void* unused) {
#ifdef __x86_64__
  const __m128d is = _mm_loadl_pd(_mm_setzero_pd(), (const double*)&shared.x);
  if (_mm_cvtsd_f64(is) > 1) abort();
#else
  if (shared.x > 1) abort();
#endif
  return unused;
}
static double constant = 1; /* both threads read it */
static void* read_beside_by_a_function(void* unused) {
#ifdef __x86_64__
  const __m128d is = _mm_loadl_pd(_mm_setzero_pd(), &constant);
  assert(_mm_cvtsd_f64(is) == 1);
#endif
  return unused;
}
static void* beside_by_a_function(void* unused) {
#ifdef __x86_64__
  _addcarry_u64(0, 1, 0, (unsigned long long*)&shared.y);
  assert(shared.y == 1);
  _mm_clflush(&shared.x);
#endif
  return unused;
}
static void* named_by_no_instruction(void* unused) {
  __asm__ volatile("" : "+m"(shared.x));
  return unused;
}

int main(int argc, char** argv) {
  pthread_t other;
  void* (*body)(void*) = 0;
  if (argc < 2) return 9;
  assert(of_any_size(2) == 2);
  if (strcmp(argv[1], "returned") == 0) body = returned;
  if (strcmp(argv[1], "passed") == 0) body = passed;
  if (strcmp(argv[1], "member") == 0) body = member_of_what_is_returned;
  if (strcmp(argv[1], "copied_of_any_size") == 0) body = copied_of_any_size;
  if (strcmp(argv[1], "written_by_assembly") == 0) body = written_by_assembly;
  if (strcmp(argv[1], "read_by_assembly") == 0) body = read_by_assembly;
  if (strcmp(argv[1], "beside_by_assembly") == 0) body = beside_by_assembly;
  if (strcmp(argv[1], "written_by_a_function") == 0) body = written_by_a_function;
  if (strcmp(argv[1], "read_by_a_function") == 0) body = read_by_a_function;
  if (strcmp(argv[1], "read_beside_by_a_function") == 0) body = read_beside_by_a_function;
  if (strcmp(argv[1], "beside_by_a_function") == 0) body = beside_by_a_function;
  if (strcmp(argv[1], "named_by_no_instruction") == 0) body = named_by_no_instruction;
  if (body == 0) return 8;
  pthread_create(&other, 0, body, 0);
  shared.x = 1;
  assert(constant == 1);
  pthread_join(other, 0);
  assert(shared.x < 2);
  return 0;
}
