// Reader-writer locks of POSIX as those of the C++ library are built on them.
#pragma once

#include "posix_words.hpp"

namespace fencepost::programs {

// False: somebody has it, until its time is up.
bool lock_to_read(session&, void* lock, nanoseconds left, const source_location&, kind_of_lock);
bool lock_to_write(session&, void* lock, nanoseconds left, const source_location&, kind_of_lock);
// False: somebody has it.
bool try_to_read(session&, void* lock, const source_location&, kind_of_lock);
bool try_to_write(session&, void* lock, const source_location&, kind_of_lock);

}  // namespace fencepost::programs
