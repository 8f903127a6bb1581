// Waiting on atomics as the standard describes it, instead of libstdc++'s way, which spins before
// it sleeps, and counts sleeping threads in a table: as a model of the library that would be slow,
// and its fences are those of hardware. Semaphores are built on this.
#ifndef FENCEPOST_STD_ATOMIC_WAIT_H
#define FENCEPOST_STD_ATOMIC_WAIT_H

#pragma GCC system_header

#include <bits/c++config.h>

// Later versions may have other names.
#if _GLIBCXX_RELEASE < 15

// libstdc++'s functions get other names.
#define __atomic_spin __fencepost_unused_spin
#define __atomic_wait_address_v __fencepost_unused_wait_v
#define __atomic_wait_address __fencepost_unused_wait
#define __atomic_wait_address_bare __fencepost_unused_wait_bare
#define __atomic_notify_address __fencepost_unused_notify
#define __atomic_notify_address_bare __fencepost_unused_notify_bare
#include_next <bits/atomic_wait.h>
#undef __atomic_spin
#undef __atomic_wait_address_v
#undef __atomic_wait_address
#undef __atomic_wait_address_bare
#undef __atomic_notify_address
#undef __atomic_notify_address_bare

#include <fencepost_waits.h>

namespace std _GLIBCXX_VISIBILITY(default) {
_GLIBCXX_BEGIN_NAMESPACE_VERSION

namespace __detail {

// One try stands for any number of tries with the same result.
template <typename _Pred, typename _Spin = __default_spin_policy>
bool __atomic_spin(_Pred& __pred, _Spin = _Spin{}) noexcept {
  return __pred();
}

}  // namespace __detail

template <typename _Tp, typename _ValFn>
void __atomic_wait_address_v(const _Tp* __addr, _Tp __old, _ValFn __vfn) noexcept {
  while (__detail::__atomic_compare(__old, __vfn()))
    ::__fencepost_wait_while(__addr, sizeof(_Tp), &__old);
}

// For semaphores: the predicate acquires. It fails if the count is zero, or if another thread was
// faster, but only a count of zero is a reason to wait. (libstdc++ waits for a value that it has
// read before, which may have come again: GCC bug 104928.)
template <typename _Pred>
void __atomic_wait_address_bare(const __detail::__platform_wait_t* __addr, _Pred __pred) noexcept {
  const __detail::__platform_wait_t __none = 0;
  while (!__pred()) ::__fencepost_wait_while(__addr, sizeof __none, &__none);
}

template <typename _Tp>
void __atomic_notify_address(const _Tp* __addr, bool __all) noexcept {
  ::__fencepost_use(__addr, sizeof(_Tp));
  ::__fencepost_notify(__addr, __all);
}

inline void __atomic_notify_address_bare(const __detail::__platform_wait_t* __addr,
                                         bool __all) noexcept {
  ::__fencepost_notify(__addr, __all);
}

_GLIBCXX_END_NAMESPACE_VERSION
}  // namespace std

#else
#include_next <bits/atomic_wait.h>
#endif

#endif
