// Waiting on atomics with a time-out, as in atomic_wait.h. Semaphores are built on it.
#ifndef FENCEPOST_STD_ATOMIC_TIMED_WAIT_H
#define FENCEPOST_STD_ATOMIC_TIMED_WAIT_H

#pragma GCC system_header

#include <bits/c++config.h>

// Later versions may have other names.
#if _GLIBCXX_RELEASE < 15

// libstdc++'s functions get other names.
#define __atomic_wait_address_until_v __fencepost_unused_wait_until_v
#define __atomic_wait_address_until __fencepost_unused_wait_until
#define __atomic_wait_address_until_bare __fencepost_unused_wait_until_bare
#define __atomic_wait_address_for_v __fencepost_unused_wait_for_v
#define __atomic_wait_address_for __fencepost_unused_wait_for
#define __atomic_wait_address_for_bare __fencepost_unused_wait_for_bare
#include_next <bits/atomic_timed_wait.h>
#undef __atomic_wait_address_until_v
#undef __atomic_wait_address_until
#undef __atomic_wait_address_until_bare
#undef __atomic_wait_address_for_v
#undef __atomic_wait_address_for
#undef __atomic_wait_address_for_bare

#include <fencepost_waits.h>

namespace std _GLIBCXX_VISIBILITY(default) {
_GLIBCXX_BEGIN_NAMESPACE_VERSION

namespace __detail {

template <typename _Clock, typename _Dur>
long long __fencepost_left(const chrono::time_point<_Clock, _Dur>& __atime) {
  return chrono::ceil<chrono::nanoseconds>(__atime - _Clock::now()).count();
}

template <typename _Rep, typename _Period>
chrono::steady_clock::time_point __fencepost_end(const chrono::duration<_Rep, _Period>& __rtime) {
  return chrono::steady_clock::now() + chrono::ceil<chrono::steady_clock::duration>(__rtime);
}

}  // namespace __detail

template <typename _Tp, typename _ValFn, typename _Clock, typename _Dur>
bool __atomic_wait_address_until_v(const _Tp* __addr, _Tp&& __old, _ValFn&& __vfn,
                                   const chrono::time_point<_Clock, _Dur>& __atime) noexcept {
  while (__detail::__atomic_compare(__old, __vfn()))
    if (!::__fencepost_wait_for(__addr, sizeof(_Tp), &__old, __detail::__fencepost_left(__atime)))
      return !__detail::__atomic_compare(__old, __vfn());
  return true;
}

// For semaphores, as in atomic_wait.h.
template <typename _Pred, typename _Clock, typename _Dur>
bool __atomic_wait_address_until_bare(const __detail::__platform_wait_t* __addr, _Pred __pred,
                                      const chrono::time_point<_Clock, _Dur>& __atime) noexcept {
  const __detail::__platform_wait_t __none = 0;
  while (!__pred())
    if (!::__fencepost_wait_for(__addr, sizeof __none, &__none,
                                __detail::__fencepost_left(__atime)))
      return __pred();
  return true;
}

template <typename _Tp, typename _ValFn, typename _Rep, typename _Period>
bool __atomic_wait_address_for_v(const _Tp* __addr, _Tp&& __old, _ValFn&& __vfn,
                                 const chrono::duration<_Rep, _Period>& __rtime) noexcept {
  return std::__atomic_wait_address_until_v(__addr, std::forward<_Tp>(__old),
                                            std::forward<_ValFn>(__vfn),
                                            __detail::__fencepost_end(__rtime));
}

template <typename _Pred, typename _Rep, typename _Period>
bool __atomic_wait_address_for_bare(const __detail::__platform_wait_t* __addr, _Pred __pred,
                                    const chrono::duration<_Rep, _Period>& __rtime) noexcept {
  return std::__atomic_wait_address_until_bare(__addr, __pred, __detail::__fencepost_end(__rtime));
}

_GLIBCXX_END_NAMESPACE_VERSION
}  // namespace std

#else
#include_next <bits/atomic_timed_wait.h>
#endif

#endif
