// Functions of the C library that scan strings, write bytes, and query attributes of POSIX objects.
// The first argument names the call; with a second one, another thread writes what the call reads,
// or reads what it writes.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <wchar.h>

#include "named_call.h"

static char text[16] = "12 some 3.5", format[16] = "%d %7s %lf", other[16], letter;
static union {
  char bytes[16];
  short shorts[8];
  long longs[2];
} sized;
static wchar_t wide[4];
static int number, second;
static double fraction;

// Optimization keeps this read, although its value is unused.
#define READ(what) ((void)*(volatile const __typeof__(what)*)&(what))

static void change_first(void) { text[0] = '3'; }
static void change_last(void) { text[10] = '6'; }
static void change_end(void) { text[11] = '!'; }
static void change_behind(void) { text[12] = '!'; }
static void change_end_of_format(void) { format[10] = '!'; }
static void read_number(void) { READ(number); }
static void read_second(void) { READ(second); }
static void read_letter(void) { READ(letter); }
static void read_fraction(void) { READ(fraction); }
static void read_other_1(void) { READ(other[1]); }
static void read_other_2(void) { READ(other[2]); }
static void read_other_3(void) { READ(other[3]); }
static void read_other_4(void) { READ(other[4]); }
static void read_other_5(void) { READ(other[5]); }
static void read_sized_1(void) { READ(sized.bytes[1]); }
static void read_sized_3(void) { READ(sized.bytes[3]); }
static void read_sized_4(void) { READ(sized.bytes[4]); }
static void read_sized_15(void) { READ(sized.bytes[15]); }
static void read_wide_1(void) { READ(wide[1]); }
static void read_wide_2(void) { READ(wide[2]); }

static void scans(void) {
  assert(sscanf(text, format, &number, other, &fraction) == 3);
  assert(number == 12 && strcmp(other, "some") == 0 && fraction == 3.5);
}
static void scans_one_of_two(void) {
  assert(sscanf("12 x", "%d %d", &number, &second) == 1 && number == 12 && second == 0);
}
static void scans_nothing(void) { assert(sscanf("", "%d%n", &number, &second) == EOF); }
static void scans_sizes(void) {
  assert(sscanf("1 2 3", "%hhd %hd %ld", (signed char*)&sized.bytes[0], &sized.shorts[1],
                &sized.longs[1]) == 3);
  assert(sized.bytes[0] == 1 && sized.shorts[1] == 2 && sized.longs[1] == 3);
}
static void scans_sets(void) {
  assert(sscanf("a]b1%", "%2[]%da]%c%*d%%%n", other, &letter, &number) == 2);
  assert(strcmp(other, "a]") == 0 && letter == 'b' && number == 5);
}
static void scans_characters(void) { assert(sscanf("abc", "%2c", other) == 1 && other[1] == 'b'); }
static void scans_wide(void) { assert(sscanf("a b", "%ls", wide) == 1 && wide[0] == L'a'); }
static void scan_list(const char* by, ...) {
  va_list arguments;
  va_start(arguments, by);
  assert(vsscanf(text, by, arguments) == 1);
  va_end(arguments);
}
static void scans_list(void) { scan_list("%d", &number); }
static void scans_allocated(void) {
  char* word = NULL;
  assert(sscanf("word", "%ms", &word) == 1);
}

static void divides(void) {
  assert(strcmp(strtok(text, " "), "12") == 0 && strcmp(strtok(NULL, " "), "some") == 0);
  assert(strcmp(strtok(NULL, " "), "3.5") == 0 && strtok(NULL, " ") == NULL);
}
static void divides_another(void) {
  char own[] = "a b";
  strtok(own, " ");
}

static void prints_the_error(void) {
  char to[64];
  errno = EAGAIN;
  assert(snprintf(to, sizeof to, "%m") == 32);
  assert(strcmp(to, "Resource temporarily unavailable") == 0);
}
static void writes(void) { assert(write(1, text, 11) == 11 && write(2, text, 11) == 11); }
static void writes_elsewhere(void) { (void)!write(77, text, 11); }
static void buffers(void) {
  setbuf(stdout, NULL);
  assert(setvbuf(stdout, NULL, _IOLBF, 100) == 0);
}
static void buffers_in_its_own(void) { setvbuf(stdout, other, _IOFBF, sizeof other); }

static pthread_attr_t of_threads;
static pthread_mutexattr_t of_mutexes;
static pthread_condattr_t of_conditions;
static pthread_rwlockattr_t of_locks;
static pthread_barrierattr_t of_barriers;

static void set_of_threads(void) { pthread_attr_setguardsize(&of_threads, 4096); }
static void set_priority(void) {
  const struct sched_param priority = {0};
  pthread_attr_setschedparam(&of_threads, &priority);
}
static void set_of_mutexes(void) { pthread_mutexattr_settype(&of_mutexes, PTHREAD_MUTEX_NORMAL); }
static void set_of_conditions(void) { pthread_condattr_setclock(&of_conditions, CLOCK_MONOTONIC); }
static void set_of_locks(void) { pthread_rwlockattr_setpshared(&of_locks, 0); }
static void end_of_barriers(void) { pthread_barrierattr_destroy(&of_barriers); }

static void* nothing(void* p) { return p; }
static void creates_a_thread(void) {
  pthread_t thread;
  assert(pthread_create(&thread, &of_threads, nothing, NULL) == 0);
  assert(pthread_join(thread, NULL) == 0);
}
static void makes_a_mutex(void) {
  pthread_mutex_t mutex;
  assert(pthread_mutex_init(&mutex, &of_mutexes) == 0);
}
static void makes_a_condition(void) {
  pthread_cond_t condition;
  assert(pthread_cond_init(&condition, &of_conditions) == 0);
}
static void makes_a_lock(void) {
  pthread_rwlock_t lock;
  assert(pthread_rwlock_init(&lock, &of_locks) == 0);
}
static void makes_a_barrier(void) {
  pthread_barrier_t barrier;
  assert(pthread_barrier_init(&barrier, &of_barriers, 2) == 0);
}
static void asks(void) {
  size_t size = 0;
  struct sched_param priority;
  assert(pthread_attr_setstacksize(&of_threads, 1 << 20) == 0);
  assert(pthread_attr_getstacksize(&of_threads, &size) == 0 && size == 1 << 20);
  assert(pthread_attr_setdetachstate(&of_threads, PTHREAD_CREATE_DETACHED) == 0);
  assert(pthread_attr_getdetachstate(&of_threads, &number) == 0);
  assert(number == PTHREAD_CREATE_DETACHED);
  assert(pthread_attr_getschedparam(&of_threads, &priority) == 0);
  assert(pthread_mutexattr_settype(&of_mutexes, PTHREAD_MUTEX_RECURSIVE) == 0);
  assert(pthread_mutexattr_gettype(&of_mutexes, &second) == 0);
  assert(second == PTHREAD_MUTEX_RECURSIVE);
}
static void asks_for_guard(void) {
  size_t size = 0;
  pthread_attr_getguardsize(&of_threads, &size);
}

static const struct named_call all[] = {
    NAMED(scans, change_first),
    NAMED(scans, change_end),
    NAMED(scans, change_behind),
    NAMED(scans, change_end_of_format),
    NAMED(scans, read_number),
    NAMED(scans, read_fraction),
    NAMED(scans, read_other_4),
    NAMED(scans, read_other_5),
    NAMED(scans_one_of_two, read_number),
    NAMED(scans_one_of_two, read_second),
    NAMED(scans_nothing, read_number),
    NAMED(scans_sizes, read_sized_1),
    NAMED(scans_sizes, read_sized_3),
    NAMED(scans_sizes, read_sized_4),
    NAMED(scans_sizes, read_sized_15),
    NAMED(scans_sets, read_number),
    NAMED(scans_sets, read_letter),
    NAMED(scans_sets, read_other_2),
    NAMED(scans_sets, read_other_3),
    NAMED(scans_characters, read_other_1),
    NAMED(scans_characters, read_other_2),
    NAMED(scans_wide, read_wide_1),
    NAMED(scans_wide, read_wide_2),
    NAMED(scans_list, read_number),
    NAMED(scans_allocated, read_number),
    NAMED(divides, change_end),
    NAMED(divides, divides_another),
    NAMED(prints_the_error, read_number),
    NAMED(writes, change_last),
    NAMED(writes, change_end),
    NAMED(writes_elsewhere, change_end),
    NAMED(buffers, read_other_1),
    NAMED(buffers_in_its_own, read_other_1),
    NAMED(creates_a_thread, set_of_threads),
    NAMED(creates_a_thread, set_priority),
    NAMED(creates_a_thread, asks_for_guard),
    NAMED(makes_a_mutex, set_of_mutexes),
    NAMED(makes_a_condition, set_of_conditions),
    NAMED(makes_a_lock, set_of_locks),
    NAMED(makes_a_barrier, end_of_barriers),
    NAMED(asks, asks_for_guard),
    NAMED(asks, read_number),
};

int main(int argc, char** argv) {
  pthread_attr_init(&of_threads);
  pthread_mutexattr_init(&of_mutexes);
  pthread_condattr_init(&of_conditions);
  pthread_rwlockattr_init(&of_locks);
  pthread_barrierattr_init(&of_barriers);
  return run_named(all, sizeof all / sizeof *all, argc, argv);
}
