// The policy that components take when none is named, and that the runtimes run on: std_atomics,
// and in a build for ThreadSanitizer tsan_atomics. So whoever builds a program and Fencepost for it
// is told of races, and not of what fences order.
//
// Objects have the same layout with both; the functions are others. Fencepost and the program that
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
