// What a function of a stream may access: the stream, its buffer, and the text in the buffer.
#pragma once

#include <algorithm>
#include <cstddef>
#include <iostream>
#include <sstream>
#include <string>

#include "library_calls.hpp"
#include "standard_streams.hpp"

namespace fencepost::programs {

extern "C" const void* const virtual_table_of_stringbuf[] __asm__(
    "_ZTVNSt7__cxx1115basic_stringbufIcSt11char_traitsIcESaIcEEE");

template <>
struct parts<std::string> {
  static void tell(const std::string* s, const accesses& access) {
    if (!access.owns(s)) return;
    access(s, sizeof(std::string));
    const void* const text = s->data();
    if (text < s || text >= s + 1) access(text, s->capacity() + 1);
  }
};

// Nothing is reported for a buffer that is not the program's, such as that of std::cout.
template <>
struct parts<std::streambuf> {
  static void tell(const std::streambuf* b, const accesses& access) {
    if (!access.owns(b)) return;
    access(b, sizeof(void*));
    if (*reinterpret_cast<const void* const* const*>(b) != virtual_table_of_stringbuf + 2)
      access.refuse("a stream buffer that is not a std::stringbuf is not modelled");
    access(b, sizeof(std::stringbuf));
    tell_text(*b, access);
  }

 private:
  // The text, unless it is in the buffer object itself.
  static void tell_text(const std::streambuf& b, const accesses& access) {
    struct pointers : std::streambuf {
      static const char* first(const std::streambuf& b) {
        const char* const written = (b.*&pointers::pbase)();
        const char* const read = (b.*&pointers::eback)();
        return written == nullptr || read == nullptr ? std::max(written, read)
                                                     : std::min(written, read);
      }
      static const char* last(const std::streambuf& b) {
        return std::max((b.*&pointers::epptr)(), (b.*&pointers::egptr)());
      }
    };
    const char* const text = pointers::first(b);
    if (static_cast<const void*>(text) < &b ||
        text >= reinterpret_cast<const char*>(&b) + sizeof(std::stringbuf))
      access(text, static_cast<std::size_t>(pointers::last(b) - text));
  }
};
template <>
struct parts<std::stringbuf> : parts<std::streambuf> {};

// The common base of all streams. Only members of the derived classes access its buffer.
template <>
struct parts<std::ios> {
  static void tell(const std::ios* s, const accesses& access) {
    if (!is_standard_stream(s)) access(s, sizeof *s);
  }
};

template <class Stream>
struct parts_of_stream {
  static void tell(const Stream* s, const accesses& access) {
    const bool standard = is_standard_stream(s);
    if (!access.owns(s) && !standard) return;
    if (!standard) access(s, sizeof *s - sizeof(std::ios));
    const std::ios& base = *s;
    parts<std::ios>::tell(&base, access);
    parts<std::streambuf>::tell(base.rdbuf(), access);
  }
};
template <>
struct parts<std::ostream> : parts_of_stream<std::ostream> {};
template <>
struct parts<std::istream> : parts_of_stream<std::istream> {};

// What a constructor for a part of another object makes: everything but the common base, which has
// a constructor call of its own.
template <class Stream>
struct part_of {
  char bytes[sizeof(Stream) - sizeof(std::ios)];
};

}  // namespace fencepost::programs
