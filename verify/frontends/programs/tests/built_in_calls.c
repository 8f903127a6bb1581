/* Built-in functions by their own names, for which compilers put code in line: by the first argument,
   beside another thread that writes a byte of the text. */
#include <assert.h>
#include <pthread.h>
#include <string.h>

static char text[64] = "text", other[64] = "text";
static volatile int answer; /* so that it is asked for */
static volatile char end = '0';

static void* write_one(void* unused) {
  text[1] = 'x';
  return unused;
}
static void write_end(void) { end = text[1]; }

#define FUNCTIONS                                                      \
  FUNCTION(bzero, __builtin_bzero(text, 3))                            \
  FUNCTION(memcpy, __builtin_memcpy(text, "number", 7))                \
  FUNCTION(mempcpy, __builtin_mempcpy(text, "number", 7))              \
  FUNCTION(strcpy, __builtin_strcpy(text, "number"))                   \
  FUNCTION(stpcpy, __builtin_stpcpy(text, "number"))                   \
  FUNCTION(strncpy, __builtin_strncpy(text, "number", 8))              \
  FUNCTION(stpncpy, __builtin_stpncpy(text, "number", 8))              \
  FUNCTION(strcat, __builtin_strcat(other, text))                      \
  FUNCTION(strncat, __builtin_strncat(other, text, 2))                 \
  FUNCTION(sprintf, __builtin_sprintf(text, "number"))                 \
  FUNCTION(snprintf, __builtin_snprintf(text, 7, "number"))            \
  FUNCTION(strncmp, answer = __builtin_strncmp(text, "te", 2))         \
  FUNCTION(bcmp, answer = __builtin_bcmp(text, other, 2))              \
  FUNCTION(strstr, answer = __builtin_strstr(text, "te") == text)      \
  FUNCTION(memcpy_chk, __builtin___memcpy_chk(text, "number", 7, 64))  \
  FUNCTION(memmove_chk, __builtin___memmove_chk(text, "number", 7, 64)) \
  FUNCTION(memset_chk, __builtin___memset_chk(text, 'a', 3, 64))       \
  FUNCTION(mempcpy_chk, __builtin___mempcpy_chk(text, "number", 7, 64)) \
  FUNCTION(strcpy_chk, __builtin___strcpy_chk(text, "number", 64))     \
  FUNCTION(stpcpy_chk, __builtin___stpcpy_chk(text, "number", 64))     \
  FUNCTION(strcat_chk, __builtin___strcat_chk(other, text, 64))        \
  FUNCTION(strncpy_chk, __builtin___strncpy_chk(text, "number", 8, 64)) \
  FUNCTION(stpncpy_chk, __builtin___stpncpy_chk(text, "number", 8, 64)) \
  FUNCTION(strncat_chk, __builtin___strncat_chk(other, text, 2, 64))

int main(int argc, char** argv) {
  pthread_t writer;
  if (argc < 2) return 9;
  if (strcmp(argv[1], "constants") == 0) {
    enum { is = __builtin_strncmp("ab", "ac", 2) < 0 };
    assert(is);
    return 0;
  }
  pthread_create(&writer, 0, write_one, 0);
#define FUNCTION(name, call) \
  if (strcmp(argv[1], #name) == 0) call;
  FUNCTIONS
#undef FUNCTION
  pthread_join(writer, 0);
  write_end();
  return 0;
}
