// A fake of macOS's header: what the port uses of it, so that it compiles elsewhere. The test
// defines the functions.
#pragma once

#include <cstddef>
#include <cstdint>

enum os_sync_wait_on_address_flags_t : std::uint32_t { OS_SYNC_WAIT_ON_ADDRESS_NONE = 0 };
enum os_sync_wake_by_address_flags_t : std::uint32_t { OS_SYNC_WAKE_BY_ADDRESS_NONE = 0 };
enum os_clockid_t : std::uint32_t { OS_CLOCK_MACH_ABSOLUTE_TIME = 32 };

extern "C" {
int os_sync_wait_on_address(void* at, std::uint64_t value, std::size_t size,
                            os_sync_wait_on_address_flags_t flags);
int os_sync_wait_on_address_with_timeout(void* at, std::uint64_t value, std::size_t size,
                                         os_sync_wait_on_address_flags_t flags, os_clockid_t clock,
                                         std::uint64_t timeout);
int os_sync_wake_by_address_any(void* at, std::size_t size, os_sync_wake_by_address_flags_t flags);
int os_sync_wake_by_address_all(void* at, std::size_t size, os_sync_wake_by_address_flags_t flags);
}
