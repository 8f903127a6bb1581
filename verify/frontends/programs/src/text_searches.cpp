// Functions of the C library that search texts and bytes, compare them without regard to case, and
// split them. Their accesses are watched like the program's own.

#include <algorithm>
#include <cstddef>
#include <cstring>

#include "c_library.hpp"
#include "watched_memory.hpp"

using fencepost::programs::call_site;
using fencepost::programs::watch_read;
using fencepost::programs::watch_write;

// A variable of the program (std/fencepost_calls.h): where strtok() continues, for all threads.
// NOLINTNEXTLINE(bugprone-reserved-identifier,readability-identifier-naming)
extern "C" [[gnu::weak]] char* __fencepost_strtok_rest;

namespace {

char* read_text(const char* text, const call_site& c) noexcept {
  watch_read(text, FENCEPOST_BEHIND(strlen)(text) + 1, c);
  return const_cast<char*>(text);
}

// Returns how many characters at the beginning are among these, or are not. Reads one more.
using span_function = std::size_t (*)(const char*, const char*);
std::size_t span(span_function f, const char* text, const char* characters,
                 const call_site& c) noexcept {
  const std::size_t length = f(text, read_text(characters, c));
  watch_read(text, length + 1, c);
  return length;
}

// Compares at most `most` characters without regard to case, and reads up to the first that differ.
int compare(const char* a, const char* b, std::size_t most, const call_site& c) noexcept {
  std::size_t size = 0;
  int difference = 0;
  for (bool is_end = false; size < most && !is_end && difference == 0; ++size) {
    difference = FENCEPOST_BEHIND(strncasecmp)(a + size, b + size, 1);
    is_end = a[size] == 0;
  }
  watch_read(a, size, c);
  watch_read(b, size, c);
  return difference;
}

void put_rest(char** to, char* p, const call_site& c) noexcept {
  watch_write(to, sizeof *to, c);
  *to = p;
}

char* take_rest(char* const* from, const call_site& c) noexcept {
  watch_read(from, sizeof *from, c);
  return *from;
}

// Ends the text at this character. Returns what follows it, or null if the text ended there before.
char* cut(char* at, const call_site& c) noexcept {
  if (*at == 0) return nullptr;
  watch_write(at, 1, c);
  *at = 0;
  return at + 1;
}

char* divide(char* text, const char* characters, char** rest, const call_site& c) noexcept {
  if (text == nullptr) text = take_rest(rest, c);
  if (text == nullptr) return nullptr;
  text += span(FENCEPOST_BEHIND(strspn), text, characters, c);
  char* const end = text + span(FENCEPOST_BEHIND(strcspn), text, characters, c);
  char* const behind = cut(end, c);
  put_rest(rest, behind == nullptr ? end : behind, c);
  return end == text ? nullptr : text;
}

}  // namespace

// The C library names its parameters with reserved names.
// NOLINTBEGIN(readability-inconsistent-declaration-parameter-name)
extern "C" {

std::size_t strspn(const char* text, const char* characters) noexcept {
  return span(FENCEPOST_BEHIND(strspn), text, characters, FENCEPOST_CALL_SITE);
}
std::size_t strcspn(const char* text, const char* characters) noexcept {
  return span(FENCEPOST_BEHIND(strcspn), text, characters, FENCEPOST_CALL_SITE);
}

int strcasecmp(const char* a, const char* b) noexcept {
  return compare(a, b, static_cast<std::size_t>(-1), FENCEPOST_CALL_SITE);
}
int strncasecmp(const char* a, const char* b, std::size_t size) noexcept {
  return compare(a, b, size, FENCEPOST_CALL_SITE);
}
// In the C locale.
int strcoll(const char* a, const char* b) noexcept {
  return FENCEPOST_BEHIND(strcmp)(read_text(a, FENCEPOST_CALL_SITE),
                                  read_text(b, FENCEPOST_CALL_SITE));
}
int bcmp(const void* a, const void* b, std::size_t size) noexcept {
  watch_read(a, size, FENCEPOST_CALL_SITE);
  watch_read(b, size, FENCEPOST_CALL_SITE);
  return FENCEPOST_BEHIND(memcmp)(a, b, size);
}

char* strsep(char** rest, const char* characters) noexcept {
  char* const text = take_rest(rest, FENCEPOST_CALL_SITE);
  if (text == nullptr) return nullptr;
  char* const end = text + span(FENCEPOST_BEHIND(strcspn), text, characters, FENCEPOST_CALL_SITE);
  put_rest(rest, cut(end, FENCEPOST_CALL_SITE), FENCEPOST_CALL_SITE);
  return text;
}

char* strtok_r(char* text, const char* characters, char** rest) noexcept {
  return divide(text, characters, rest, FENCEPOST_CALL_SITE);
}
char* strtok(char* text, const char* characters) noexcept {
  if (!fencepost::verify::allocation_hook::in_body)
    return FENCEPOST_BEHIND(strtok)(text, characters);
  return divide(text, characters, &__fencepost_strtok_rest, FENCEPOST_CALL_SITE);
}

// The C++ headers declare two functions of each of these names.
// NOLINTBEGIN(bugprone-reserved-identifier,readability-identifier-naming)

char* find_strpbrk(const char*, const char*) noexcept __asm__("strpbrk");
char* find_strpbrk(const char* text, const char* characters) noexcept {
  const std::size_t length = span(FENCEPOST_BEHIND(strcspn), text, characters, FENCEPOST_CALL_SITE);
  return text[length] == 0 ? nullptr : const_cast<char*>(text) + length;
}

char* find_strcasestr(const char*, const char*) noexcept __asm__("strcasestr");
char* find_strcasestr(const char* text, const char* what) noexcept {
  const std::size_t length = FENCEPOST_BEHIND(strlen)(read_text(what, FENCEPOST_CALL_SITE));
  for (char* at = read_text(text, FENCEPOST_CALL_SITE);; ++at) {
    if (FENCEPOST_BEHIND(strncasecmp)(at, what, length) == 0) return at;
    if (*at == 0) return nullptr;
  }
}

// Returns where the character is, or the end.
char* find_strchrnul(const char*, int) noexcept __asm__("strchrnul");
char* find_strchrnul(const char* text, int character) noexcept {
  const char* at = text;
  while (*at != 0 && *at != static_cast<char>(character)) ++at;
  watch_read(text, static_cast<std::size_t>(at - text) + 1, FENCEPOST_CALL_SITE);
  return const_cast<char*>(at);
}
char* find_index(const char*, int) noexcept __asm__("index");
char* find_index(const char* text, int character) noexcept {
  const char* at = read_text(text, FENCEPOST_CALL_SITE);
  while (*at != 0 && *at != static_cast<char>(character)) ++at;
  return *at == static_cast<char>(character) ? const_cast<char*>(at) : nullptr;
}
char* find_rindex(const char*, int) noexcept __asm__("rindex");
char* find_rindex(const char* text, int character) noexcept {
  const std::size_t size = FENCEPOST_BEHIND(strlen)(read_text(text, FENCEPOST_CALL_SITE)) + 1;
  for (const char* at = text + size; at-- != text;)
    if (*at == static_cast<char>(character)) return const_cast<char*>(at);
  return nullptr;
}

void* find_rawmemchr(const void*, int) noexcept __asm__("rawmemchr");
void* find_rawmemchr(const void* bytes, int byte) noexcept {
  const char* at = static_cast<const char*>(bytes);
  while (*at != static_cast<char>(byte)) ++at;
  watch_read(bytes, static_cast<std::size_t>(at - static_cast<const char*>(bytes)) + 1,
             FENCEPOST_CALL_SITE);
  return const_cast<char*>(at);
}
// Searches from the end.
void* find_memrchr(const void*, int, std::size_t) noexcept __asm__("memrchr");
void* find_memrchr(const void* bytes, int byte, std::size_t size) noexcept {
  const auto* const begin = static_cast<const char*>(bytes);
  const char* at = begin + size;
  while (at != begin && at[-1] != static_cast<char>(byte)) --at;
  const char* const first = at == begin ? begin : at - 1;
  watch_read(first, static_cast<std::size_t>(begin + size - first), FENCEPOST_CALL_SITE);
  return at == begin ? nullptr : const_cast<char*>(first);
}

void* find_memmem(const void*, std::size_t, const void*, std::size_t) noexcept __asm__("memmem");
void* find_memmem(const void* bytes, std::size_t size, const void* what,
                  std::size_t what_size) noexcept {
  watch_read(bytes, size, FENCEPOST_CALL_SITE);
  watch_read(what, what_size, FENCEPOST_CALL_SITE);
  const auto* const begin = static_cast<const char*>(bytes);
  const auto* const wanted = static_cast<const char*>(what);
  const char* const at = std::search(begin, begin + size, wanted, wanted + what_size);
  return at == begin + size && what_size != 0 ? nullptr : const_cast<char*>(at);
}

// NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming)

}  // extern "C"
// NOLINTEND(readability-inconsistent-declaration-parameter-name)
