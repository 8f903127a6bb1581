// The operations of POSIX threads, on which those of C are built.
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
// The running thread ends: it must not hold a mutex or lock of the C++ library.
void require_no_locks(session&);

}  // namespace fencepost::programs
