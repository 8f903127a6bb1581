// What the C++ library stores with an exception, laid out as in the C++ ABI on 64-bit systems, with
// the reference count that the GNU library puts before it.
#pragma once

#include <unwind.h>

#include <cstdint>

namespace fencepost::programs {

// The header before an object that was thrown. An exception that is rethrown through a pointer to
// it has a header of its own, which begins with the object instead of the type.
struct header {
  union {
    const void* type;
    void* object;
  };
  void (*destructor)(void*);
  void* unexpected_handler;
  void (*terminate_handler)();
  header* next;
  int handlers;
  int switch_value;
  const unsigned char* action;
  const unsigned char* language_data;
  void* catch_temporary;
  void* adjusted;
  _Unwind_Exception unwind;
};
struct counted {
  alignas(16) int count;
  header rest;
};
static_assert(sizeof(header) == 112 && sizeof(counted) == 128);

// The C++ library's data on the exceptions of a thread.
struct globals {
  header* caught;
  unsigned uncaught;
};

inline counted& of_object(void* object) { return static_cast<counted*>(object)[-1]; }
inline header& of_unwind(_Unwind_Exception* u) {
  return *reinterpret_cast<header*>(reinterpret_cast<char*>(u + 1) - sizeof(header));
}

constexpr std::uint64_t once_more = 1;  // the last byte of the class: rethrown through a pointer
constexpr std::uint64_t gnu_class = 0x474e'5543'432b'2b00;

inline bool is_of_cpp(const _Unwind_Exception& u) {
  return (u.exception_class & ~once_more) == gnu_class;
}

// Returns the object that was thrown, whether directly or through a pointer to it.
inline void* thrown_object(header& h) {
  return (h.unwind.exception_class & once_more) != 0 ? h.object : &h + 1;
}

}  // namespace fencepost::programs
