// What AddressSanitizer must be told about: memory and stacks that are reused.
#pragma once

#include <cstddef>

#if __has_include(<sanitizer/asan_interface.h>)
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif
#if defined(__SANITIZE_ADDRESS__)
#define FENCEPOST_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define FENCEPOST_ASAN 1
#endif
#endif

namespace fencepost::verify {

// Makes these bytes accessible again before they are reused. An earlier execution may have left
// poisoned ones there: the frames of an abandoned thread or, with clang++, the length of an array.
inline void unpoison([[maybe_unused]] const void* at, [[maybe_unused]] std::size_t size) noexcept {
#ifdef FENCEPOST_ASAN
  __asan_unpoison_memory_region(at, size);
#endif
}

}  // namespace fencepost::verify
