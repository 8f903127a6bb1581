// What a program writes to its standard files, which is not shown, and how its streams are
// buffered.

#include <unistd.h>

#include <cstdio>

#include "c_library.hpp"
#include "watched_memory.hpp"

using fencepost::programs::call_site;
using fencepost::programs::entered;
using fencepost::programs::watch_read;
using fencepost::verify::allocation_hook;

namespace {

void refuse(const char* what, const call_site& c) {
  if (const entered s; s) s->reach_limit(what, s->place(c));
}

// The C library would write to a buffer of the program at any time.
int set_buffer(const char* buffer, const call_site& c) {
  if (buffer != nullptr) refuse("a stream with a buffer of the program's own is not modelled", c);
  return 0;
}

}  // namespace

// The C library names its parameters with reserved names.
// NOLINTBEGIN(readability-inconsistent-declaration-parameter-name)
extern "C" {

ssize_t write(int file, const void* from, std::size_t size) {
  if (!allocation_hook::in_body) return FENCEPOST_BEHIND(write)(file, from, size);
  if (file != STDOUT_FILENO && file != STDERR_FILENO)
    refuse("files other than the standard ones are not modelled", FENCEPOST_CALL_SITE);
  watch_read(from, size, FENCEPOST_CALL_SITE);
  return static_cast<ssize_t>(size);
}

int setvbuf(std::FILE* stream, char* buffer, int how, std::size_t size) noexcept {
  if (!allocation_hook::in_body) return FENCEPOST_BEHIND(setvbuf)(stream, buffer, how, size);
  return set_buffer(buffer, FENCEPOST_CALL_SITE);
}
void setbuf(std::FILE* stream, char* buffer) noexcept {
  if (!allocation_hook::in_body) return FENCEPOST_BEHIND(setbuf)(stream, buffer);
  set_buffer(buffer, FENCEPOST_CALL_SITE);
}

}  // extern "C"
// NOLINTEND(readability-inconsistent-declaration-parameter-name)
