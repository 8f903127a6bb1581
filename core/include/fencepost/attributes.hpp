// Attributes that compilers spell differently, and warn of in the spelling of another.
#pragma once

// NOINLINE: before a function that is seldom called: out of line, so that its callers stay small.
// COLD: and away from the code that is called often, where the compiler can.
// INLINE: before one that must be inlined: the compiler would weigh its call wrongly, or build what
// it returns in memory.
#if defined(_MSC_VER) && !defined(__clang__)
#define FENCEPOST_NOINLINE __declspec(noinline)
#define FENCEPOST_NOINLINE_COLD __declspec(noinline)
#define FENCEPOST_INLINE __forceinline
#else
#define FENCEPOST_NOINLINE [[gnu::noinline]]
#define FENCEPOST_NOINLINE_COLD [[gnu::noinline, gnu::cold]]
#define FENCEPOST_INLINE [[gnu::always_inline]] inline
#endif
