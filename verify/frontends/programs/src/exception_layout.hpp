// What the C++ library keeps of an exception: the layout is the one of the C++ ABI on 64-bit
// systems, with the count that the GNU library puts before it.
#pragma once

#include <unwind.h>

#include <cstdint>

namespace fencepost::programs {

// What comes before an object that was thrown. One that is thrown again by a pointer to it has a
// header of its own, which begins with the object instead.
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

// Of a thread, in the C++ library.
struct globals {
  header* caught;
  unsigned uncaught;
};

inline counted& of_object(void* object) { return static_cast<counted*>(object)[-1]; }
inline header& of_unwind(_Unwind_Exception* u) {
  return *reinterpret_cast<header*>(reinterpret_cast<char*>(u + 1) - sizeof(header));
}

constexpr std::uint64_t once_more = 1;  // the last byte of the class: thrown by a pointer
constexpr std::uint64_t gnu_class = 0x474e'5543'432b'2b00;

inline bool is_of_cpp(const _Unwind_Exception& u) {
  return (u.exception_class & ~once_more) == gnu_class;
}

// What was thrown, perhaps by a pointer to it.
inline void* thrown_object(header& h) {
  return (h.unwind.exception_class & once_more) != 0 ? h.object : &h + 1;
}

}  // namespace fencepost::programs
