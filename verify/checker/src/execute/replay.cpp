#include "fencepost/verify/replay.hpp"

namespace fencepost::verify {

// The empty assembly keeps the calls, and keeps the functions from being merged. They are protected
// so that a shared library that contains them calls them directly: a breakpoint would otherwise be
// set in the procedure linkage table as well.
#define FENCEPOST_FOR_DEBUGGERS [[gnu::noinline, gnu::visibility("protected")]]

FENCEPOST_FOR_DEBUGGERS void replay_begins() noexcept { asm volatile("" ::"i"(1) : "memory"); }
FENCEPOST_FOR_DEBUGGERS void violation_here() noexcept { asm volatile("" ::"i"(2) : "memory"); }

}  // namespace fencepost::verify
