// Functions of the C library for wide characters, which std::wstring uses. Their accesses are
// watched like the program's own.

#include <cstddef>
#include <cwchar>

#include "c_library.hpp"
#include "session.hpp"

using fencepost::programs::call_site;
using fencepost::programs::entered;

namespace {

void read(const wchar_t* text, std::size_t length, const call_site& c) noexcept {
  if (const entered s; s) s->read_for_program(text, length * sizeof *text, c);
}

void copy(wchar_t* to, const wchar_t* from, std::size_t length, const call_site& c) noexcept {
  if (const entered s; s) s->copy(to, from, length * sizeof *to, s->place(c));
}

}  // namespace

// The C library names its parameters with reserved names.
// NOLINTBEGIN(readability-inconsistent-declaration-parameter-name)
extern "C" {

std::size_t wcslen(const wchar_t* text) noexcept {
  const std::size_t length = FENCEPOST_BEHIND(wcslen)(text);
  read(text, length + 1, FENCEPOST_CALL_SITE);
  return length;
}

// Reads up to the character that is found, as the C standard says of memchr().
wchar_t* find_wmemchr(wchar_t*, wchar_t, std::size_t) noexcept __asm__("wmemchr");
wchar_t* find_wmemchr(wchar_t* text, wchar_t character, std::size_t length) noexcept {
  wchar_t* const end = text + length;
  wchar_t* at = text;
  while (at != end && *at != character) ++at;
  read(text, static_cast<std::size_t>(at - text) + (at != end ? 1 : 0), FENCEPOST_CALL_SITE);
  return at != end ? at : nullptr;
}

int wmemcmp(const wchar_t* a, const wchar_t* b, std::size_t length) noexcept {
  read(a, length, FENCEPOST_CALL_SITE);
  read(b, length, FENCEPOST_CALL_SITE);
  return FENCEPOST_BEHIND(wmemcmp)(a, b, length);
}

wchar_t* wmemcpy(wchar_t* to, const wchar_t* from, std::size_t length) noexcept {
  copy(to, from, length, FENCEPOST_CALL_SITE);
  return FENCEPOST_BEHIND(wmemcpy)(to, from, length);
}

wchar_t* wmemmove(wchar_t* to, const wchar_t* from, std::size_t length) noexcept {
  copy(to, from, length, FENCEPOST_CALL_SITE);
  return FENCEPOST_BEHIND(wmemmove)(to, from, length);
}

wchar_t* wmemset(wchar_t* to, wchar_t character, std::size_t length) noexcept {
  if (const entered s; s) s->write(to, length * sizeof *to, s->place(FENCEPOST_CALL_SITE));
  return FENCEPOST_BEHIND(wmemset)(to, character, length);
}

}  // extern "C"
// NOLINTEND(readability-inconsistent-declaration-parameter-name)
