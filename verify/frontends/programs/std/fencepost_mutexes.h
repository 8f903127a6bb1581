// What the mutexes of libstdc++ call instead of the functions for mutexes of POSIX, for which fewer
// uses are undefined (standard_mutexes.cpp). Their headers are included with these names.
#ifndef FENCEPOST_MUTEXES_H
#define FENCEPOST_MUTEXES_H

#pragma GCC system_header

#include <bits/c++config.h>  // before <bits/gthr.h>, which depends on it
#include <bits/gthr.h>
#include <pthread.h>

extern "C" {
int __fencepost_mutex_lock(pthread_mutex_t*) noexcept;
int __fencepost_mutex_trylock(pthread_mutex_t*) noexcept;
int __fencepost_mutex_timedlock(pthread_mutex_t*, const timespec*) noexcept;
int __fencepost_mutex_clocklock(pthread_mutex_t*, clockid_t, const timespec*) noexcept;
int __fencepost_rwlock_rdlock(pthread_rwlock_t*) noexcept;
int __fencepost_rwlock_tryrdlock(pthread_rwlock_t*) noexcept;
int __fencepost_rwlock_timedrdlock(pthread_rwlock_t*, const timespec*) noexcept;
int __fencepost_rwlock_clockrdlock(pthread_rwlock_t*, clockid_t, const timespec*) noexcept;
int __fencepost_rwlock_rdunlock(pthread_rwlock_t*) noexcept;
int __fencepost_rwlock_unlock(pthread_rwlock_t*) noexcept;
int __fencepost_rwlock_wrlock(pthread_rwlock_t*) noexcept;
int __fencepost_rwlock_trywrlock(pthread_rwlock_t*) noexcept;
int __fencepost_rwlock_timedwrlock(pthread_rwlock_t*, const timespec*) noexcept;
int __fencepost_rwlock_clockwrlock(pthread_rwlock_t*, clockid_t, const timespec*) noexcept;
}

#endif
