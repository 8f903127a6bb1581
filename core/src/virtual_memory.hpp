// What the operating system is asked for: address space, and memory for parts of it.
//
// Addresses and sizes are multiples of page_size(). A function that fails says so and has left
// everything as it was, where it does not say otherwise; system_error() is why.
#pragma once

#include <cstddef>
#include <string>

namespace fencepost::detail::virtual_memory {

std::size_t page_size() noexcept;

// Address space whose every access faults; null if there is none left.
void* reserve(std::size_t size) noexcept;
// Gives it back, committed or not.
void release(void* at, std::size_t size) noexcept;

// Memory for it: zeroes. It is not there until it is touched, but it has been promised.
bool commit(void* at, std::size_t size) noexcept;
// Gives memory and promise back at once; accesses fault again. If it fails, the range is lost: it
// may be anyone's, and must not be committed, decommitted or released.
bool decommit(void* at, std::size_t size) noexcept;

// Why the last of these functions failed in this thread, and what that number means.
int system_error() noexcept;
std::string describe(int system_error);

}  // namespace fencepost::detail::virtual_memory
