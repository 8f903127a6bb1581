// std::mutex, which the runtime can tell from a mutex of POSIX.
#ifndef FENCEPOST_STD_STD_MUTEX_H
#define FENCEPOST_STD_STD_MUTEX_H

#pragma GCC system_header

#include <fencepost_mutexes.h>
#include <system_error>

#define __gthread_mutex_lock __fencepost_mutex_lock
#define __gthread_mutex_trylock __fencepost_mutex_trylock
#include_next <bits/std_mutex.h>
#undef __gthread_mutex_trylock
#undef __gthread_mutex_lock

#endif
