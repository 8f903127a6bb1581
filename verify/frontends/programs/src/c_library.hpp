// The C library's definitions of functions that the runtime replaces: for the checker's own calls,
// and for objects that are not the program's.
#pragma once

#include <dlfcn.h>

#include <cstdlib>

namespace fencepost::programs {

template <class Function>
Function c_library(const char* name) {
  void* const found = dlsym(RTLD_NEXT, name);
  if (found == nullptr) std::abort();
  return reinterpret_cast<Function>(found);
}

// An object of this type that a function returns in memory. The caller says where; on AArch64 it
// does not do so by an argument.
template <class T>
struct in_memory {
  in_memory() noexcept = default;
  in_memory(const in_memory&);  // never defined: it is constructed where it is returned
  in_memory& operator=(const in_memory&) = delete;
  ~in_memory() {}  // NOLINT(modernize-use-equals-default): a trivial one would do for registers

  alignas(T) unsigned char bytes[sizeof(T)];
};

}  // namespace fencepost::programs

// The library's function of this name and type, which the runtime's function hides. (A local static
// that is initialized at run time would need a guard, whose functions are among these.)
// NOLINTNEXTLINE(cppcoreguidelines-macro-usage): takes a name
#define FENCEPOST_BEHIND(function) FENCEPOST_BEHIND_AS(function, #function)
// The same for a function of the runtime that has another name in the source.
// NOLINTNEXTLINE(cppcoreguidelines-macro-usage)
#define FENCEPOST_BEHIND_AS(function, name)                                                      \
  [] {                                                                                           \
    static constinit decltype(&(function)) behind = nullptr;                                     \
    if (behind == nullptr) behind = fencepost::programs::c_library<decltype(&(function))>(name); \
    return behind;                                                                               \
  }()
