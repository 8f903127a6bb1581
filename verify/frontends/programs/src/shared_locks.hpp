// The operations of POSIX reader-writer locks, on which those of the C++ library are built.
#pragma once

#include <cstdint>

#include "posix_words.hpp"

namespace fencepost::programs {

// These return false if another thread holds the lock until the time is up.
bool lock_to_read(session&, void* lock, nanoseconds left, const source_location&, kind_of_lock);
bool lock_to_write(session&, void* lock, nanoseconds left, const source_location&, kind_of_lock);
// These return false if another thread holds the lock.
bool try_to_read(session&, void* lock, const source_location&, kind_of_lock);
bool try_to_write(session&, void* lock, const source_location&, kind_of_lock);

// What the thread is to hold it for. POSIX asks for no more than that it does.
enum class held_to : std::uint8_t { read, write, either };
void unlock_shared_lock(session&, void* lock, held_to, const source_location&);

}  // namespace fencepost::programs
