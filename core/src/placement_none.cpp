// Placement in a library that was built without hwloc.
#include "fencepost/runtime/placement.hpp"

namespace fencepost::placement {

bool available() noexcept { return false; }
std::uint32_t places() noexcept { return 0; }
std::uint32_t node(std::uint32_t) noexcept { return 0; }
bool pin_this_thread(std::uint32_t) noexcept { return false; }
bool bind_memory(void*, std::size_t, std::uint32_t) noexcept { return false; }

}  // namespace fencepost::placement
