// The objects of POSIX, Windows and Linux.
#include "testing.hpp"

namespace fencepost::relacy_testing {
namespace {

struct posix_mutex : rl::test_suite<posix_mutex, 2> {
  pthread_mutex_t m;
  VAR_T(int) n{0};
  void before() {
    pthread_mutexattr_t a;
    pthread_mutexattr_init(&a);
    pthread_mutexattr_settype(&a, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&m, &a);
    pthread_mutexattr_destroy(&a);
  }
  void thread(unsigned) {
    if (pthread_mutex_trylock(&m) != 0) pthread_mutex_lock(&m);
    pthread_mutex_lock(&m);
    VAR(n) += 1;
    pthread_mutex_unlock(&m);
    pthread_mutex_unlock(&m);
  }
  void after() {
    RL_ASSERT(VAR(n) == 2);
    pthread_mutex_destroy(&m);
  }
};
TEST(relacy_posix, mutex) { EXPECT_TRUE(has_declared_result<posix_mutex>()); }

struct too_early : rl::test_suite<too_early, 1, rl::test_result_usage_of_non_initialized_mutex> {
  pthread_mutex_t m;
  void thread(unsigned) { pthread_mutex_lock(&m); }
};
TEST(relacy_posix, a_mutex_before_its_time) { EXPECT_TRUE(has_declared_result<too_early>()); }

struct left : rl::test_suite<left, 1, rl::test_result_resource_leak> {
  alignas(pthread_mutex_t) unsigned char memory[sizeof(pthread_mutex_t)];
  void thread(unsigned) { pthread_mutex_init(new (memory) pthread_mutex_t, nullptr); }
};
TEST(relacy_posix, a_mutex_that_is_left) { EXPECT_TRUE(has_declared_result<left>()); }

struct posix_condition : rl::test_suite<posix_condition, 2> {
  pthread_mutex_t m;
  pthread_cond_t c;
  VAR_T(int) stage{0};
  void before() {
    pthread_mutex_init(&m, nullptr);
    pthread_cond_init(&c, nullptr);
  }
  void thread(unsigned index) {
    pthread_mutex_lock(&m);
    if (index == 0) {
      VAR(stage) = 1;
      pthread_cond_signal(&c);
    } else {
      int time = 0;
      while (VAR(stage) == 0)
        if (pthread_cond_timedwait(&c, &m, &time) == ETIMEDOUT) pthread_cond_wait(&c, &m);
    }
    pthread_mutex_unlock(&m);
  }
  void after() {
    pthread_cond_destroy(&c);
    pthread_mutex_destroy(&m);
  }
};
// The notification may come before the wait after a time-out, which does not check the stage first.
TEST(relacy_posix, a_condition_waited_for_without_looking) {
  EXPECT_EQ(simulated<posix_condition>().params.test_result, rl::test_result_deadlock);
  rl::test_params p;
  p.checker.timeouts = 0;
  EXPECT_TRUE(has_declared_result<posix_condition>(p));
}

struct posix_rwlock : rl::test_suite<posix_rwlock, 2> {
  pthread_rwlock_t m;
  VAR_T(int) n{0};
  void before() { pthread_rwlock_init(&m, nullptr); }
  void thread(unsigned) {
    pthread_rwlock_wrlock(&m);
    VAR(n) += 1;
    pthread_rwlock_unlock(&m);
    if (pthread_rwlock_tryrdlock(&m) == 0) {
      RL_ASSERT(VAR(n) > 0);
      pthread_rwlock_unlock(&m);
    }
  }
  void after() { pthread_rwlock_destroy(&m); }
};
TEST(relacy_posix, rwlock) { EXPECT_TRUE(has_declared_result<posix_rwlock>()); }

struct upgraded : rl::test_suite<upgraded, 1, rl::test_result_mutex_read_to_write_upgrade> {
  void thread(unsigned) {
    pthread_rwlock_t m;
    pthread_rwlock_init(&m, nullptr);
    pthread_rwlock_rdlock(&m);
    pthread_rwlock_wrlock(&m);
  }
};
TEST(relacy_posix, a_reader_that_wants_to_write) { EXPECT_TRUE(has_declared_result<upgraded>()); }

struct posix_semaphore : rl::test_suite<posix_semaphore, 2> {
  sem_t s;
  VAR_T(int) data;
  void before() { sem_init(&s, 0, 0); }
  void thread(unsigned index) {
    if (index == 0) {
      VAR(data) = 1;
      sem_post(&s);
    } else {
      while (sem_wait(&s) != 0) RL_ASSERT(errno == EINTR);
      RL_ASSERT(VAR(data) == 1);
      int count = -1;
      sem_getvalue(&s, &count);
      RL_ASSERT(count == 0 && sem_trywait(&s) == -1 && errno == EAGAIN);
    }
  }
  void after() { sem_destroy(&s); }
};
TEST(relacy_posix, semaphore) { EXPECT_TRUE(has_declared_result<posix_semaphore>()); }

struct posix_thread : rl::test_suite<posix_thread, 1> {
  VAR_T(int) data;
  static void* run(void* self) {
    static_cast<posix_thread*>(self)->VAR(data) = 7;
    return self;
  }
  void thread(unsigned) {
    pthread_t t;
    pthread_create(&t, nullptr, &run, this);
    void* result = nullptr;
    pthread_join(t, &result);
    RL_ASSERT(result == this && VAR(data) == 7);
  }
};
TEST(relacy_posix, thread) { EXPECT_TRUE(has_declared_result<posix_thread>()); }

template <bool Woken>
struct sleeper : rl::test_suite<sleeper<Woken>, 2,
                                Woken ? rl::test_result_success : rl::test_result_deadlock> {
  rl::atomic<int> word{0};
  VAR_T(int) data;
  void thread(unsigned index) {
    if (index == 0) {
      VAR(data) = 1;
      word.store(1, rl::mo_release);
      if (Woken) futex(&word, FUTEX_WAKE, 1, 0, 0, 0);
    } else {
      while (word.load(rl::mo_relaxed) == 0) {
        const int why = futex(&word, FUTEX_WAIT, 0, 0, 0, 0);
        RL_ASSERT(why == 0 || why == EWOULDBLOCK || why == EINTR);
      }
      rl::atomic_thread_fence(rl::mo_acquire);
      RL_ASSERT(VAR(data) == 1);
    }
  }
};
TEST(relacy_posix, futex) { EXPECT_TRUE(has_declared_result<sleeper<true>>()); }
TEST(relacy_posix, futex_without_a_wake) { EXPECT_TRUE(has_declared_result<sleeper<false>>()); }

struct windows_event : rl::test_suite<windows_event, 2> {
  HANDLE ready = nullptr;
  VAR_T(int) data;
  void before() { ready = CreateEvent(nullptr, 0, 0, nullptr); }
  void thread(unsigned index) {
    if (index == 0) {
      VAR(data) = 1;
      SetEvent(ready);
    } else {
      RL_ASSERT(WaitForSingleObject(ready, INFINITE) == WAIT_OBJECT_0);
      RL_ASSERT(VAR(data) == 1);
      RL_ASSERT(WaitForSingleObject(ready, 0) == WAIT_TIMEOUT);  // the event has reset itself
    }
  }
  void after() { CloseHandle(ready); }
};
TEST(relacy_windows, event) { EXPECT_TRUE(has_declared_result<windows_event>()); }

struct pulsed : rl::test_suite<pulsed, 2, rl::test_result_deadlock> {
  HANDLE ready = nullptr;
  void before() { ready = CreateEvent(nullptr, 0, 0, nullptr); }
  void thread(unsigned index) {
    if (index == 0)
      PulseEvent(ready);  // the other thread may not wait yet
    else
      WaitForSingleObject(ready, INFINITE);
  }
  void after() { CloseHandle(ready); }
};
TEST(relacy_windows, a_pulse_that_comes_too_early) { EXPECT_TRUE(has_declared_result<pulsed>()); }

struct windows_all : rl::test_suite<windows_all, 2> {
  HANDLE objects[2] = {};
  VAR_T(int) data;
  void before() {
    objects[0] = CreateSemaphore(nullptr, 0, 2, nullptr);
    objects[1] = CreateMutex(nullptr, 1, nullptr);
    RL_ASSERT(ReleaseMutex(objects[1]));
  }
  void thread(unsigned index) {
    if (index == 0) {
      WaitForSingleObject(objects[1], INFINITE);
      VAR(data) = 1;
      ReleaseSemaphore(objects[0], 1, nullptr);
      ReleaseMutex(objects[1]);
    } else {
      WaitForMultipleObjects(2, objects, 1, INFINITE);
      RL_ASSERT(VAR(data) == 1);
      ReleaseMutex(objects[1]);
    }
  }
  void after() {
    for (HANDLE h : objects) CloseHandle(h);
  }
};
TEST(relacy_windows, wait_for_all) { EXPECT_TRUE(has_declared_result<windows_all>()); }

// Signalling one event and waiting for the other is a single step.
struct handover : rl::test_suite<handover, 2> {
  HANDLE a = nullptr, b = nullptr;
  void before() {
    a = CreateEvent(nullptr, 0, 0, nullptr);
    b = CreateEvent(nullptr, 0, 0, nullptr);
  }
  void thread(unsigned index) {
    if (index == 0) {
      RL_ASSERT(SignalObjectAndWait(a, b, INFINITE, 0) == WAIT_OBJECT_0);
    } else {
      WaitForSingleObject(a, INFINITE);
      SetEvent(b);
      RL_ASSERT(WaitForSingleObject(b, 0) == WAIT_TIMEOUT);
    }
  }
  void after() {
    CloseHandle(a);
    CloseHandle(b);
  }
};
TEST(relacy_windows, signal_and_wait) { EXPECT_TRUE(has_declared_result<handover>()); }

// Signalling one event does not synchronize with a thread that waits for another.
template <bool Same>
struct two_events : rl::test_suite<two_events<Same>, 2,
                                   Same ? rl::test_result_success : rl::test_result_data_race> {
  HANDLE a = nullptr, b = nullptr;
  VAR_T(int) data{0};
  void before() {
    a = CreateEvent(nullptr, 1, 0, nullptr);
    b = CreateEvent(nullptr, 1, 1, nullptr);
  }
  void thread(unsigned index) {
    if (index == 0) {
      VAR(data) = 1;
      SetEvent(a);
    } else {
      WaitForSingleObject(Same ? a : b, INFINITE);
      VAR(data).load();
    }
  }
  void after() {
    CloseHandle(a);
    CloseHandle(b);
  }
};
TEST(relacy_windows, an_event_synchronizes_with_its_own_waits_only) {
  EXPECT_TRUE(has_declared_result<two_events<true>>());
  EXPECT_TRUE(has_declared_result<two_events<false>>());
}

struct late_event : rl::test_suite<late_event, 2, rl::test_result_until_condition_hit> {
  HANDLE ready = nullptr;
  void before() { ready = CreateEvent(nullptr, 1, 0, nullptr); }
  void thread(unsigned index) {
    if (index == 0)
      SetEvent(ready);
    else
      RL_UNTIL(WaitForSingleObject(ready, 100) == WAIT_TIMEOUT);
  }
  void after() { CloseHandle(ready); }
};
TEST(relacy_windows, a_time_out) { EXPECT_TRUE(has_declared_result<late_event>()); }

struct windows_locks : rl::test_suite<windows_locks, 2> {
  CRITICAL_SECTION section;
  SRWLOCK shared;
  CONDITION_VARIABLE changed;
  VAR_T(int) n{0};
  void before() {
    InitializeCriticalSection(&section);
    InitializeSRWLock(&shared);
    InitializeConditionVariable(&changed);
  }
  void thread(unsigned index) {
    if (index == 0) {
      AcquireSRWLockExclusive(&shared);
      EnterCriticalSection(&section);
      VAR(n) += 1;
      LeaveCriticalSection(&section);
      ReleaseSRWLockExclusive(&shared);
      WakeAllConditionVariable(&changed);
    } else {
      EnterCriticalSection(&section);
      while (VAR(n) == 0) SleepConditionVariableCS(&changed, &section, INFINITE);
      LeaveCriticalSection(&section);
      AcquireSRWLockShared(&shared);
      RL_ASSERT(VAR(n) == 1);
      ReleaseSRWLockShared(&shared);
    }
  }
  void after() {
    DeleteConditionVariable(&changed);
    DeleteSRWLock(&shared);
    DeleteCriticalSection(&section);
  }
};
TEST(relacy_windows, locks) { EXPECT_TRUE(has_declared_result<windows_locks>()); }

struct windows_threads : rl::test_suite<windows_threads, 1> {
  VAR_T(int) data[2];
  unsigned long slot = 0;
  static unsigned long run(void* p) {
    auto& self = *static_cast<windows_threads*>(p);
    self.VAR(data[0]) = 1;
    RL_ASSERT(TlsGetValue(self.slot) == nullptr);
    return 0;
  }
  static unsigned run_msvc(void* p) {
    static_cast<windows_threads*>(p)->VAR(data[1]) = 1;
    return 0;
  }
  void thread(unsigned) {
    slot = TlsAlloc();
    TlsSetValue(slot, this);
    const HANDLE both[] = {CreateThread(nullptr, 0, &run, this, 0, nullptr),
                           _beginthreadex(nullptr, 0, &run_msvc, this, 0, nullptr)};
    WaitForMultipleObjects(2, both, 1, INFINITE);
    RL_ASSERT(VAR(data[0]) + VAR(data[1]) == 2 && TlsGetValue(slot) == this);
    TlsFree(slot);
  }
};
TEST(relacy_windows, threads) { EXPECT_TRUE(has_declared_result<windows_threads>()); }

struct flushes : rl::test_suite<flushes, 1, rl::test_result_inconsistent_test_suite> {
  void thread(unsigned) { FlushProcessWriteBuffers(); }
};
TEST(relacy_windows, what_is_not_supported_says_so) { EXPECT_TRUE(has_declared_result<flushes>()); }

}  // namespace
}  // namespace fencepost::relacy_testing
