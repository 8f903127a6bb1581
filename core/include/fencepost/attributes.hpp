// Attributes that compilers spell differently, and warn of in the spelling of another.
#pragma once

// Before a function that is seldom called: out of line, so that what calls it stays small.
// COLD: and away from the code that is called often, where the compiler can.
// INLINE: before one that does nothing, lest its call counts when the compiler weighs its caller.
#if defined(_MSC_VER) && !defined(__clang__)
#define FENCEPOST_NOINLINE __declspec(noinline)
#define FENCEPOST_NOINLINE_COLD __declspec(noinline)
#define FENCEPOST_INLINE __forceinline
#else
#define FENCEPOST_NOINLINE [[gnu::noinline]]
#define FENCEPOST_NOINLINE_COLD [[gnu::noinline, gnu::cold]]
#define FENCEPOST_INLINE [[gnu::always_inline]] inline
#endif
