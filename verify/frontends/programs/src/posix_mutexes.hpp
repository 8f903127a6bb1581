// Mutexes of POSIX as those of C are built on them: the objects of both are the same in the C
// library.
#pragma once

#include <pthread.h>

#include <ctime>
#include <span>

#include "session.hpp"

namespace fencepost::programs {

// 0, or the error of one that checks its use.
int lock(session&, pthread_mutex_t*, const source_location&, kind_of_lock = kind_of_lock::posix);
// The same, or ETIMEDOUT.
int lock_until(session&, pthread_mutex_t*, clockid_t, const timespec*, const source_location&,
               kind_of_lock = kind_of_lock::posix);
bool try_lock(session&, pthread_mutex_t*, const source_location&,
              kind_of_lock = kind_of_lock::posix);
// Mutexes of the C++ library: holds all of them when it returns, without holding one while it waits
// for another.
void lock_all(session&, std::span<pthread_mutex_t* const>, const source_location&);
int unlock(session&, pthread_mutex_t*, const source_location&);
void destroy(session&, pthread_mutex_t*, const source_location&);

// Whether this thread holds it.
bool is_held_here(const pthread_mutex_t*);

}  // namespace fencepost::programs
