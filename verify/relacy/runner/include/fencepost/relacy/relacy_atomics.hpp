// The atomics policy under Relacy: rl::atomic and rl::var, with the component's own lines.
//
// It has the interface of the kit's policy (fencepost/atomics/policy.hpp), each operation with a
// defaulted source location that Relacy's histories show. To be used inside a simulation only;
// simulation.hpp simulates a scenario. docs/second-opinion.md describes Relacy's model, and where
// it differs.
//
//   atomic<T>            rl::atomic, always with an explicit initial store: without one, Relacy
//                        hides the initial value from every weak read
//   plain<T>             the value beside an rl::var, which finds races: rl::var itself holds only
//                        values that can be printed, and gives no reference
//   mutex, condition_variable, futex, atomic::wait
//                        Relacy's waiting sets
//   thread               cannot be expressed, since Relacy's threads are counted at compile time:
//                        starting one ends the simulation, and the scenario is skipped
//   halves               is missing: in Relacy an object has one size
#pragma once

#include <array>
#include <atomic>
#include <bit>
#include <climits>
#include <concepts>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <type_traits>
#include <utility>

#include "fencepost/atomics/atomic_operators.hpp"
#include "fencepost/atomics/policy.hpp"
#include "fencepost/relacy/relacy.hpp"
#include "fencepost/source_location.hpp"

namespace fencepost {

namespace relacy::detail {

// The state of an execution that Relacy does not keep itself. Simulations run one after the other.
struct execution {
  unsigned timeouts_left = 1;           // of timed waits
  bool spurious_wakeups = true;         // of condition variables
  bool spurious_failures = true;        // of weak exchanges
  std::array<char, 1000> message = {};  // of the violated claim: a thread may own its text
  bool exception = false;               // an exception left a thread
  const char* inexpressible = nullptr;  // what ended the simulation without a verdict
};
inline execution current_execution;

inline rl::debug_info info(source_location where) noexcept {
  return {where.function, where.file, where.line};
}

constexpr rl::memory_order to_order(std::memory_order o) noexcept {
  switch (o) {
    case std::memory_order_relaxed: return rl::mo_relaxed;
    case std::memory_order_consume: return rl::mo_consume;
    case std::memory_order_acquire: return rl::mo_acquire;
    case std::memory_order_release: return rl::mo_release;
    case std::memory_order_acq_rel: return rl::mo_acq_rel;
    case std::memory_order_seq_cst: break;
  }
  return rl::mo_seq_cst;
}

inline void full_fence(source_location where) {
  rl::atomic_thread_fence(rl::mo_seq_cst, info(where));
}

// What Relacy stores for a T: T itself if it is arithmetic or a pointer, otherwise its bytes.
template <std::size_t Size>
using bytes = std::conditional_t<
    Size == 1, std::uint8_t,
    std::conditional_t<Size == 2, std::uint16_t,
                       std::conditional_t<Size == 4, std::uint32_t, std::uint64_t>>>;
template <class T>
inline constexpr bool is_kept = std::is_arithmetic_v<T> || std::is_pointer_v<T>;
template <class T>
using kept = std::conditional_t<is_kept<T>, T, bytes<sizeof(T)>>;

}  // namespace relacy::detail

struct relacy_atomics {
  template <class T>
  class atomic;
  template <class T>
  class plain;
  class thread;
  class mutex;
  class condition_variable;

  static void fence(std::memory_order o, source_location where = source_location::current()) {
    if (o != std::memory_order_relaxed)
      rl::atomic_thread_fence(relacy::detail::to_order(o), relacy::detail::info(where));
  }
  static void spin_pause(source_location where = source_location::current()) {
    rl::yield(1, relacy::detail::info(where));
  }
  // Relacy switches threads at each access anyway; loops call spin_pause() too.
  static void yield() noexcept {}
  class back_off {
   public:
    void operator()() noexcept {}  // loops call spin_pause() too
  };
  using growing_back_off = back_off;
  static bool futex_wait(const atomic<std::uint32_t>& word, std::uint32_t expected,
                         deadline until = no_deadline,
                         source_location where = source_location::current());
  static void futex_wake(const atomic<std::uint32_t>& word, unsigned count,
                         source_location where = source_location::current());
};

template <class T>
class relacy_atomics::atomic : public atomic_operators<relacy_atomics::atomic<T>, T> {
  static_assert(std::is_trivially_copyable_v<T>, "an atomic's type must be trivially copyable");
  static_assert(sizeof(T) == 1 || sizeof(T) == 2 || sizeof(T) == 4 || sizeof(T) == 8,
                "an atomic has 1, 2, 4 or 8 bytes here");
  using order = std::memory_order;
  using place = source_location;

 public:
  using value_type = T;
  static constexpr bool is_always_lock_free = true;

  atomic(place at = place::current()) : atomic(T(), at) {}
  atomic(T initial, place at = place::current()) { store(initial, std::memory_order_relaxed, at); }
  atomic(const atomic&) = delete;
  atomic& operator=(const atomic&) = delete;

  bool is_lock_free() const noexcept { return true; }

  T load(order o = order::seq_cst, place at = place::current()) const {
    return from(impl_.load(to(o), info(at)));
  }
  void store(T v, order o = order::seq_cst, place at = place::current()) {
    impl_.store(bits(v), to(o), info(at));
  }
  T exchange(T v, order o = order::seq_cst, place at = place::current()) {
    return from(impl_.exchange(bits(v), to(o), info(at)));
  }
  bool compare_exchange_strong(T& expected, T desired, order success, order failure,
                               place at = place::current()) {
    kept seen = bits(expected);
    const bool done =
        impl_.compare_exchange_strong(seen, bits(desired), to(success), to(failure), info(at));
    if (!done) expected = from(seen);
    return done;
  }
  bool compare_exchange_weak(T& expected, T desired, order success, order failure,
                             place at = place::current()) {
    if (!relacy::detail::current_execution.spurious_failures)
      return compare_exchange_strong(expected, desired, success, failure, at);
    kept seen = bits(expected);
    const bool done =
        impl_.compare_exchange_weak(seen, bits(desired), to(success), to(failure), info(at));
    if (!done) expected = from(seen);
    return done;
  }
  bool compare_exchange_strong(T& expected, T desired, order o = order::seq_cst,
                               place at = place::current()) {
    return compare_exchange_strong(expected, desired, o, failure_order(o), at);
  }
  bool compare_exchange_weak(T& expected, T desired, order o = order::seq_cst,
                             place at = place::current()) {
    return compare_exchange_weak(expected, desired, o, failure_order(o), at);
  }

  T fetch_add(T v, order o = order::seq_cst,
              place at = place::current()) requires std::is_arithmetic_v<T> {
    return impl_.fetch_add(v, to(o), info(at));
  }
  T fetch_sub(T v, order o = order::seq_cst,
              place at = place::current()) requires std::is_arithmetic_v<T> {
    return impl_.fetch_sub(v, to(o), info(at));
  }
  T fetch_add(std::ptrdiff_t n, order o = order::seq_cst,
              place at = place::current()) requires std::is_pointer_v<T> {
    return impl_.fetch_add(n, to(o), info(at));
  }
  T fetch_sub(std::ptrdiff_t n, order o = order::seq_cst,
              place at = place::current()) requires std::is_pointer_v<T> {
    return impl_.fetch_sub(n, to(o), info(at));
  }
  T fetch_and(T v, order o = order::seq_cst,
              place at = place::current()) requires std::is_integral_v<T> {
    return impl_.fetch_and(v, to(o), info(at));
  }
  T fetch_or(T v, order o = order::seq_cst,
             place at = place::current()) requires std::is_integral_v<T> {
    return impl_.fetch_or(v, to(o), info(at));
  }
  T fetch_xor(T v, order o = order::seq_cst,
              place at = place::current()) requires std::is_integral_v<T> {
    return impl_.fetch_xor(v, to(o), info(at));
  }

  void wait(T old, order o = order::seq_cst, place at = place::current()) const {
    while (bits(load(o, at)) == bits(old)) park(bits(old), false, at);
  }
  void notify_one(place at = place::current()) const { wake(1, at); }
  void notify_all(place at = place::current()) const { wake(UINT_MAX, at); }

  using atomic_operators<atomic, T>::operator=;

 private:
  friend struct relacy_atomics;
  using kept = relacy::detail::kept<T>;

  static rl::debug_info info(place at) noexcept { return relacy::detail::info(at); }
  static rl::memory_order to(order o) noexcept { return relacy::detail::to_order(o); }
  static kept bits(T v) noexcept {
    if constexpr (relacy::detail::is_kept<T>)
      return v;
    else
      return std::bit_cast<kept>(v);
  }
  static T from(kept v) noexcept {
    if constexpr (relacy::detail::is_kept<T>)
      return v;
    else
      return std::bit_cast<T>(v);
  }

  // Compares and enqueues in one step with respect to wake(), with a full fence on either side.
  // Returns false if it timed out. Spurious wake-ups are left out: they would hide lost ones.
  bool park(kept expected, bool timed, place at) const {
    rl::context& here = rl::ctx();
    unsigned& left = relacy::detail::current_execution.timeouts_left;
    relacy::detail::full_fence(at);
    {
      // From the fence on, no other thread runs until this one is in the queue: the fence makes the
      // load observe what was stored before a wake that came first.
      rl::preemption_disabler alone(here);
      if (impl_.load(rl::mo_relaxed, info(at)) != expected) return true;
    }
    for (;;) {
      const bool may_time_out = timed && left > 0;
      const rl::unpark_reason reason = impl_.wait(here, may_time_out, false, info(at));
      const bool timed_out = reason == rl::unpark_reason_timeout;
      if (timed_out && left == 0) continue;  // another thread used the last time-out
      if (timed_out) --left;
      relacy::detail::full_fence(at);
      return !timed_out;
    }
  }
  void wake(unsigned count, place at) const {
    relacy::detail::full_fence(at);
    const int most = count > INT_MAX ? INT_MAX : static_cast<int>(count);
    impl_.wake(rl::ctx(), most, info(at));
    relacy::detail::full_fence(at);
  }

  mutable rl::atomic<kept> impl_;
};

inline bool relacy_atomics::futex_wait(const atomic<std::uint32_t>& word, std::uint32_t expected,
                                       deadline until, source_location where) {
  return word.park(expected, until != no_deadline, where);
}

inline void relacy_atomics::futex_wake(const atomic<std::uint32_t>& word, unsigned count,
                                       source_location where) {
  word.wake(count, where);
}

template <class T>
class relacy_atomics::plain {
  using place = source_location;

 public:
  plain() : plain(T()) {}
  explicit plain(T initial) : value_(std::move(initial)), accesses_(0) {}
  plain(const plain&) = delete;
  plain& operator=(const plain&) = delete;  // use set(other.get())
  void operator=(T) = delete;               // use set(value), or write() to change it in place

  T get(place at = place::current()) const { return read(at); }
  void set(T v, place at = place::current()) { write(at) = std::move(v); }
  const T& read(place at = place::current()) const {
    accesses_(relacy::detail::info(at)).load();
    return value_;
  }
  T& write(place at = place::current()) {
    accesses_(relacy::detail::info(at)).store(++writes_);
    return value_;
  }

 private:
  T value_;
  unsigned writes_ = 0;  // what a history shows as the value
  mutable rl::var<unsigned> accesses_;
};

class relacy_atomics::mutex {
 public:
  mutex() = default;
  mutex(const mutex&) = delete;
  mutex& operator=(const mutex&) = delete;

  void lock(source_location where = source_location::current()) {
    impl_.lock(relacy::detail::info(where));
  }
  bool try_lock(source_location where = source_location::current()) {
    return impl_.try_lock(relacy::detail::info(where));
  }
  void unlock(source_location where = source_location::current()) {
    impl_.unlock(relacy::detail::info(where));
  }

 private:
  friend class condition_variable;
  rl::mutex impl_;
};

class relacy_atomics::condition_variable {
  using place = source_location;

 public:
  condition_variable(place at = place::current()) {
    impl_.init(relacy::detail::current_execution.spurious_wakeups, relacy::detail::info(at));
  }
  ~condition_variable() { impl_.deinit(relacy::detail::info(place::current())); }
  condition_variable(const condition_variable&) = delete;
  condition_variable& operator=(const condition_variable&) = delete;

  void wait(std::unique_lock<mutex>& lock, place at = place::current()) {
    impl_.wait(lock.mutex()->impl_, false, relacy::detail::info(at));
  }
  template <class Predicate>
  void wait(std::unique_lock<mutex>& lock, Predicate holds, place at = place::current()) {
    while (!holds()) wait(lock, at);
  }
  std::cv_status wait_until(std::unique_lock<mutex>& lock, deadline, place at = place::current()) {
    unsigned& left = relacy::detail::current_execution.timeouts_left;
    const bool timed_out = impl_.wait(lock.mutex()->impl_, left > 0, relacy::detail::info(at)) ==
                           rl::sema_wakeup_reason_timeout;
    // If another thread used the last time-out, this is a spurious wake-up.
    if (!timed_out || left == 0) return std::cv_status::no_timeout;
    --left;
    return std::cv_status::timeout;
  }
  void notify_one(place at = place::current()) { impl_.notify_one(relacy::detail::info(at)); }
  void notify_all(place at = place::current()) { impl_.notify_all(relacy::detail::info(at)); }

 private:
  struct tag;
  rl::condvar<tag> impl_;
};

class relacy_atomics::thread {
 public:
  thread() = default;
  // A thread is not invocable, and so never the callable.
  template <std::invocable Body>
  // NOLINTNEXTLINE(bugprone-forwarding-reference-overload)
  explicit thread(Body&&, source_location where = source_location::current()) {
    relacy::detail::current_execution.inexpressible = "it starts threads of its own";
    rl::ctx().fail_test("a thread cannot be started in a simulation",
                        rl::test_result_until_condition_hit, relacy::detail::info(where));
  }
  thread(thread&&) = default;
  thread& operator=(thread&&) = default;
  bool joinable() const noexcept { return false; }
  void join() {}
};

static_assert(atomics_policy<relacy_atomics>);
static_assert(!mixed_size_policy<relacy_atomics>);

}  // namespace fencepost
