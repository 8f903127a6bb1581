#include "compiler.hpp"

// In a program of which a part was compiled so (std/fencepost_calls.h).
// NOLINTBEGIN(bugprone-reserved-identifier,readability-identifier-naming,modernize-avoid-c-arrays)
extern "C" {
[[gnu::weak]] extern const char __fencepost_by_clang[];
[[gnu::weak]] extern const char __fencepost_by_gcc[];
[[gnu::weak]] extern const char __fencepost_optimized;
}
// NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming,modernize-avoid-c-arrays)

namespace fencepost::programs {

compiler compiler_of_program() noexcept {
  // Asked for with each write to an atomic object on a stack.
  static const compiler known =
      static_cast<const char*>(__fencepost_by_clang) == nullptr ? compiler::gcc
      : static_cast<const char*>(__fencepost_by_gcc) == nullptr ? compiler::clang
                                                                : compiler::both;
  return known;
}

std::string name_of_compiler() {
  if (compiler_of_program() != compiler::clang) return {};
  const std::string version = __fencepost_by_clang;
  return version.substr(0, version.find(" ("));
}

bool is_optimized() noexcept { return &__fencepost_optimized != nullptr; }

}  // namespace fencepost::programs
