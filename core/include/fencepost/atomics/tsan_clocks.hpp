// What tsan_atomics tells ThreadSanitizer: which clock passes where. Nothing outside its builds.
//
// ThreadSanitizer finds races by vector clocks: of each thread, and of each location that it has
// seen released. It does not know fences. What a fence does is a matter of two more clocks a
// thread,
//
//   announced   what the thread knew at its last release fence: its relaxed stores pass that on
//   collected   what its relaxed loads have read: the next acquire fence makes it the thread's
//
// and a clock that is not a thread's is a fiber to ThreadSanitizer. Nothing ever runs on these two:
// the thread is for an instant the fiber, touches no memory, and is itself again, without
// ThreadSanitizer's taking that for synchronisation.
//
//   an access     acquires   with   releases                      with
//   load          collected  the location's clock
//   store                           the location's clock becomes  announced
//   exchange ...  collected  it     the location's clock joins    announced
//
// With an order that acquires or releases, the thread stands for the fiber. An access and what it
// does to the clocks are one step, under a lock that ThreadSanitizer does not take for
// synchronisation. So its view is that of C++20: a store of any order ends the release sequence, a
// failed exchange releases nothing, and a write between a fence and the store is not published.
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

// Of ThreadSanitizer's interface for Java, which needs no Java: the clock of the location becomes
// that of the thread, where __tsan_release() would only add it.
extern "C" void __tsan_java_release_store(unsigned long location);  // NOLINT: its name

namespace fencepost::detail {

constexpr bool acquires(std::memory_order order) noexcept {
  return order != std::memory_order_relaxed && order != std::memory_order_release;
}
constexpr bool releases(std::memory_order order) noexcept {
  return order == std::memory_order_release || order == std::memory_order_acq_rel ||
         order == std::memory_order_seq_cst;
}

// Excludes, and is no synchronisation to ThreadSanitizer: the operations that it sees are relaxed.
// That they exclude nevertheless is a matter of its runtime, whose exchange is a full barrier, and
// of the compiler's.
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

// What is done as a fiber. Each is a function of its own, which ThreadSanitizer does not look into:
// it would take the thread's own memory for another's. In and out in one function, for it counts
// calls and returns by fiber.
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
// Everything that the one knows, to the other.
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

// A new fiber knows what the one knows that makes it: that is one which knows nothing, but what was
// before main().
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

  // In a child of fork(), where another thread may have been the maker at that moment: it is so for
  // ever, and ThreadSanitizer lets nobody else be it. Its own locks are held here, so that the next
  // maker is made later. That one knows what the child's thread knows, which all that begins
  // in the child knows as well.
  void abandon() noexcept {
    maker_ = nullptr;
    lock_.unlock();
  }

  tsan_lock lock_;
  void* maker_ = __tsan_create_fiber(0);  // null: to be made
};
inline tsan_fiber_maker tsan_fibers;

// The two clocks of the calling thread.
class tsan_clocks {
 public:
  static void* itself() noexcept { return __tsan_get_current_fiber(); }
  // At the end of a thread, when they are gone, it stands for them: then races may be missed, and
  // none is reported that is not one.
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

// Around the fork() of a process with one thread, in both processes: with fibers it would have
// several to ThreadSanitizer, which ends such a child when that starts a thread. Nothing is lost
// with them: threads that begin later know all that has been.
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

// One access to a location and what it does to the clocks, from its construction to its end.
class tsan_step {
 public:
  explicit tsan_step(const volatile void* location) noexcept
      : lock_{locks[reinterpret_cast<std::uintptr_t>(location) / 8 % std::size(locks)]} {
    lock_.lock();
  }
  tsan_step(const tsan_step&) = delete;
  tsan_step& operator=(const tsan_step&) = delete;
  ~tsan_step() { lock_.unlock(); }

  // Of any location that is accessed under this lock.
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
  // In a child of fork(), where those that hold a lock do not run.
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
#pragma GCC diagnostic ignored "-Wtsan"  // that ThreadSanitizer does not know it
#endif
  // For the machine.
  std::atomic_thread_fence(order);
#ifndef __clang__
#pragma GCC diagnostic pop
#endif
}

}  // namespace fencepost::detail

#endif
