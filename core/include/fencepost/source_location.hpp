// A location in the source code.
//
// The interface of std::source_location, for compilers that do not have it yet (clang before 16
// with libstdc++). As a default argument, current() names the caller's line:
//
//   void store(T value, std::memory_order order, source_location where =
//   source_location::current());
#pragma once

#include <cstdint>
#if __has_include(<source_location>)
#include <source_location>
#endif

namespace fencepost {

#if defined(__has_builtin)
#if __has_builtin(__builtin_COLUMN)
#define FENCEPOST_BUILTIN_COLUMN __builtin_COLUMN()
#endif
#endif
// g++ has no such builtin, and gives the column of the opening parenthesis where clang++ gives that
// of the beginning of the expression.
#if !defined(FENCEPOST_BUILTIN_COLUMN)
#if defined(__cpp_lib_source_location)
#define FENCEPOST_BUILTIN_COLUMN std::source_location::current().column()
#else
#define FENCEPOST_BUILTIN_COLUMN 0
#endif
#endif

struct source_location {
  const char* file = "";
  const char* function = "";
  std::uint32_t line = 0;
  std::uint32_t column = 0;  // 0: unknown

  static constexpr source_location current(
      const char* file = __builtin_FILE(), const char* function = __builtin_FUNCTION(),
      std::uint32_t line = __builtin_LINE(),
      std::uint32_t column = FENCEPOST_BUILTIN_COLUMN) noexcept {
    return {file, function, line, column};
  }

  friend constexpr bool operator==(const source_location&, const source_location&) = default;
};

#undef FENCEPOST_BUILTIN_COLUMN

}  // namespace fencepost
