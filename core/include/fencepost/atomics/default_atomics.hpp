// The policy of components for which none is named, and of the runtimes: std_atomics, or in a build
// for ThreadSanitizer tsan_atomics. If a program and Fencepost are built for it, ThreadSanitizer
// reports their races, and does not report accesses that fences order.
//
// Objects have the same layout under both; the functions differ. Fencepost and the program that
// links to it must both be built for ThreadSanitizer, or neither.
#pragma once

#include "fencepost/atomics/std_atomics.hpp"
#include "fencepost/atomics/tsan_atomics.hpp"

namespace fencepost {

#ifdef FENCEPOST_THREAD_SANITIZER
using default_atomics = tsan_atomics;
#else
using default_atomics = std_atomics;
#endif

}  // namespace fencepost
