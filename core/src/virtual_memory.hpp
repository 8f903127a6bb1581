// Virtual memory: address space from the operating system, and memory for parts of it.
//
// Addresses and sizes are multiples of page_size(). A function that fails says so, and has changed
// nothing unless its comment says otherwise; system_error() returns the reason.
#pragma once

#include <cstddef>
#include <string>

namespace fencepost::detail::virtual_memory {

std::size_t page_size() noexcept;

// Reserves address space, where every access faults; returns null if there is none left.
void* reserve(std::size_t size) noexcept;
// Returns it to the system, committed or not.
void release(void* at, std::size_t size) noexcept;

// Makes a reserved range accessible; it contains zeroes. The system provides memory for it only
// when it is touched, but has committed itself to do so.
bool commit(void* at, std::size_t size) noexcept;
// Returns the memory to the system at once, and ends its commitment; accesses fault again. If this
// fails, the range is lost: another mapping may occupy it, and it must not be committed,
// decommitted or released.
bool decommit(void* at, std::size_t size) noexcept;

// The error number of the last of these functions that failed in this thread, and its description.
int system_error() noexcept;
std::string describe(int system_error);

}  // namespace fencepost::detail::virtual_memory
