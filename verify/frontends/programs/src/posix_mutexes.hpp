// The operations of POSIX mutexes, on which those of C are built: the C library uses the same
// objects for both.
#pragma once

#include <pthread.h>

#include <ctime>
#include <span>

#include "session.hpp"

namespace fencepost::programs {

// Returns 0, or the error code of a mutex that checks its use.
int lock(session&, pthread_mutex_t*, const source_location&, kind_of_lock = kind_of_lock::posix);
// Returns the same, or ETIMEDOUT.
int lock_until(session&, pthread_mutex_t*, clockid_t, const timespec*, const source_location&,
               kind_of_lock = kind_of_lock::posix);
bool try_lock(session&, pthread_mutex_t*, const source_location&,
              kind_of_lock = kind_of_lock::posix);
// Locks mutexes of the C++ library: returns holding all, and holds none while it waits for another.
void lock_all(session&, std::span<pthread_mutex_t* const>, const source_location&);
int unlock(session&, pthread_mutex_t*, const source_location&);
void destroy(session&, pthread_mutex_t*, const source_location&);

// Whether the running thread holds the mutex.
bool is_held_here(const pthread_mutex_t*);

}  // namespace fencepost::programs
