// The register by which code finds its thread_local variables, for a front end that gives each
// model thread variables of its own. Linux on x86-64 and AArch64, where programs may write it.
#pragma once

#if defined(__linux__) && defined(__x86_64__)
#include <sys/auxv.h>
#endif

namespace fencepost::verify {

class thread_pointer {
 public:
  // Whether each fiber has its own, which is swapped with the fibers.
  static constinit thread_local bool is_swapped;

#if defined(__linux__) && defined(__x86_64__)
  static bool can_be_set() noexcept {
    constexpr unsigned long fsgsbase = 2;
    return (getauxval(AT_HWCAP2) & fsgsbase) != 0;
  }
  static char* get() noexcept {
    char* p = nullptr;
    __asm__ volatile("rdfsbase %0" : "=r"(p));
    return p;
  }
  // The same value, as it is kept in the memory that it points to.
  static char* self() noexcept {
    char* p = nullptr;
    __asm__ volatile("mov %%fs:0, %0" : "=r"(p));
    return p;
  }
  static void set(char* p) noexcept { __asm__ volatile("wrfsbase %0" : : "r"(p) : "memory"); }
#elif defined(__linux__) && defined(__aarch64__)
  static bool can_be_set() noexcept { return true; }
  static char* get() noexcept {
    char* p = nullptr;
    __asm__ volatile("mrs %0, tpidr_el0" : "=r"(p));
    return p;
  }
  static char* self() noexcept { return get(); }
  static void set(char* p) noexcept { __asm__ volatile("msr tpidr_el0, %0" : : "r"(p) : "memory"); }
#else
  static bool can_be_set() noexcept { return false; }
  static char* get() noexcept { return nullptr; }
  static char* self() noexcept { return nullptr; }
  static void set(char*) noexcept {}
#endif
};

}  // namespace fencepost::verify
