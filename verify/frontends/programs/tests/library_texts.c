// Functions of the C library for strings, bytes, formats and parts of numbers. The first argument
// names the call; with a second one, another thread writes what the call reads, or reads what it
// writes, at the end of it.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <pthread.h>
#include <sched.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>
#include <unistd.h>
#include <wchar.h>

#include "named_call.h"

static char text[16] = "some text", other[16] = "a text", *rest;
static wchar_t wide[4] = L"abc";
static int number = 0;
static double fraction = 0;
static unsigned seed = 1;
static struct timespec moment = {0, 1};
static cpu_set_t processors;
static struct sched_param priority;

// Optimization keeps this read, although its value is unused.
#define READ(what) ((void)*(volatile const __typeof__(what)*)&(what))

// The last byte of "some text", the terminating zero, and bytes after it.
static void change_last(void) { text[8] = 'T'; }
static void change_end(void) { text[9] = '!'; }
static void change_behind(void) { text[10] = '!'; }
static void change_first(void) { text[0] = 'S'; }
static void change_other(void) { other[5] = 'T'; }
static void change_end_of_other(void) { other[6] = '!'; }
static void read_fourth(void) { READ(text[4]); }
static void read_other_last(void) { READ(other[5]); }
static void read_end(void) { READ(other[6]); }
static void read_behind(void) { READ(other[7]); }
static void read_end_of_longer(void) { READ(text[13]); }
static void read_rest(void) { READ(rest); }
static void change_wide(void) { wide[2] = L'C'; }
static void change_end_of_wide(void) { wide[3] = L'!'; }
static void read_number(void) { READ(number); }
static void read_fraction(void) { READ(fraction); }
static void read_seed(void) { READ(seed); }
static void change_moment(void) { moment.tv_nsec = 2; }
static void change_priority(void) { priority.sched_priority = 2; }
static void change_processors(void) { CPU_SET(1000, &processors); }

static void copies_to_the_end(void) { assert(stpcpy(other, "a text") == other + 6); }
static void copies_some_to_the_end(void) {
  assert(stpncpy(other, "a", 7) == other + 1 && other[6] == 0);
  assert(stpncpy(other, "abc", 2) == other + 2 && strcmp(other, "ab") == 0);
}
static void adds_some(void) {
  other[1] = 0;
  assert(strcmp(strncat(other, "bcdefgh", 6), "abcdefg") == 0);
}
static void adds_part(void) { assert(strcmp(strncat(text, other, 4), "some texta te") == 0); }
static void adds_all(void) { assert(strcmp(strncat(text, other, 9), "some texta text") == 0); }
static void adds_to_it(void) { strcat(text, "!"); }
static void copies_bytes(void) {
  assert(mempcpy(other, text, 9) == other + 9 && other[8] == 't');
  bcopy(text, other, 9);
}
static void copies_up_to_a_byte(void) {
  assert(memccpy(other, text, 'e', 9) == other + 4);
  assert(memccpy(other, text, '?', 3) == NULL);
}
static void copies_all_without_the_byte(void) { assert(memccpy(other, text, '?', 9) == NULL); }
static void clears(void) {
  bzero(other, 7);
  explicit_bzero(other, 7);
  assert(other[6] == 0);
}
static void compares_bytes(void) { assert(bcmp(text, "some texT", 9) != 0); }

static void spans(void) {
  assert(strspn(text, "emos") == 4 && strcspn(text, " ") == 4 && strpbrk(text, " m") == text + 2);
}
static void spans_all(void) { assert(strspn(text, "emos tx") == 9); }
static void looks_for_others(void) { assert(strcspn("xyz", other) == 0); }
static void finds_the_end(void) { assert(strchrnul(text, '?') == text + 9); }
static void finds_early(void) { assert(strchrnul(text, 'm') == text + 2); }
static void finds_by_old_names(void) {
  assert(index(text, 'e') == text + 3 && index(text, '?') == NULL && index(text, 0) == text + 9);
  assert(rindex(text, 'e') == text + 6 && rindex(text, '?') == NULL);
}
static void finds_the_byte(void) { assert(rawmemchr(text, 0) == text + 9); }
static void finds_from_behind(void) { assert(memrchr(text, 'e', 9) == text + 6); }
static void finds_no_byte(void) { assert(memrchr(text, '?', 9) == NULL); }
static void finds_bytes(void) {
  assert(memmem(text, 9, "te", 2) == text + 5 && memmem(text, 9, "?", 1) == NULL);
  assert(memmem(text, 9, "", 0) == text && memmem(text, 1, "some", 4) == NULL);
}
static void finds_bytes_of_others(void) { assert(memmem("a text", 6, other, 6) != NULL); }
static void ignores_case(void) {
  assert(strcasecmp(text, "SOME TEXT") == 0 && strcasecmp("a", "B") < 0);
  assert(strncasecmp("SOMETHING", "some text", 4) == 0 && strncasecmp("b", "A", 1) > 0);
}
static void ignores_case_in_part(void) { assert(strncasecmp(text, "SOME TEXT", 8) == 0); }
static void compares_early(void) { assert(strcasecmp(text, "some Tim") != 0); }
static void finds_whatever_case(void) {
  assert(strcasestr(text, "TEXT") == text + 5 && strcasestr(text, "?") == NULL);
}
static void collates(void) { assert(strcoll(text, "some text") == 0); }

static void separates(void) {
  rest = text;
  assert(strcmp(strsep(&rest, " "), "some") == 0 && rest == text + 5);
  assert(strcmp(strsep(&rest, " "), "text") == 0 && rest == NULL && strsep(&rest, " ") == NULL);
}
static void divides(void) {
  assert(strcmp(strtok_r(text, " ", &rest), "some") == 0 && rest == text + 5);
  assert(strcmp(strtok_r(NULL, " ", &rest), "text") == 0 && rest == text + 9);
  assert(strtok_r(NULL, " ", &rest) == NULL && *rest == 0);
}

static void prints_text(void) {
  printf("%d%% %s\n", 3, text);
  fprintf(stderr, "%-5.3f %20s\n", 2.5, text);
  dprintf(1, "%Lf %zu %s\n", 2.5L, sizeof text, text);
}
static void prints_part(void) { printf("%c %.*s|%.4s\n", 'x', 4, text, text); }
static void prints_puts(void) { puts(text); }
static void prints_fputs(void) { fputs(text, stdout); }
static void prints_bytes(void) { assert(fwrite(text, 2, 5, stdout) == 5); }
static void prints_error(void) { perror(text); }
static void prints_wide(void) { printf("%ls\n", wide); }
static void prints_wide_in_part(void) { printf("%.2ls %.3ls\n", wide, wide); }
static void prints_by_format(void) { printf(text); }
static void prints_to_text(void) {
  char to[40];
  assert(snprintf(to, sizeof to, "%s, %i", text, 3) == 12 && strcmp(to, "some text, 3") == 0);
}
static void prints_number_of_bytes(void) {
  printf("12%n", &number);
  assert(number == 2);
}
static void prints_numbered(void) { printf("%2$s %1$d", 3, text); }
static void print_list(const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vprintf(format, arguments);
  va_end(arguments);
}
static void prints_list(void) { print_list("%s", text); }
static void prints_to_block(void) {
  assert(asprintf(&rest, "%s!", text) == 10 && strcmp(rest, "some text!") == 0);
  free(rest);
}

static void enlarges(void) {
  const volatile size_t too_many = (size_t)-1;  // volatile: gcc would warn
  char* p = reallocarray(NULL, 3, 3);
  memcpy(p, text, 9);
  p = reallocarray(p, 4, 4);
  assert(memcmp(p, "some text", 9) == 0 && reallocarray(p, too_many, 2) == NULL);
  free(p);
}
// The other thread has written to the block by then, but not in an order known to this one.
static char* block;
static atomic_int is_written;
static void enlarges_what_is_written(void) {
  while (atomic_load_explicit(&is_written, memory_order_relaxed) == 0) {
  }
  block = reallocarray(block, 2, 2);
}
static void write_block(void) {
  block[1] = 1;
  atomic_store_explicit(&is_written, 1, memory_order_relaxed);
}
static void divides_numbers(void) {
  assert(div(7, 3).quot == 2 && ldiv(7, 3).rem == 1 && lldiv(-7, 3).rem == -1);
  assert(strtoimax("-7", NULL, 10) == -7 && strtoumax("7", NULL, 10) == 7 && ffs(4) == 3);
}
static void takes_exponent(void) { assert(frexp(8, &number) == 0.5 && number == 4); }
static void takes_quotient(void) { assert(remquo(7, 2, &number) == -1 && (number & 7) == 4); }
static void takes_parts(void) { assert(modf(2.5, &fraction) == 0.5 && fraction == 2); }
static void takes_sine(void) {
  double cosine;
  sincos(0, &fraction, &cosine);
  assert(fraction == 0 && cosine == 1);
}
static void takes_random(void) { assert(rand_r(&seed) >= 0 && seed != 1); }
static void draws(void) {
  assert(rand() == 1804289383 && random() == 846930886);
  srand(2);
  const int first = rand();
  rand();
  srandom(2);
  assert(rand() == first);
}
static void draws_one(void) {
  const int n = rand();
  assert(n == 1804289383 || n == 846930886);
}
static void sleeps(void) {
  assert(clock_nanosleep(CLOCK_MONOTONIC, 0, &moment, NULL) == 0);
}
static void sleeps_by_its_old_name(void) { assert(nanosleep(&moment, NULL) == 0); }
static void asks_about_clock(void) {
  struct timespec fineness;
  assert(clock_getres(CLOCK_MONOTONIC, &fineness) == 0 && fineness.tv_nsec == 1);
}
static void asks_where_it_is(void) {
  assert(isatty(1) == 0 && errno == ENOTTY && getuid() == geteuid() && getpagesize() >= 4096);
  assert(pthread_setaffinity_np(pthread_self(), sizeof processors, &processors) == 0);
}
static void sets_its_priority(void) {
  assert(sched_get_priority_min(SCHED_FIFO) > 0);
  assert(pthread_setschedparam(pthread_self(), SCHED_FIFO, &priority) == 0);
  assert(pthread_setschedprio(pthread_self(), 1) == 0);
}
static void counts_processors(void) { assert(CPU_COUNT(&processors) == 0); }
static pthread_t main_thread;
static void has_names(void) {
  assert(pthread_getname_np(pthread_self(), other, 15) == ERANGE);
  assert(pthread_getname_np(pthread_self(), other, 16) == 0 && strlen(other) == 15);
  assert(pthread_setname_np(pthread_self(), "abcdef") == 0);
  assert(pthread_setname_np(pthread_self(), "longer than it may be") == ERANGE);
  assert(pthread_getname_np(pthread_self(), other, 16) == 0 && strcmp(other, "abcdef") == 0);
}
static void asks_for_a_name(void) {
  char name[16];
  assert(pthread_getname_np(main_thread, name, sizeof name) == 0 && name[0] != 0);
}
static void gives_a_name(void) { pthread_setname_np(main_thread, "main"); }
static void asks_for_an_inherited_name(void) {
  pthread_setname_np(pthread_self(), "main");
  char name[16];
  pthread_getname_np(main_thread + 1, name, sizeof name);
}
static void asks_for_error(void) { assert(strerror_r(99999, other, 7) == other); }

static const struct named_call all[] = {
    NAMED(copies_to_the_end, read_end),
    NAMED(copies_to_the_end, read_behind),
    NAMED(copies_some_to_the_end, read_end),
    NAMED(copies_some_to_the_end, read_behind),
    NAMED(adds_some, read_end),
    NAMED(adds_some, read_behind),
    NAMED(adds_part, read_end_of_longer),
    NAMED(adds_part, change_other),
    NAMED(adds_all, change_end_of_other),
    NAMED(adds_to_it, change_first),
    NAMED(copies_bytes, change_last),
    NAMED(copies_bytes, change_end),
    NAMED(copies_up_to_a_byte, change_last),
    NAMED(copies_up_to_a_byte, change_first),
    NAMED(copies_up_to_a_byte, read_other_last),
    NAMED(copies_all_without_the_byte, change_last),
    NAMED(copies_all_without_the_byte, change_end),
    NAMED(clears, read_end),
    NAMED(clears, read_behind),
    NAMED(compares_bytes, change_last),
    NAMED(compares_bytes, change_end),
    NAMED(spans, change_first),
    NAMED(spans, change_last),
    NAMED(spans_all, change_end),
    NAMED(spans_all, change_behind),
    NAMED(looks_for_others, change_end_of_other),
    NAMED(finds_the_end, change_end),
    NAMED(finds_the_end, change_behind),
    NAMED(finds_early, change_last),
    NAMED(finds_by_old_names, change_end),
    NAMED(finds_the_byte, change_end),
    NAMED(finds_the_byte, change_behind),
    NAMED(finds_from_behind, change_first),
    NAMED(finds_from_behind, change_last),
    NAMED(finds_no_byte, change_first),
    NAMED(finds_bytes, change_last),
    NAMED(finds_bytes, change_end),
    NAMED(finds_bytes_of_others, change_other),
    NAMED(ignores_case, change_end),
    NAMED(ignores_case_in_part, change_last),
    NAMED(compares_early, change_last),
    NAMED(finds_whatever_case, change_end),
    NAMED(collates, change_end),
    NAMED(separates, read_fourth),
    NAMED(separates, change_end),
    NAMED(separates, read_rest),
    NAMED(divides, read_fourth),
    NAMED(divides, change_end),
    NAMED(divides, read_rest),
    NAMED(prints_text, change_end),
    NAMED(prints_text, change_behind),
    NAMED(prints_part, change_first),
    NAMED(prints_part, change_last),
    NAMED(prints_puts, change_end),
    NAMED(prints_fputs, change_end),
    NAMED(prints_bytes, change_last),
    NAMED(prints_bytes, change_end),
    NAMED(prints_bytes, change_behind),
    NAMED(prints_error, change_end),
    NAMED(prints_wide, change_end_of_wide),
    NAMED(prints_wide_in_part, change_wide),
    NAMED(prints_wide_in_part, change_end_of_wide),
    NAMED(prints_by_format, change_end),
    NAMED(prints_to_text, change_end),
    NAMED(prints_number_of_bytes, read_number),
    NAMED(prints_numbered, change_first),
    NAMED(prints_list, change_end),
    NAMED(prints_to_block, read_rest),
    NAMED(prints_to_block, change_end),
    NAMED(enlarges, change_last),
    NAMED(enlarges_what_is_written, write_block),
    NAMED(divides_numbers, change_first),
    NAMED(takes_exponent, read_number),
    NAMED(takes_quotient, read_number),
    NAMED(takes_parts, read_fraction),
    NAMED(takes_sine, read_fraction),
    NAMED(takes_random, read_seed),
    NAMED(draws, change_first),
    NAMED(draws_one, draws_one),
    NAMED(sleeps, change_moment),
    NAMED(sleeps_by_its_old_name, change_moment),
    NAMED(asks_about_clock, change_first),
    NAMED(asks_where_it_is, change_processors),
    NAMED(sets_its_priority, change_priority),
    NAMED(counts_processors, change_processors),
    NAMED(has_names, read_end),
    NAMED(asks_for_a_name, gives_a_name),
    NAMED(asks_for_an_inherited_name, gives_a_name),
    NAMED(asks_for_error, read_end),
};

int main(int argc, char** argv) {
  main_thread = pthread_self();
  memset(other + 7, '?', 8);
  block = calloc(1, 2);
  return run_named(all, sizeof all / sizeof *all, argc, argv);
}
