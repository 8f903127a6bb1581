// Windows' threads and the objects that they wait for, as Relacy offers them. The macros at the end
// replace the functions of the same name.
#pragma once

#include <cstddef>
#include <cstdint>

#include "fencepost/compat/relacy/base.hpp"
#include "fencepost/compat/relacy/condition_variable.hpp"
#include "fencepost/compat/relacy/kernel_objects.hpp"
#include "fencepost/compat/relacy/mutex.hpp"
#include "fencepost/compat/relacy/thread.hpp"
#include "fencepost/compat/relacy/var.hpp"

// NOLINTBEGIN(readability-identifier-naming): the names are other people's.

namespace rl {

using rl_HANDLE = detail::waitable*;
inline constexpr unsigned long rl_INFINITE = 0xffffffff;
inline constexpr unsigned long rl_WAIT_OBJECT_0 = 0;
inline constexpr unsigned long rl_WAIT_TIMEOUT = 258;
inline constexpr unsigned long rl_WAIT_FAILED = 0xffffffff;
inline constexpr unsigned long rl_MAXIMUM_WAIT_OBJECTS = 64;

namespace detail {

inline waiting how_long(unsigned long milliseconds) {
  if (milliseconds == 0) return waiting::not_at_all;
  return milliseconds == rl_INFINITE ? waiting::for_ever : waiting::for_some_time;
}
inline unsigned long wait_result(std::size_t taken) {
  return taken == wait_timed_out ? rl_WAIT_TIMEOUT
                                 : rl_WAIT_OBJECT_0 + static_cast<unsigned long>(taken);
}
// Returns the object behind the handle; fails if it is of another kind.
template <class T>
T& object_of(rl_HANDLE h, debug_info_param info) {
  auto* object = dynamic_cast<T*>(h);
  if (object == nullptr)
    fail(test_result_inconsistent_test_suite, violation::misuse,
         "the call does not accept a handle of this kind", info);
  return *object;
}

}  // namespace detail

inline unsigned long rl_WaitForSingleObject(rl_HANDLE h, unsigned long ms, debug_info_param info) {
  return detail::wait_result(
      detail::wait_for_objects(&h, 1, false, detail::how_long(ms), nullptr, info));
}
inline unsigned long rl_WaitForMultipleObjects(unsigned long count, const rl_HANDLE* handles,
                                               int all, unsigned long ms, debug_info_param info) {
  return detail::wait_result(
      detail::wait_for_objects(handles, count, all != 0, detail::how_long(ms), nullptr, info));
}
inline unsigned long rl_SignalObjectAndWait(rl_HANDLE signalled, rl_HANDLE awaited,
                                            unsigned long ms, int /*alertable*/,
                                            debug_info_param info) {
  return detail::wait_result(
      detail::wait_for_objects(&awaited, 1, false, detail::how_long(ms), signalled, info));
}
inline int rl_CloseHandle(rl_HANDLE h, debug_info_param) {
  if (h->closes()) delete h;
  return 1;
}

inline rl_HANDLE rl_CreateSemaphore(const void*, long count, long most, const void*,
                                    debug_info_param info) {
  return new detail::kernel_semaphore(count, most, info);
}
inline int rl_ReleaseSemaphore(rl_HANDLE h, long n, long* before, debug_info_param info) {
  long count = 0;
  const bool done = detail::object_of<detail::kernel_semaphore>(h, info).post(n, count, info);
  if (before != nullptr) *before = count;
  return done ? 1 : 0;
}

inline rl_HANDLE rl_CreateEvent(const void*, int manual, int set, const void*,
                                debug_info_param info) {
  return new detail::kernel_event(manual != 0, set != 0, info);
}
inline int rl_SetEvent(rl_HANDLE h, debug_info_param info) {
  detail::object_of<detail::kernel_event>(h, info).set(info);
  return 1;
}
inline int rl_ResetEvent(rl_HANDLE h, debug_info_param info) {
  detail::object_of<detail::kernel_event>(h, info).reset(info);
  return 1;
}
inline int rl_PulseEvent(rl_HANDLE h, debug_info_param info) {
  detail::object_of<detail::kernel_event>(h, info).pulse(info);
  return 1;
}

inline rl_HANDLE rl_CreateMutex(const void*, int owned, const void*, debug_info_param info) {
  return new detail::kernel_mutex(owned != 0, info);
}
inline int rl_ReleaseMutex(rl_HANDLE h, debug_info_param info) {
  detail::object_of<detail::kernel_mutex>(h, info).unlock(info);
  return 1;
}

using rl_CRITICAL_SECTION = detail::late<recursive_mutex>;

namespace detail {
inline recursive_mutex& section_of(rl_CRITICAL_SECTION* s, debug_info_param info) {
  return s->get(test_result_usage_of_non_initialized_mutex, info);
}
}  // namespace detail

inline void rl_InitializeCriticalSection(rl_CRITICAL_SECTION* s, debug_info_param info) {
  s->begin(test_result_double_initialization_of_mutex, info, info);
}
inline void rl_DeleteCriticalSection(rl_CRITICAL_SECTION* s, debug_info_param info) {
  s->end(test_result_usage_of_non_initialized_mutex, info);
}
inline void rl_EnterCriticalSection(rl_CRITICAL_SECTION* s, debug_info_param info) {
  detail::section_of(s, info).lock(info);
}
inline int rl_TryEnterCriticalSection(rl_CRITICAL_SECTION* s, debug_info_param info) {
  return detail::section_of(s, info).try_lock(info) ? 1 : 0;
}
inline void rl_LeaveCriticalSection(rl_CRITICAL_SECTION* s, debug_info_param info) {
  detail::section_of(s, info).unlock(info);
}

using rl_SRWLOCK = detail::late<shared_mutex>;

namespace detail {
inline shared_mutex& srw_of(rl_SRWLOCK* s, debug_info_param info) {
  return s->get(test_result_usage_of_non_initialized_mutex, info);
}
}  // namespace detail

inline void rl_InitializeSRWLock(rl_SRWLOCK* s, debug_info_param info) {
  s->begin(test_result_double_initialization_of_mutex, info, info);
}
// Relacy's own: Windows has no such function.
inline void rl_DeleteSRWLock(rl_SRWLOCK* s, debug_info_param info) {
  s->end(test_result_usage_of_non_initialized_mutex, info);
}
inline void rl_AcquireSRWLockExclusive(rl_SRWLOCK* s, debug_info_param info) {
  detail::srw_of(s, info).lock(info);
}
inline void rl_AcquireSRWLockShared(rl_SRWLOCK* s, debug_info_param info) {
  detail::srw_of(s, info).lock_shared(info);
}
inline void rl_ReleaseSRWLockExclusive(rl_SRWLOCK* s, debug_info_param info) {
  detail::srw_of(s, info).unlock(info);
}
inline void rl_ReleaseSRWLockShared(rl_SRWLOCK* s, debug_info_param info) {
  detail::srw_of(s, info).unlock_shared(info);
}

using rl_CONDITION_VARIABLE = detail::late<condition_variable>;
inline constexpr unsigned long rl_CONDITION_VARIABLE_LOCKMODE_SHARED = 1;

namespace detail {

inline condition_variable& windows_condition(rl_CONDITION_VARIABLE* c, debug_info_param info) {
  return c->get(test_result_usage_of_non_initialized_condvar, info);
}
struct shared_side {
  shared_mutex& mutex;
  void lock(debug_info_param info) { mutex.lock_shared(info); }
  void unlock(debug_info_param info) { mutex.unlock_shared(info); }
};
template <class Lock>
int sleep_condition(rl_CONDITION_VARIABLE* c, Lock& lock, unsigned long ms, debug_info_param info) {
  if (ms != rl_INFINITE) return windows_condition(c, info).wait_for(lock, ms, info) ? 1 : 0;
  windows_condition(c, info).wait(lock, info);
  return 1;
}

}  // namespace detail

inline void rl_InitializeConditionVariable(rl_CONDITION_VARIABLE* c, debug_info_param info) {
  c->begin(test_result_double_initialization_of_condvar, info, info);
}
inline void rl_DeleteConditionVariable(rl_CONDITION_VARIABLE* c, debug_info_param info) {
  c->end(test_result_usage_of_non_initialized_condvar, info);
}
inline int rl_SleepConditionVariableCS(rl_CONDITION_VARIABLE* c, rl_CRITICAL_SECTION* s,
                                       unsigned long ms, debug_info_param info) {
  return detail::sleep_condition(c, detail::section_of(s, info), ms, info);
}
inline int rl_SleepConditionVariableSRW(rl_CONDITION_VARIABLE* c, rl_SRWLOCK* s, unsigned long ms,
                                        unsigned long flags, debug_info_param info) {
  shared_mutex& m = detail::srw_of(s, info);
  if ((flags & rl_CONDITION_VARIABLE_LOCKMODE_SHARED) == 0)
    return detail::sleep_condition(c, m, ms, info);
  detail::shared_side shared{m};
  return detail::sleep_condition(c, shared, ms, info);
}
inline void rl_WakeAllConditionVariable(rl_CONDITION_VARIABLE* c, debug_info_param info) {
  detail::windows_condition(c, info).notify_all(info);
}
inline void rl_WakeConditionVariable(rl_CONDITION_VARIABLE* c, debug_info_param info) {
  detail::windows_condition(c, info).notify_one(info);
}

template <class Result>
rl_HANDLE rl_CreateThread(Result (*function)(void*), void* argument, debug_info_param info) {
  return detail::kernel_thread::start(
      [function, argument] {
        return reinterpret_cast<void*>(static_cast<std::uintptr_t>(function(argument)));
      },
      info);
}

inline unsigned long rl_TlsAlloc(debug_info_param) {
  return static_cast<unsigned long>(reinterpret_cast<std::uintptr_t>(new thread_local_var<void*>));
}
namespace detail {
inline thread_local_var<void*>* slot_of(unsigned long slot) {
  return reinterpret_cast<thread_local_var<void*>*>(static_cast<std::uintptr_t>(slot));
}
}  // namespace detail
inline int rl_TlsFree(unsigned long slot, debug_info_param) {
  delete detail::slot_of(slot);
  return 1;
}
inline void* rl_TlsGetValue(unsigned long slot, debug_info_param info) {
  return detail::slot_of(slot)->get(info);
}
inline int rl_TlsSetValue(unsigned long slot, void* value, debug_info_param info) {
  detail::slot_of(slot)->set(value, info);
  return 1;
}

// A fence in every other thread, at a moment that those threads do not choose: no memory model of
// C++ has one.
inline void rl_FlushProcessWriteBuffers(debug_info_param info) {
  detail::fail(test_result_inconsistent_test_suite, detail::violation::misuse,
               "FlushProcessWriteBuffers is not supported: C++ has no such fence", info);
}

}  // namespace rl

#if !defined(FENCEPOST_RELACY_KEEP_C)
#define HANDLE ::rl::rl_HANDLE
#define INFINITE ::rl::rl_INFINITE
#define WAIT_OBJECT_0 ::rl::rl_WAIT_OBJECT_0
#define WAIT_TIMEOUT ::rl::rl_WAIT_TIMEOUT
#define WAIT_FAILED ::rl::rl_WAIT_FAILED
#define MAXIMUM_WAIT_OBJECTS ::rl::rl_MAXIMUM_WAIT_OBJECTS

#define SwitchToThread() ::rl::yield(1, $)
#define Sleep(milliseconds) ::rl::yield(1, $)
#define WaitForSingleObject(h, ms) ::rl::rl_WaitForSingleObject(h, ms, $)
#define WaitForMultipleObjects(count, handles, all, ms) \
  ::rl::rl_WaitForMultipleObjects(count, handles, all, ms, $)
#define SignalObjectAndWait(signalled, awaited, ms, alertable) \
  ::rl::rl_SignalObjectAndWait(signalled, awaited, ms, alertable, $)
#define CloseHandle(h) ::rl::rl_CloseHandle(h, $)
#define CreateSemaphore(security, count, most, name) \
  ::rl::rl_CreateSemaphore(security, count, most, name, $)
#define ReleaseSemaphore(h, n, before) ::rl::rl_ReleaseSemaphore(h, n, before, $)
#define CreateEvent(security, manual, set, name) \
  ::rl::rl_CreateEvent(security, manual, set, name, $)
#define SetEvent(h) ::rl::rl_SetEvent(h, $)
#define ResetEvent(h) ::rl::rl_ResetEvent(h, $)
#define PulseEvent(h) ::rl::rl_PulseEvent(h, $)
#define CreateMutex(security, owned, name) ::rl::rl_CreateMutex(security, owned, name, $)
#define ReleaseMutex(h) ::rl::rl_ReleaseMutex(h, $)

#define CRITICAL_SECTION ::rl::rl_CRITICAL_SECTION
#define InitializeCriticalSection(s) ::rl::rl_InitializeCriticalSection(s, $)
#define InitializeCriticalSectionAndSpinCount(s, spin) \
  (::rl::rl_InitializeCriticalSection(s, $), static_cast<void>(spin), 1)
#define DeleteCriticalSection(s) ::rl::rl_DeleteCriticalSection(s, $)
#define EnterCriticalSection(s) ::rl::rl_EnterCriticalSection(s, $)
#define TryEnterCriticalSection(s) ::rl::rl_TryEnterCriticalSection(s, $)
#define LeaveCriticalSection(s) ::rl::rl_LeaveCriticalSection(s, $)

#define SRWLOCK ::rl::rl_SRWLOCK
#define InitializeSRWLock(s) ::rl::rl_InitializeSRWLock(s, $)
#define DeleteSRWLock(s) ::rl::rl_DeleteSRWLock(s, $)
#define AcquireSRWLockExclusive(s) ::rl::rl_AcquireSRWLockExclusive(s, $)
#define AcquireSRWLockShared(s) ::rl::rl_AcquireSRWLockShared(s, $)
#define ReleaseSRWLockExclusive(s) ::rl::rl_ReleaseSRWLockExclusive(s, $)
#define ReleaseSRWLockShared(s) ::rl::rl_ReleaseSRWLockShared(s, $)

#define CONDITION_VARIABLE ::rl::rl_CONDITION_VARIABLE
#define CONDITION_VARIABLE_LOCKMODE_SHARED ::rl::rl_CONDITION_VARIABLE_LOCKMODE_SHARED
#define InitializeConditionVariable(c) ::rl::rl_InitializeConditionVariable(c, $)
#define DeleteConditionVariable(c) ::rl::rl_DeleteConditionVariable(c, $)
#define SleepConditionVariableCS(c, s, ms) ::rl::rl_SleepConditionVariableCS(c, s, ms, $)
#define SleepConditionVariableSRW(c, s, ms, flags) \
  ::rl::rl_SleepConditionVariableSRW(c, s, ms, flags, $)
#define WakeAllConditionVariable(c) ::rl::rl_WakeAllConditionVariable(c, $)
#define WakeConditionVariable(c) ::rl::rl_WakeConditionVariable(c, $)

#define CreateThread(security, stack, function, argument, flags, id) \
  ::rl::rl_CreateThread(function, argument, $)
#define _beginthreadex(security, stack, function, argument, flags, id) \
  ::rl::rl_CreateThread(function, argument, $)

#define TlsAlloc() ::rl::rl_TlsAlloc($)
#define TlsFree(slot) ::rl::rl_TlsFree(slot, $)
#define TlsGetValue(slot) ::rl::rl_TlsGetValue(slot, $)
#define TlsSetValue(slot, value) ::rl::rl_TlsSetValue(slot, value, $)

#define FlushProcessWriteBuffers() ::rl::rl_FlushProcessWriteBuffers($)
#endif

// NOLINTEND(readability-identifier-naming)
