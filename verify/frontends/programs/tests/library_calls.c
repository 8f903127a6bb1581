// Functions of the C library that ordinary programs call. The first argument names the call; with a
// second one, another thread writes what the call reads, or reads what it writes.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/sysinfo.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "named_call.h"

// As the headers of glibc 2.38 and later declare them.
long __isoc23_strtol(const char*, char**, int);
unsigned long long __isoc23_strtoull(const char*, char**, int);

static int numbers[6] = {5, 2, 6, 1, 4, 3};
static struct {
  char key;
  char rest[300];
} large[5];
static char text[16] = "12x";
static struct timeval now;

// Optimization keeps this read, although its value is unused.
#define READ(what) ((void)*(volatile const __typeof__(what)*)&(what))

static int compare_numbers(const void* a, const void* b) {
  return *(const int*)a - *(const int*)b;
}
static int compare_large(const void* a, const void* b) {
  return *(const char*)a - *(const char*)b;
}

static void sorts(void) {
  qsort(numbers, 6, sizeof *numbers, compare_numbers);
  for (int i = 0; i < 6; ++i) assert(numbers[i] == i + 1);
  qsort(numbers, 1, sizeof *numbers, compare_numbers);
  qsort(numbers, 0, sizeof *numbers, compare_numbers);
}
static void change_number(void) { ++numbers[3]; }
static void read_number(void) { READ(numbers[5]); }

static void sorts_large(void) {
  for (int i = 0; i < 5; ++i) {
    large[i].key = (char)(i * 3 % 5);
    memset(large[i].rest, large[i].key, sizeof large[i].rest);
  }
  qsort(large, 5, sizeof *large, compare_large);
  for (int i = 0; i < 5; ++i)
    for (int k = 0; k < 300; ++k) assert(large[i].key == i && large[i].rest[k] == i);
}
static void read_large(void) { READ(large[4].rest[299]); }

static void searches(void) {
  for (int i = 0; i < 6; ++i) numbers[i] = 2 * i;
  for (int key = -1; key < 12; ++key) {
    const int* const found = bsearch(&key, numbers, 6, sizeof *numbers, compare_numbers);
    assert(key >= 0 && key % 2 == 0 ? found == numbers + key / 2 : found == NULL);
  }
}

static void duplicates(void) {
  char* const whole = strdup(text);
  char* const part = strndup(text, 2);
  char* const longer = strndup(text, 100);
  assert(strcmp(whole, "12x") == 0 && strcmp(part, "12") == 0 && strcmp(longer, "12x") == 0);
  free(whole);
  free(part);
  free(longer);
}
static void change_text(void) { text[2] = 'y'; }
static void change_number_in_text(void) { text[1] = '3'; }

static void reads_numbers(void) {
  char* end = NULL;
  assert(atol("-7 ") == -7 && atoll("8") == 8 && strtol("0x10", NULL, 0) == 16);
  assert(__isoc23_strtoull("77", &end, 8) == 63 && *end == 0 && strtold("2.5", NULL) == 2.5);
  errno = 0;
  assert(strtol("99999999999999999999", NULL, 10) == LONG_MAX && errno == ERANGE);
}
static void reads_atoi(void) { assert(atoi(text) == 12); }
static void reads_atof(void) { assert(atof(text) == 12); }
static void reads_for_c23(void) {
  char* end = NULL;
  assert(__isoc23_strtol(text, &end, 10) == 12 && end == text + 2);
}

static void looks_at_clocks(void) {
  const clock_t began = clock();
  gettimeofday(&now, NULL);
  assert(now.tv_sec > 1600000000 && now.tv_usec >= 0 && now.tv_usec < 1000000);
  struct timespec other;
  clock_gettime(CLOCK_REALTIME, &other);
  assert(other.tv_sec >= now.tv_sec && clock() >= began && began >= 0);
  assert(difftime(other.tv_sec, now.tv_sec) >= 0);
}
static void read_time(void) { READ(now.tv_sec); }

static void asks_the_system(void) {
  const char* const path = getenv("PATH");
  assert(path != NULL && *path != 0 && getenv("NO_SUCH_VARIABLE") == NULL);
  assert(getenv("FENCEPOST_CHECK") == NULL && secure_getenv("FENCEPOST_CHECK") == NULL);
  assert(getpid() > 0 && sysconf(_SC_PAGESIZE) >= 4096);
  assert(sysconf(_SC_NPROCESSORS_ONLN) == 2 && get_nprocs() == 2);
  assert(pthread_setname_np(pthread_self(), "main") == 0);
  assert(pthread_setname_np(pthread_self(), "longer than it may be") == ERANGE);
  assert(gettid() == getpid() && syscall(SYS_getpid) == getpid());
  assert(syscall(SYS_gettid) == gettid());
}
static void is_another(void) {
  assert(gettid() != getpid() && syscall(SYS_gettid) == gettid());
  assert(syscall(SYS_getpid) == getpid());
}
static void asks_for_text(void) { assert(getenv(text) == NULL); }

static const struct named_call all[] = {{"sorts", sorts, change_number},
           {"sorts_what_is_read", sorts, read_number},
           {"sorts_large", sorts_large, read_large},
           {"searches", searches, change_number},
           {"duplicates", duplicates, change_text},
           {"reads_numbers", reads_numbers, change_text},
           {"reads_atoi", reads_atoi, change_number_in_text},
           {"reads_atof", reads_atof, change_number_in_text},
           {"reads_for_c23", reads_for_c23, change_number_in_text},
           {"looks_at_clocks", looks_at_clocks, read_time},
           {"asks_the_system", asks_the_system, is_another},
           {"asks_for_text", asks_for_text, change_text}};

int main(int argc, char** argv) {
  return run_named(all, sizeof all / sizeof *all, argc, argv);
}
