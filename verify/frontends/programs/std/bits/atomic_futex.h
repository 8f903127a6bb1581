// The state of a future as the standard describes it. libstdc++'s also records whether a thread
// waits, which is more to explore, and makes system calls.
#ifndef FENCEPOST_STD_ATOMIC_FUTEX_H
#define FENCEPOST_STD_ATOMIC_FUTEX_H

#pragma GCC system_header

#define __atomic_futex_unsigned __fencepost_unused_atomic_futex
#include_next <bits/atomic_futex.h>
#undef __atomic_futex_unsigned

#include <fencepost_waits.h>

namespace std _GLIBCXX_VISIBILITY(default) {
_GLIBCXX_BEGIN_NAMESPACE_VERSION

template <unsigned _Waiter_bit = 0x80000000>
class __atomic_futex_unsigned {
 public:
  explicit __atomic_futex_unsigned(unsigned __value) : _M_data(__value) {}

  unsigned _M_load(memory_order __order) { return _M_data.load(__order); }

  unsigned _M_load_when_not_equal(unsigned __value, memory_order __order) {
    for (;;) {
      const unsigned __seen = _M_data.load(__order);
      if (__seen != __value) return __seen;
      ::__fencepost_wait_while(&_M_data, sizeof __seen, &__seen);
    }
  }
  void _M_load_when_equal(unsigned __value, memory_order) {
    ::__fencepost_await(&_M_data, sizeof __value, &__value);
  }
  // Returns false if the wait has timed out.
  template <typename _Rep, typename _Period>
  bool _M_load_when_equal_for(unsigned __value, memory_order __order,
                              const chrono::duration<_Rep, _Period>& __how_long) {
    using __duration = chrono::steady_clock::duration;
    return _M_load_when_equal_until(
        __value, __order,
        chrono::steady_clock::now() + chrono::__detail::ceil<__duration>(__how_long));
  }
  template <typename _Clock, typename _Duration>
  bool _M_load_when_equal_until(unsigned __value, memory_order __order,
                                const chrono::time_point<_Clock, _Duration>& __end) {
    for (;;) {
      const unsigned __seen = _M_data.load(__order);
      if (__seen == __value) return true;
      const auto __left = chrono::__detail::ceil<chrono::nanoseconds>(__end - _Clock::now());
      if (!::__fencepost_wait_for(&_M_data, sizeof __seen, &__seen, __left.count()))
        return _M_data.load(__order) == __value;
    }
  }
  void _M_store_notify_all(unsigned __value, memory_order __order) {
    _M_data.store(__value, __order);
    ::__fencepost_notify(&_M_data, true);
  }

 private:
  atomic<unsigned> _M_data;
};

_GLIBCXX_END_NAMESPACE_VERSION
}  // namespace std

#endif
