// Threads of POSIX as those of C are built on them.
#pragma once

#include <pthread.h>

#include "session.hpp"
#include "thread_table.hpp"

namespace fencepost::programs {

unsigned thread_of(pthread_t, const source_location&);
pthread_t create_thread(session&, const thread_start&, const source_location&);
void* join_thread(session&, pthread_t, const source_location&);
void detach_thread(session&, pthread_t, const source_location&);
pthread_t this_thread();
// The thread that is running ends: it must hold no mutex or lock of the C++ library.
void require_no_locks(session&);

}  // namespace fencepost::programs
