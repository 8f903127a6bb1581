// Functions of the C library that copy and fill texts and bytes. Their accesses are watched like
// the program's own.

#include <algorithm>
#include <cstddef>
#include <cstring>

#include "c_library.hpp"
#include "watched_memory.hpp"

using fencepost::programs::call_site;
using fencepost::programs::watch_copy;
using fencepost::programs::watch_read;
using fencepost::programs::watch_write;

namespace {

char* copy_bytes(void* to, const void* from, std::size_t size, const call_site& c) noexcept {
  watch_copy(to, from, size, c);
  FENCEPOST_BEHIND(memmove)(to, from, size);
  return static_cast<char*>(to) + size;
}

void clear_bytes(void* p, std::size_t size, const call_site& c) noexcept {
  if (size == 0) return;
  watch_write(p, size, c);
  FENCEPOST_BEHIND(memset)(p, 0, size);
}

std::size_t bounded_length(const char* text, std::size_t most) noexcept {
  std::size_t length = 0;
  while (length < most && text[length] != 0) ++length;
  return length;
}

// Fills what the text does not need with zeros.
char* copy_and_fill(char* to, const char* from, std::size_t size, const call_site& c) noexcept {
  const std::size_t length = bounded_length(from, size), copied = std::min(length + 1, size);
  copy_bytes(to, from, copied, c);
  clear_bytes(to + copied, size - copied, c);
  return to + length;
}

char* end_of_text(const char* text, const call_site& c) noexcept {
  const std::size_t length = FENCEPOST_BEHIND(strlen)(text);
  watch_read(text, length + 1, c);
  return const_cast<char*>(text) + length;
}

}  // namespace

// The C library names its parameters with reserved names.
// NOLINTBEGIN(readability-inconsistent-declaration-parameter-name)
extern "C" {

char* stpcpy(char* to, const char* from) noexcept {
  return copy_bytes(to, from, FENCEPOST_BEHIND(strlen)(from) + 1, FENCEPOST_CALL_SITE) - 1;
}
char* strcpy(char* to, const char* from) noexcept {
  copy_bytes(to, from, FENCEPOST_BEHIND(strlen)(from) + 1, FENCEPOST_CALL_SITE);
  return to;
}

char* stpncpy(char* to, const char* from, std::size_t size) noexcept {
  return copy_and_fill(to, from, size, FENCEPOST_CALL_SITE);
}
char* strncpy(char* to, const char* from, std::size_t size) noexcept {
  copy_and_fill(to, from, size, FENCEPOST_CALL_SITE);
  return to;
}

char* strcat(char* to, const char* from) noexcept {
  copy_bytes(end_of_text(to, FENCEPOST_CALL_SITE), from, FENCEPOST_BEHIND(strlen)(from) + 1,
             FENCEPOST_CALL_SITE);
  return to;
}
// Writes a zero after what is copied, even if the text is longer.
char* strncat(char* to, const char* from, std::size_t size) noexcept {
  const std::size_t length = bounded_length(from, size), copied = std::min(length + 1, size);
  char* const end =
      copy_bytes(end_of_text(to, FENCEPOST_CALL_SITE), from, copied, FENCEPOST_CALL_SITE);
  if (length == size) clear_bytes(end, 1, FENCEPOST_CALL_SITE);
  return to;
}

void* mempcpy(void* to, const void* from, std::size_t size) noexcept {
  return copy_bytes(to, from, size, FENCEPOST_CALL_SITE);
}
void bcopy(const void* from, void* to, std::size_t size) noexcept {
  copy_bytes(to, from, size, FENCEPOST_CALL_SITE);
}
// Copies up to the byte if it is found, or everything.
void* memccpy(void* to, const void* from, int byte, std::size_t size) noexcept {
  const auto* const bytes = static_cast<const char*>(from);
  const auto* const found = std::find(bytes, bytes + size, static_cast<char>(byte));
  const bool is_found = found != bytes + size;
  char* const end = copy_bytes(
      to, from, static_cast<std::size_t>(found - bytes) + (is_found ? 1 : 0), FENCEPOST_CALL_SITE);
  return is_found ? end : nullptr;
}

void bzero(void* p, std::size_t size) noexcept { clear_bytes(p, size, FENCEPOST_CALL_SITE); }
void explicit_bzero(void* p, std::size_t size) noexcept {
  clear_bytes(p, size, FENCEPOST_CALL_SITE);
}

}  // extern "C"
// NOLINTEND(readability-inconsistent-declaration-parameter-name)
