// The operations of POSIX condition variables, on which those of C are built: the C library uses
// the same objects for both.
#pragma once

#include <pthread.h>

#include <ctime>

#include "session.hpp"

namespace fencepost::programs {

void wait(session&, pthread_cond_t*, pthread_mutex_t*, const source_location&);
bool wait_until(session&, pthread_cond_t*, pthread_mutex_t*, clockid_t, const timespec*,
                const source_location&);
void notify(session&, pthread_cond_t*, unsigned count, const source_location&);
void destroy(session&, pthread_cond_t*, const source_location&);

}  // namespace fencepost::programs
