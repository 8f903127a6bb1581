// Attributes whose spelling differs between compilers, which warn about each other's.
#pragma once

// NOINLINE: keeps a rarely called function out of line, so that its callers stay small.
// COLD: also places it away from frequently called code, where the compiler can.
// INLINE: forces inlining where the compiler would misjudge the cost of the call, or would build
// the result in memory.
#if defined(_MSC_VER) && !defined(__clang__)
#define FENCEPOST_NOINLINE __declspec(noinline)
#define FENCEPOST_NOINLINE_COLD __declspec(noinline)
#define FENCEPOST_INLINE __forceinline
#else
#define FENCEPOST_NOINLINE [[gnu::noinline]]
#define FENCEPOST_NOINLINE_COLD [[gnu::noinline, gnu::cold]]
#define FENCEPOST_INLINE [[gnu::always_inline]] inline
#endif
