// What tsan_atomics reports to ThreadSanitizer: how clocks are passed on. Empty in other builds.
//
// ThreadSanitizer finds races by vector clocks: one of each thread, and one of each location that
// it has seen released. It does not model fences. Their effect takes two more clocks per thread:
//
//   announced   the thread's clock at its last release fence: its relaxed stores publish this
//   collected   what its relaxed loads have read: the next acquire fence joins this to the thread's
//
// A clock that belongs to no thread is a fiber to ThreadSanitizer. No code runs on these two
// fibers: the thread switches to the fiber for an instant, touches no memory, and switches back, in
// a way that ThreadSanitizer does not take for synchronisation.
//
//   an access      acquire side                           release side
//   load           collected joins the location's clock
//   store                                                 the location's clock becomes announced
//   exchange ...   collected joins the location's clock   the location's clock joins announced
//
// If the order acquires or releases, the thread's own clock takes the place of the fiber's. An
// access and its effect on the clocks are one step, under a lock that ThreadSanitizer does not take
// for synchronisation. So its view is that of C++20: a store of any order ends the release
// sequence, a failed exchange releases nothing, and a write between a fence and the store is not
// published.
#pragma once

#if defined(__SANITIZE_THREAD__)
#define FENCEPOST_THREAD_SANITIZER 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define FENCEPOST_THREAD_SANITIZER 1
#endif
#endif

#ifdef FENCEPOST_THREAD_SANITIZER

#include <pthread.h>
#include <sanitizer/tsan_interface.h>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <thread>
#include <utility>

// A function of ThreadSanitizer's interface for Java, which works without Java: sets the clock of
// the location to that of the thread, where __tsan_release() would join the two.
extern "C" void __tsan_java_release_store(unsigned long location);  // NOLINT: its name

namespace fencepost::detail {

constexpr bool acquires(std::memory_order order) noexcept {
  return order != std::memory_order_relaxed && order != std::memory_order_release;
}
constexpr bool releases(std::memory_order order) noexcept {
  return order == std::memory_order_release || order == std::memory_order_acq_rel ||
         order == std::memory_order_seq_cst;
}

// A lock that ThreadSanitizer does not take for synchronisation: the operations that it sees are
// relaxed. It excludes other threads nevertheless: the exchange of ThreadSanitizer's runtime is a
// full barrier, and the signal fences are barriers for the compiler.
class tsan_lock {
 public:
  void lock() noexcept {
    // [lock] relaxed, alone: the runtime's exchange is a full barrier. kept unexercised: it is
    // there in ThreadSanitizer's builds only.
    while (taken_.exchange(true, std::memory_order_relaxed)) std::this_thread::yield();
    std::atomic_signal_fence(std::memory_order_seq_cst);
  }
  void unlock() noexcept {
    std::atomic_signal_fence(std::memory_order_seq_cst);
    // [unlock] relaxed, alone: as [lock]. kept unexercised: as [lock].
    taken_.exchange(false, std::memory_order_relaxed);
  }

 private:
  alignas(64) std::atomic<bool> taken_{false};
};

// Operations as a fiber. ThreadSanitizer does not instrument these functions: otherwise it would
// take the thread's accesses to its own memory for those of another thread. Each switches to the
// fiber and back, because ThreadSanitizer counts calls and returns per fiber.
namespace tsan_as {

#define FENCEPOST_AS_A_FIBER __attribute__((no_sanitize("thread")))
inline constexpr unsigned silently = __tsan_switch_to_fiber_no_sync;

FENCEPOST_AS_A_FIBER inline void acquire(void* fiber, void* location) noexcept {
  void* const me = __tsan_get_current_fiber();
  __tsan_switch_to_fiber(fiber, silently);
  __tsan_acquire(location);
  __tsan_switch_to_fiber(me, silently);
}
FENCEPOST_AS_A_FIBER inline void release(void* fiber, void* location) noexcept {
  void* const me = __tsan_get_current_fiber();
  __tsan_switch_to_fiber(fiber, silently);
  __tsan_release(location);
  __tsan_switch_to_fiber(me, silently);
}
FENCEPOST_AS_A_FIBER inline void replace(void* fiber, void* location) noexcept {
  void* const me = __tsan_get_current_fiber();
  __tsan_switch_to_fiber(fiber, silently);
  __tsan_java_release_store(reinterpret_cast<unsigned long>(location));
  __tsan_switch_to_fiber(me, silently);
}
FENCEPOST_AS_A_FIBER inline void* make(void* maker) noexcept {
  void* const me = __tsan_get_current_fiber();
  __tsan_switch_to_fiber(maker, silently);
  void* const made = __tsan_create_fiber(0);
  __tsan_switch_to_fiber(me, silently);
  return made;
}
// to_fiber() joins the clock of the thread to that of the fiber, from_fiber() the reverse.
FENCEPOST_AS_A_FIBER inline void to_fiber(void* fiber) noexcept {
  void* const me = __tsan_get_current_fiber();
  __tsan_switch_to_fiber(fiber, 0);
  __tsan_switch_to_fiber(me, silently);
}
FENCEPOST_AS_A_FIBER inline void from_fiber(void* fiber) noexcept {
  void* const me = __tsan_get_current_fiber();
  __tsan_switch_to_fiber(fiber, silently);
  __tsan_switch_to_fiber(me, 0);
}

#undef FENCEPOST_AS_A_FIBER

}  // namespace tsan_as

// Creates fibers. A new fiber starts with the clock of its creator, so the creator is a fiber whose
// clock holds nothing but what was before main().
class tsan_fiber_maker {
 public:
  void* make() noexcept {
    lock_.lock();
    if (maker_ == nullptr) maker_ = __tsan_create_fiber(0);
    void* const made = tsan_as::make(maker_);
    lock_.unlock();
    return made;
  }

 private:
  friend class tsan_without_fibers;
  friend class tsan_step;

  // In a child of fork(). Another thread of the parent may have been running as the maker at that
  // moment: in the child it does so for ever, and ThreadSanitizer lets no other thread switch to
  // that fiber. ThreadSanitizer's own locks are held here, so the next maker is created later. That
  // one starts with the clock of the child's thread, as does everything that starts in the child.
  void abandon() noexcept {
    maker_ = nullptr;
    lock_.unlock();
  }

  tsan_lock lock_;
  void* maker_ = __tsan_create_fiber(0);  // null: to be created
};
inline tsan_fiber_maker tsan_fibers;

// The two clocks of the calling thread.
class tsan_clocks {
 public:
  static void* itself() noexcept { return __tsan_get_current_fiber(); }
  // At the end of a thread, when its fibers are destroyed, the thread's own clock replaces them:
  // races may then be missed, but none is reported falsely.
  static void* announced() noexcept { return there() ? mine_.announced : itself(); }
  static void* collected() noexcept { return there() ? mine_.collected : itself(); }

 private:
  friend class tsan_without_fibers;

  enum class state : std::uint8_t { none, there, gone };
  struct fibers {
    void* announced;
    void* collected;
    state now;
  };
  struct at_end_of_thread {
    ~at_end_of_thread() { destroy(state::gone); }
  };

  static void destroy(state next) noexcept {
    if (std::exchange(mine_.now, next) != state::there) return;
    __tsan_destroy_fiber(mine_.announced);
    __tsan_destroy_fiber(mine_.collected);
  }

  static bool there() noexcept {
    if (mine_.now == state::none) [[unlikely]] {
      mine_.announced = tsan_fibers.make();
      mine_.collected = tsan_fibers.make();
      mine_.now = state::there;
      static thread_local at_end_of_thread destroyer;
      static_cast<void>(destroyer);
    }
    return mine_.now == state::there;
  }

  static inline constinit thread_local fibers mine_{};
};

// Exists during the fork() of a process with one thread, in both processes. ThreadSanitizer counts
// fibers as threads, and ends a child of a process with several threads when the child starts a
// thread. Destroying the fibers loses nothing: everything so far happens before the threads that
// start later.
class tsan_without_fibers {
 public:
  tsan_without_fibers() noexcept {
    tsan_clocks::destroy(tsan_clocks::state::none);
    __tsan_destroy_fiber(tsan_fibers.maker_);
  }
  tsan_without_fibers(const tsan_without_fibers&) = delete;
  tsan_without_fibers& operator=(const tsan_without_fibers&) = delete;
  ~tsan_without_fibers() { tsan_fibers.maker_ = __tsan_create_fiber(0); }
};

// One access to a location and its effect on the clocks. The step lasts as long as the object.
class tsan_step {
 public:
  explicit tsan_step(const volatile void* location) noexcept
      : lock_{locks[reinterpret_cast<std::uintptr_t>(location) / 8 % std::size(locks)]} {
    lock_.lock();
  }
  tsan_step(const tsan_step&) = delete;
  tsan_step& operator=(const tsan_step&) = delete;
  ~tsan_step() { lock_.unlock(); }

  // These take any location that is accessed under this lock.
  static void acquire(const void* location, std::memory_order order) noexcept {
    tsan_as::acquire(acquires(order) ? tsan_clocks::itself() : tsan_clocks::collected(),
                     const_cast<void*>(location));
  }
  static void release(void* location, std::memory_order order) noexcept {
    tsan_as::release(releases(order) ? tsan_clocks::itself() : tsan_clocks::announced(), location);
  }
  static void replace(void* location, std::memory_order order) noexcept {
    tsan_as::replace(releases(order) ? tsan_clocks::itself() : tsan_clocks::announced(), location);
  }

 private:
  // In a child of fork(), where the threads that hold locks do not exist.
  static void unlock_all() noexcept {
    for (tsan_lock& each : locks) each.unlock();
    tsan_fibers.abandon();
  }

  static inline tsan_lock locks[128];
  static inline const int at_fork = pthread_atfork(nullptr, nullptr, unlock_all);
  tsan_lock& lock_;
};

inline void tsan_fence(std::memory_order order) noexcept {
  if (acquires(order)) tsan_as::from_fiber(tsan_clocks::collected());
  if (releases(order)) tsan_as::to_fiber(tsan_clocks::announced());
#ifndef __clang__
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wtsan"  // ThreadSanitizer does not support fences
#endif
  // The fence itself, for the machine.
  std::atomic_thread_fence(order);
#ifndef __clang__
#pragma GCC diagnostic pop
#endif
}

}  // namespace fencepost::detail

#endif
