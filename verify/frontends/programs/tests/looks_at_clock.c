/* Looks at no other clock. */
#include <assert.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static long seconds(void) { return (long)(clock() / CLOCKS_PER_SEC); }

int main(int argc, char** argv) {
  if (argc < 2) return 9;
  const long began = seconds();
  /* An hour may have passed. */
  if (strcmp(argv[1], "waits") == 0) {
    assert(seconds() - began < 1000);
    return 0;
  }
  sleep(2);
  assert(seconds() - began >= 2);
  return 0;
}
