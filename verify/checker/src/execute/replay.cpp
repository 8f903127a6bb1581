#include "fencepost/verify/replay.hpp"

namespace fencepost::verify {

// The assembly, of nothing, keeps the calls and tells the functions apart.
[[gnu::noinline]] void replay_begins() noexcept { asm volatile("" ::"i"(1) : "memory"); }
[[gnu::noinline]] void violation_here() noexcept { asm volatile("" ::"i"(2) : "memory"); }

}  // namespace fencepost::verify
