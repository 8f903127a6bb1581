// Where threads run and where their memory lies: places, each a core of the machine with the memory
// that is near it.
//
// The places are the cores that the process may use, numbered so that neighbours are far from each
// other: the first core of each memory node, then the second of each. A place has all hardware
// threads of its core, and the system chooses among them. Numbers are taken modulo the number of
// places, so that worker n asks for place n.
//
// With hwloc only (FENCEPOST_WITH_HWLOC; CMake finds it). Without, there are no places, and all
// that is asked for here is answered with no. What the machine looks like is asked for once, by the
// first call, which takes some milliseconds; that it may use fewer processors later is not noticed.
//
// Threads: any thread, at any time. Nothing is ordered by these functions.
// Source: Lace's design notes, "NUMA" (LACE-78, LACE-79).
#pragma once

#include <cstddef>
#include <cstdint>

namespace fencepost::placement {

// Whether there are any places.
bool available() noexcept;
// How many; 0: placement is not available.
std::uint32_t places() noexcept;

// The memory node of place n, by the system's number; 0 if there are no places.
std::uint32_t node(std::uint32_t n) noexcept;

// Keeps the calling thread at place n. False: it runs where it did, because the system says no or
// placement is not available.
bool pin_this_thread(std::uint32_t n) noexcept;

// Has the memory of some pages that nobody has touched come from the node of place n, as long as it
// has some. False: whoever touches them decides.
bool bind_memory(void* at, std::size_t size, std::uint32_t n) noexcept;

}  // namespace fencepost::placement
