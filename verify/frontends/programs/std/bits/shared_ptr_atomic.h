// Atomic operations on shared_ptr and weak_ptr as the standard describes them: the two pointers are
// one atomic object, with the orders of the program. libstdc++ keeps them under a lock, which
// load() unlocks with a relaxed operation (in g++ 12), so that its read races with the next store.
#ifndef _SHARED_PTR_ATOMIC_H
#define _SHARED_PTR_ATOMIC_H 1

#pragma GCC system_header

#include <bits/atomic_base.h>

extern "C" {
// While a thread holds the lock, no other thread changes the two pointers or reads them.
void __fencepost_lock_pair(const void* pair, int* lock, const char* operation) noexcept;
void __fencepost_unlock_pair(int* lock) noexcept;
void __fencepost_load_pair(const void* pair, void* to, int order) noexcept;
void __fencepost_exchange_pair(void* pair, void* with, int order) noexcept;
// Stores the old value in `desired` on success, and in `seen` otherwise.
bool __fencepost_exchange_pair_if(void* pair, const void* expected, void* desired, void* seen,
                                  bool weak, int success, int failure) noexcept;
// These need no lock.
bool __fencepost_is_pair(const void* pair, const void* expected, int order) noexcept;
void __fencepost_wait_while_pair(const void* pair, const void* expected) noexcept;
void __fencepost_notify(const void* object, bool all) noexcept;
void __fencepost_use(const void* object, __SIZE_TYPE__ size) noexcept;
}

namespace std _GLIBCXX_VISIBILITY(default) {
_GLIBCXX_BEGIN_NAMESPACE_VERSION

namespace __detail {

// A pointer that is not an owner: what it holds belongs to another pointer, which outlives it.
template <typename _Pointer>
union __fencepost_borrowed {
  __fencepost_borrowed() noexcept : _M_pointer() {}
  ~__fencepost_borrowed() {}
  _Pointer _M_pointer;
};

class __fencepost_pair_lock {
 public:
  __fencepost_pair_lock(const void* __pair, int* __lock, const char* __operation) noexcept
      : _M_lock(__lock) {
    ::__fencepost_lock_pair(__pair, __lock, __operation);
  }
  ~__fencepost_pair_lock() { ::__fencepost_unlock_pair(_M_lock); }
  __fencepost_pair_lock(const __fencepost_pair_lock&) = delete;
  __fencepost_pair_lock& operator=(const __fencepost_pair_lock&) = delete;

 private:
  int* _M_lock;
};

template <typename _Pointer>
_Pointer __fencepost_load(const _Pointer* __p, int* __lock, memory_order __o) noexcept {
  __fencepost_borrowed<_Pointer> __there;
  __fencepost_pair_lock __held(__p, __lock, "load");
  ::__fencepost_load_pair(__p, &__there._M_pointer, int(__o));
  return __there._M_pointer;
}

// The old value is destroyed, or returned, after the lock is released.
template <typename _Pointer>
void __fencepost_exchange(_Pointer* __p, int* __lock, _Pointer& __with, memory_order __o,
                          const char* __operation) noexcept {
  __fencepost_pair_lock __held(__p, __lock, __operation);
  ::__fencepost_exchange_pair(__p, &__with, int(__o));
}

template <typename _Pointer>
bool __fencepost_exchange_if(_Pointer* __p, int* __lock, _Pointer& __expected, _Pointer& __desired,
                             bool __weak, memory_order __success, memory_order __failure) noexcept {
  _Pointer __seen;
  {
    __fencepost_borrowed<_Pointer> __there;
    __fencepost_pair_lock __held(__p, __lock, "compare_exchange");
    if (::__fencepost_exchange_pair_if(__p, &__expected, &__desired, &__there._M_pointer, __weak,
                                       int(__success), int(__failure)))
      return true;
    __seen = __there._M_pointer;
  }
  __expected = std::move(__seen);
  return false;
}

constexpr memory_order __fencepost_failure(memory_order __o) noexcept {
  return __o == memory_order_acq_rel   ? memory_order_acquire
         : __o == memory_order_release ? memory_order_relaxed
                                       : __o;
}

// Locks for pointers that are not in an atomic<>.
template <typename = void>
struct __fencepost_pointer_locks {
  static constexpr unsigned _S_count = 64;
  static int _S_locks[_S_count];
  static int* _S_of(const void* __p) noexcept {
    return &_S_locks[reinterpret_cast<__UINTPTR_TYPE__>(__p) / (2 * sizeof(void*)) % _S_count];
  }
};
template <typename _Tp>
int __fencepost_pointer_locks<_Tp>::_S_locks[_S_count];

}  // namespace __detail

#define _FENCEPOST_POINTER_FUNCTIONS(_Template, _Pointer)                                         \
  _Template inline bool atomic_is_lock_free(const _Pointer*) { return false; }                    \
  _Template inline _Pointer atomic_load_explicit(const _Pointer* __p, memory_order __o) {         \
    return __detail::__fencepost_load(__p, __detail::__fencepost_pointer_locks<>::_S_of(__p),     \
                                      __o);                                                       \
  }                                                                                               \
  _Template inline _Pointer atomic_load(const _Pointer* __p) {                                    \
    return std::atomic_load_explicit(__p, memory_order_seq_cst);                                  \
  }                                                                                               \
  _Template inline void atomic_store_explicit(_Pointer* __p, _Pointer __r, memory_order __o) {    \
    __detail::__fencepost_exchange(__p, __detail::__fencepost_pointer_locks<>::_S_of(__p), __r,   \
                                   __o, "store");                                                 \
  }                                                                                               \
  _Template inline void atomic_store(_Pointer* __p, _Pointer __r) {                               \
    std::atomic_store_explicit(__p, std::move(__r), memory_order_seq_cst);                        \
  }                                                                                               \
  _Template inline _Pointer atomic_exchange_explicit(_Pointer* __p, _Pointer __r,                 \
                                                     memory_order __o) {                          \
    __detail::__fencepost_exchange(__p, __detail::__fencepost_pointer_locks<>::_S_of(__p), __r,   \
                                   __o, "exchange");                                              \
    return __r;                                                                                   \
  }                                                                                               \
  _Template inline _Pointer atomic_exchange(_Pointer* __p, _Pointer __r) {                        \
    return std::atomic_exchange_explicit(__p, std::move(__r), memory_order_seq_cst);              \
  }                                                                                               \
  _Template bool atomic_compare_exchange_strong_explicit(                                         \
      _Pointer* __p, _Pointer* __v, _Pointer __w, memory_order __o, memory_order __o2) {          \
    return __detail::__fencepost_exchange_if(                                                     \
        __p, __detail::__fencepost_pointer_locks<>::_S_of(__p), *__v, __w, false, __o, __o2);     \
  }                                                                                               \
  _Template inline bool atomic_compare_exchange_strong(_Pointer* __p, _Pointer* __v,              \
                                                       _Pointer __w) {                            \
    return std::atomic_compare_exchange_strong_explicit(                                          \
        __p, __v, std::move(__w), memory_order_seq_cst, memory_order_seq_cst);                    \
  }                                                                                               \
  _Template bool atomic_compare_exchange_weak_explicit(                                           \
      _Pointer* __p, _Pointer* __v, _Pointer __w, memory_order __o, memory_order __o2) {          \
    return __detail::__fencepost_exchange_if(                                                     \
        __p, __detail::__fencepost_pointer_locks<>::_S_of(__p), *__v, __w, true, __o, __o2);      \
  }                                                                                               \
  _Template inline bool atomic_compare_exchange_weak(_Pointer* __p, _Pointer* __v, _Pointer __w) { \
    return std::atomic_compare_exchange_weak_explicit(                                            \
        __p, __v, std::move(__w), memory_order_seq_cst, memory_order_seq_cst);                    \
  }

#define _FENCEPOST_ANY_TYPE template <typename _Tp>
_FENCEPOST_POINTER_FUNCTIONS(_FENCEPOST_ANY_TYPE, shared_ptr<_Tp>)
#undef _FENCEPOST_ANY_TYPE
#undef _FENCEPOST_POINTER_FUNCTIONS

#if __cplusplus >= 202002L
#ifndef __cpp_lib_atomic_shared_ptr
#define __cpp_lib_atomic_shared_ptr 201711L
#endif

template <typename _Tp>
struct atomic;

template <typename _Pointer>
class __fencepost_atomic_pointer {
 public:
  using value_type = _Pointer;
  static constexpr bool is_always_lock_free = false;

  constexpr __fencepost_atomic_pointer() noexcept = default;
  __fencepost_atomic_pointer(_Pointer __r) noexcept : _M_pointer(std::move(__r)) {}
  __fencepost_atomic_pointer(const __fencepost_atomic_pointer&) = delete;
  void operator=(const __fencepost_atomic_pointer&) = delete;

  bool is_lock_free() const noexcept { return false; }

  _Pointer load(memory_order __o = memory_order_seq_cst) const noexcept {
    return __detail::__fencepost_load(&_M_pointer, &_M_lock, __o);
  }
  operator _Pointer() const noexcept { return load(); }
  void store(_Pointer __desired, memory_order __o = memory_order_seq_cst) noexcept {
    __detail::__fencepost_exchange(&_M_pointer, &_M_lock, __desired, __o, "store");
  }
  _Pointer exchange(_Pointer __desired, memory_order __o = memory_order_seq_cst) noexcept {
    __detail::__fencepost_exchange(&_M_pointer, &_M_lock, __desired, __o, "exchange");
    return __desired;
  }
  bool compare_exchange_strong(_Pointer& __expected, _Pointer __desired, memory_order __o,
                               memory_order __o2) noexcept {
    return __detail::__fencepost_exchange_if(&_M_pointer, &_M_lock, __expected, __desired, false,
                                             __o, __o2);
  }
  bool compare_exchange_strong(_Pointer& __expected, _Pointer __desired,
                               memory_order __o = memory_order_seq_cst) noexcept {
    return compare_exchange_strong(__expected, std::move(__desired), __o,
                                   __detail::__fencepost_failure(__o));
  }
  bool compare_exchange_weak(_Pointer& __expected, _Pointer __desired, memory_order __o,
                             memory_order __o2) noexcept {
    return __detail::__fencepost_exchange_if(&_M_pointer, &_M_lock, __expected, __desired, true,
                                             __o, __o2);
  }
  bool compare_exchange_weak(_Pointer& __expected, _Pointer __desired,
                             memory_order __o = memory_order_seq_cst) noexcept {
    return compare_exchange_weak(__expected, std::move(__desired), __o,
                                 __detail::__fencepost_failure(__o));
  }
  void wait(_Pointer __old, memory_order __o = memory_order_seq_cst) const noexcept {
    while (::__fencepost_is_pair(&_M_pointer, &__old, int(__o)))
      ::__fencepost_wait_while_pair(&_M_pointer, &__old);
  }
  void notify_one() noexcept { _M_notify(false); }
  void notify_all() noexcept { _M_notify(true); }

 private:
  void _M_notify(bool __all) noexcept {
    ::__fencepost_use(&_M_lock, sizeof _M_lock);
    ::__fencepost_notify(&_M_pointer, __all);
  }

  _Pointer _M_pointer;
  mutable int _M_lock = 0;
};

template <typename _Tp>
struct atomic<shared_ptr<_Tp>> : __fencepost_atomic_pointer<shared_ptr<_Tp>> {
  constexpr atomic() noexcept = default;
  constexpr atomic(nullptr_t) noexcept : atomic() {}
  atomic(shared_ptr<_Tp> __r) noexcept
      : __fencepost_atomic_pointer<shared_ptr<_Tp>>(std::move(__r)) {}
  void operator=(shared_ptr<_Tp> __desired) noexcept { this->store(std::move(__desired)); }
  void operator=(nullptr_t) noexcept { this->store(nullptr); }
  atomic(const atomic&) = delete;
  void operator=(const atomic&) = delete;
};

template <typename _Tp>
struct atomic<weak_ptr<_Tp>> : __fencepost_atomic_pointer<weak_ptr<_Tp>> {
  constexpr atomic() noexcept = default;
  atomic(weak_ptr<_Tp> __r) noexcept
      : __fencepost_atomic_pointer<weak_ptr<_Tp>>(std::move(__r)) {}
  void operator=(weak_ptr<_Tp> __desired) noexcept { this->store(std::move(__desired)); }
  atomic(const atomic&) = delete;
  void operator=(const atomic&) = delete;
};
#endif

_GLIBCXX_END_NAMESPACE_VERSION
}  // namespace std

#endif
