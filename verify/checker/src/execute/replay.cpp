#include "fencepost/verify/replay.hpp"

namespace fencepost::verify {

// The assembly, of nothing, keeps the calls and tells the functions apart. Protected, so that a
// shared library that has them calls them without an entry in between, where a breakpoint would be
// as well.
#define FENCEPOST_FOR_DEBUGGERS [[gnu::noinline, gnu::visibility("protected")]]

FENCEPOST_FOR_DEBUGGERS void replay_begins() noexcept { asm volatile("" ::"i"(1) : "memory"); }
FENCEPOST_FOR_DEBUGGERS void violation_here() noexcept { asm volatile("" ::"i"(2) : "memory"); }

}  // namespace fencepost::verify
