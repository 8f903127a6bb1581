// Functions of the C library that ours stand before: for the checker's own calls, and for objects
// that are not the program's.
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

// An object of this type that a function returns in memory: who calls says where, on AArch64 not by
// an argument.
template <class T>
struct in_memory {
  in_memory() noexcept = default;
  in_memory(const in_memory&);  // nowhere: it is made where it is returned
  in_memory& operator=(const in_memory&) = delete;
  ~in_memory() {}  // NOLINT(modernize-use-equals-default): a trivial one would do for registers

  alignas(T) unsigned char bytes[sizeof(T)];
};

}  // namespace fencepost::programs

// The function of this name and type that is behind ours. (A local static that is initialized at
// run time would have a guard, which is one of these functions.)
// NOLINTNEXTLINE(cppcoreguidelines-macro-usage): takes a name
#define FENCEPOST_BEHIND(function) FENCEPOST_BEHIND_AS(function, #function)
// Of ours with another name in the source.
// NOLINTNEXTLINE(cppcoreguidelines-macro-usage)
#define FENCEPOST_BEHIND_AS(function, name)                                                      \
  [] {                                                                                           \
    static constinit decltype(&(function)) behind = nullptr;                                     \
    if (behind == nullptr) behind = fencepost::programs::c_library<decltype(&(function))>(name); \
    return behind;                                                                               \
  }()
