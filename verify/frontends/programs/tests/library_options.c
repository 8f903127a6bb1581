// Functions of the C library that read command-line options or print errors, and some that programs
// seldom need. The first argument names the call; with a second one, another thread writes what the
// call reads, or reads what it writes.
#define _GNU_SOURCE
#include <assert.h>
#include <err.h>
#include <errno.h>
#include <getopt.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "named_call.h"

// As the headers declare it for C90.
int sscanf_of_c90(const char*, const char*, ...) __asm__("sscanf");

static char program[] = "program", first[] = "-ab", file[] = "file", word[] = "--size=12",
            letters[] = "abs:", text[16] = "12 some", size_name[] = "size";
static char* given[] = {program, first, file, word, NULL};
static int set, found, number;
static char* allocated;
static const struct option words[] = {
    {size_name, required_argument, NULL, 's'}, {"set", no_argument, &set, 1}, {NULL, 0, NULL, 0}};
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_rwlock_t for_writers = PTHREAD_RWLOCK_WRITER_NONRECURSIVE_INITIALIZER_NP;
static pthread_rwlockattr_t kind;

// Optimization keeps this read, although its value is unused.
#define READ(what) ((void)*(volatile const __typeof__(what)*)&(what))

static void change_option(void) { first[1] = 'b'; }
static void change_word(void) { word[7] = '3'; }
static void change_letters(void) { letters[1] = 'c'; }
static void change_name(void) { size_name[1] = 'a'; }
static void change_text(void) { text[0] = '3'; }
static void read_place(void) { READ(optind); }
static void read_order(void) { READ(given[2]); }
static void read_found(void) { READ(found); }
static void read_set(void) { READ(set); }
static void read_number(void) { READ(number); }
static void read_program(void) { READ(program[0]); }
static void change_kind(void) { pthread_rwlockattr_setpshared(&kind, 0); }

static void reads_letters(void) {
  char* own[] = {program, first, file, NULL};
  assert(getopt(3, own, "ab") == 'a' && optind == 1);
  assert(getopt(3, own, "ab") == 'b' && optind == 2);
  assert(getopt(3, own, "ab") == -1 && optind == 2 && own[2] == file);
}
// The next execution must start again at the first option.
static void reads_one_of_two_letters(void) { assert(getopt(2, given, "ab") == 'a'); }
static void reads_words(void) {
  assert(getopt_long(4, given, letters, words, &found) == 'a');
  assert(getopt_long(4, given, letters, words, &found) == 'b');
  assert(getopt_long(4, given, letters, words, &found) == 's' && found == 0);
  assert(strcmp(optarg, "12") == 0);
  assert(getopt_long(4, given, letters, words, &found) == -1 && given[optind] == file);
}
static void reads_a_flag(void) {
  char flag[] = "--set";
  char* own[] = {program, flag, NULL};
  assert(getopt_long(2, own, "", words, NULL) == 0 && set == 1);
  assert(getopt_long(2, own, "", words, NULL) == -1);
}
static void reads_what_is_unknown(void) {
  char* own[] = {program, first, NULL};
  assert(getopt(2, own, "b") == '?' && optopt == 'a' && optarg == NULL);
}
static void reads_again(void) {
  reads_letters();
  optind = 1;
  reads_letters();
}

static void warns(void) {
  errno = ENOENT;
  warn("%s", text);
  warnx("%s", text);
  warn(NULL);
}
static void ends_with_a_message(void) { errx(3, "no memory for %s", text); }
static void ends_with_an_error(void) { err(3, NULL); }
static void ends_well(void) { errx(0, "%s", text); }

static void scans_as_in_c90(void) {
  float fraction;
  assert(sscanf_of_c90(text, "%d", &number) == 1 && number == 12);
  assert(sscanf_of_c90("1.5", "%a", &fraction) == 1 && fraction == 1.5);
}
static void scans_allocated_as_in_c90(void) { sscanf_of_c90(text, "%d %as", &number, &allocated); }

static void prefers_readers(void) {
  int of = 0;
  assert(pthread_rwlockattr_setkind_np(&kind, PTHREAD_RWLOCK_PREFER_WRITER_NP) == 0);
  assert(pthread_rwlockattr_getkind_np(&kind, &of) == 0 && of == PTHREAD_RWLOCK_PREFER_WRITER_NP);
  pthread_rwlock_init(&lock, &kind);
  pthread_rwlock_rdlock(&lock);
  pthread_rwlock_rdlock(&lock);
  pthread_rwlock_unlock(&lock);
  pthread_rwlock_unlock(&lock);
}
static void prefers_writers(void) {
  pthread_rwlockattr_setkind_np(&kind, PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP);
  pthread_rwlock_init(&lock, &kind);
  pthread_rwlock_rdlock(&lock);
}
static void prefers_writers_from_the_beginning(void) { pthread_rwlock_tryrdlock(&for_writers); }

static const struct named_call all[] = {
    NAMED(reads_letters, change_option),
    NAMED(reads_letters, read_place),
    NAMED(reads_letters, read_program),
    NAMED(reads_letters, read_order),
    NAMED(reads_one_of_two_letters, read_found),
    NAMED(reads_words, change_word),
    NAMED(reads_words, change_letters),
    NAMED(reads_words, change_name),
    NAMED(reads_words, read_order),
    NAMED(reads_words, read_found),
    NAMED(reads_words, read_set),
    NAMED(reads_a_flag, read_set),
    NAMED(reads_a_flag, read_found),
    NAMED(reads_what_is_unknown, read_found),
    NAMED(reads_again, read_found),
    NAMED(warns, change_text),
    NAMED(warns, read_number),
    NAMED(ends_with_a_message, change_text),
    NAMED(ends_with_an_error, read_number),
    NAMED(ends_well, change_text),
    NAMED(scans_as_in_c90, change_text),
    NAMED(scans_as_in_c90, read_number),
    NAMED(scans_allocated_as_in_c90, read_number),
    NAMED(prefers_readers, change_kind),
    NAMED(prefers_writers, change_kind),
    NAMED(prefers_writers_from_the_beginning, change_kind),
};

int main(int argc, char** argv) {
  pthread_rwlockattr_init(&kind);
  return run_named(all, sizeof all / sizeof *all, argc, argv);
}
