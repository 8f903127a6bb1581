// Where threads run and where their memory lies: places, each a core of the machine with the memory
// that is near it.
//
// The places are the cores that the process may use, numbered so that neighbours are far from each
// other: the first core of each memory node, then the second of each. A place has all hardware
// threads of its core, and the system chooses among them. Numbers are taken modulo the number of
// places, so that worker n asks for place n.
//
// Requires hwloc (FENCEPOST_WITH_HWLOC; CMake finds it). Without it there are no places, and every
// function here returns false or 0. The first call examines the machine, which takes some
// milliseconds; if the process is restricted to fewer processors later, that is not noticed.
//
// Threads: any thread, at any time. Nothing is ordered by these functions.
// Source: Lace's design notes, "NUMA" (LACE-78, LACE-79).
#pragma once

#include <cstddef>
#include <cstdint>

namespace fencepost::placement {

// Whether there are any places.
bool available() noexcept;
// The number of places; 0 if placement is not available.
std::uint32_t places() noexcept;

// The memory node of place n, by the system's number; 0 if there are no places.
std::uint32_t node(std::uint32_t n) noexcept;

// Pins the calling thread to place n. False if it runs where it did, because the system refuses or
// placement is not available.
bool pin_this_thread(std::uint32_t n) noexcept;

// Binds pages that no thread has touched yet to the node of place n: their memory comes from there,
// as long as it has some. False if not: then the first thread to touch a page decides.
bool bind_memory(void* at, std::size_t size, std::uint32_t n) noexcept;

}  // namespace fencepost::placement
