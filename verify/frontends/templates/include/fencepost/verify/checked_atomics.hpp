// The atomics policy under the checker: every access is an event of the explorer.
//
// The interface of std::atomic and of the kit's policy (fencepost/atomics/policy.hpp). Each
// operation takes a defaulted source location, so that a counterexample shows the component's own
// lines. To be used inside verify::check() only.
#pragma once

#include <atomic>
#include <bit>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <mutex>
#include <type_traits>
#include <utility>

#include "fencepost/source_location.hpp"
#include "fencepost/verify/engine.hpp"
#include "fencepost/verify/value_bits.hpp"
#include "fencepost/verify/wait_queue.hpp"

namespace fencepost {

namespace verify::detail {

// The engine of the running check; ends the program, with a message, where there is none.
engine& here();

constexpr order to_order(std::memory_order o) noexcept {
  switch (o) {
    case std::memory_order_relaxed: return order::relaxed;
    case std::memory_order_consume:
    case std::memory_order_acquire: return order::acquire;
    case std::memory_order_release: return order::release;
    case std::memory_order_acq_rel: return order::acq_rel;
    case std::memory_order_seq_cst: break;
  }
  return order::seq_cst;
}

// The failure order that the single-order overloads imply.
constexpr std::memory_order failure_order(std::memory_order o) noexcept {
  if (o == std::memory_order_acq_rel) return std::memory_order_acquire;
  if (o == std::memory_order_release) return std::memory_order_relaxed;
  return o;
}

// The order in which an access of the program is done.
inline order ordered(access what, std::memory_order o, const source_location& where) {
  return here().done_instead({.what = what, .success = to_order(o)}, where).success;
}

inline asked_for exchange_orders(bool weak, std::memory_order success, std::memory_order failure,
                                 const source_location& where) {
  return here().done_instead({access::compare_exchange, to_order(success), to_order(failure), weak},
                             where);
}

[[noreturn]] void report_overwritten(source_location);
[[noreturn]] void report_load_order(source_location);
[[noreturn]] void report_store_order(source_location);

inline void require_load_order(std::memory_order o, const source_location& where) {
  if (o == std::memory_order_release || o == std::memory_order_acq_rel) report_load_order(where);
}
inline void require_store_order(std::memory_order o, const source_location& where) {
  if (o == std::memory_order_acquire || o == std::memory_order_acq_rel ||
      o == std::memory_order_consume)
    report_store_order(where);
}

// The same of a value that is wider: by its number. Where the compiler cannot clear the padding of
// a structure, its bytes count as well.
template <class T>
value number_of(const T& v) noexcept {
  wide_value bytes = {};
  std::memcpy(&bytes, std::addressof(v), sizeof(T));
#ifdef __has_builtin
#if __has_builtin(__builtin_clear_padding)
  alignas(T) std::byte cleared[sizeof(T)];
  std::memcpy(cleared, &bytes, sizeof(T));
  __builtin_clear_padding(reinterpret_cast<T*>(cleared));
  std::memcpy(&bytes, cleared, sizeof(T));
#endif
#endif
  return here().number_of(bytes);
}

template <class T>
T numbered(value number) noexcept {
  const wide_value bytes = here().numbered(number);
  alignas(T) std::byte raw[sizeof(T)];
  std::memcpy(raw, &bytes, sizeof(T));
  return std::bit_cast<T>(*reinterpret_cast<std::byte(*)[sizeof(T)]>(raw));
}

// An object's location, as the object holds it; its lifetime is the object's. When the object is
// gone and its memory was used for something else, that shows.
class handle {
 public:
  // Of a static object, which each exploration finds by its address.
  constexpr handle() noexcept = default;
  explicit handle(location l) noexcept : at_(l), seal_(seal()) {}
  constexpr ~handle() {
    if (!std::is_constant_evaluated()) retire();
  }
  handle(const handle&) = delete;
  handle& operator=(const handle&) = delete;

  [[nodiscard, gnu::always_inline]] location get(source_location where) const {
    if (seal_ != seal()) report_overwritten(where);
    return at_;
  }
  [[nodiscard]] constexpr bool is_static() const noexcept {
    return at_ == no_location && seal_ == 0;
  }
  // For destructors, which may run when no check does, or on memory that is something else by now.
  [[nodiscard]] engine* alive() const noexcept {
    return seal_ == seal() ? engine::current() : nullptr;
  }
  [[nodiscard]] location get() const noexcept { return at_; }

 private:
  void retire() const {
    engine* e = engine::current();
    if (e != nullptr && seal_ == seal()) e->retire(at_, {});
  }
  [[nodiscard]] std::uint32_t seal() const noexcept {
    const auto address = reinterpret_cast<std::uintptr_t>(this);
    return ((at_ ^ static_cast<std::uint32_t>(address) ^ 0x5ea1ed00U) * 0x9e3779b1U) | 1U;
  }
  location at_ = no_location;
  std::uint32_t seal_ = 0;
};

}  // namespace verify::detail

struct checked_atomics {
  template <class T>
  class atomic;
  template <class T>
  class plain;
  class halves;
  class thread;
  class mutex;
  class condition_variable;

  static void fence(std::memory_order o, source_location where = source_location::current()) {
    if (o == std::memory_order_relaxed) return;
    const verify::order done = verify::detail::ordered(verify::access::fence, o, where);
    if (done != verify::order::relaxed) verify::detail::here().fence(done, where);
  }
  // How long it pauses is nothing that a loop could know: no state, whatever it counts elsewhere.
  class back_off {
   public:
    void operator()() noexcept {}
  };
  static void spin_pause() { verify::detail::here().spin_pause(); }

  using time_point = std::chrono::steady_clock::time_point;
  static bool futex_wait(const atomic<std::uint32_t>& word, std::uint32_t expected,
                         time_point until = time_point::max(),
                         source_location where = source_location::current());
  static void futex_wake(const atomic<std::uint32_t>& word, unsigned count,
                         source_location where = source_location::current());
};

template <class T>
class checked_atomics::atomic {
  static_assert(std::is_trivially_copyable_v<T>, "an atomic's type must be trivially copyable");
  static_assert(sizeof(T) <= 16, "the checker explores atomics of at most sixteen bytes");

 public:
  using value_type = T;
  static constexpr bool is_always_lock_free = sizeof(T) <= 8;

  // In a constant expression: of a static object, which there is in every check and outside of one.
  // Each execution begins with its initial value.
  constexpr atomic(source_location where = source_location::current()) noexcept
      : atomic(T(), where) {}
  constexpr atomic(T initial, source_location where = source_location::current()) noexcept
      : initial_(initial),
        at_(std::is_constant_evaluated() ? verify::detail::handle()
                                         : verify::detail::handle(declare(where))) {}
  atomic(const atomic&) = delete;
  atomic& operator=(const atomic&) = delete;

  bool is_lock_free() const noexcept { return true; }

  [[gnu::always_inline]] T load(std::memory_order o = std::memory_order::seq_cst,
                                source_location where = source_location::current()) const {
    verify::detail::require_load_order(o, where);
    return from(
        engine().load(word(where), verify::detail::ordered(verify::access::load, o, where), where));
  }
  [[gnu::always_inline]] void store(T v, std::memory_order o = std::memory_order::seq_cst,
                                    source_location where = source_location::current()) {
    verify::detail::require_store_order(o, where);
    engine().store(word(where), bits(v), verify::detail::ordered(verify::access::store, o, where),
                   where);
  }
  [[gnu::always_inline]] T exchange(T v, std::memory_order o = std::memory_order::seq_cst,
                                    source_location where = source_location::current()) {
    return rmw(verify::operation::exchange, bits(v), o, where);
  }
  [[gnu::always_inline]] bool compare_exchange_strong(
      T& expected, T desired, std::memory_order success, std::memory_order failure,
      source_location where = source_location::current()) {
    return compare_exchange(expected, desired, false, success, failure, where);
  }
  [[gnu::always_inline]] bool compare_exchange_weak(
      T& expected, T desired, std::memory_order success, std::memory_order failure,
      source_location where = source_location::current()) {
    return compare_exchange(expected, desired, true, success, failure, where);
  }
  [[gnu::always_inline]] bool compare_exchange_strong(
      T& expected, T desired, std::memory_order o = std::memory_order::seq_cst,
      source_location where = source_location::current()) {
    return compare_exchange(expected, desired, false, o, verify::detail::failure_order(o), where);
  }
  [[gnu::always_inline]] bool compare_exchange_weak(
      T& expected, T desired, std::memory_order o = std::memory_order::seq_cst,
      source_location where = source_location::current()) {
    return compare_exchange(expected, desired, true, o, verify::detail::failure_order(o), where);
  }

  T fetch_add(T v, std::memory_order o = std::memory_order::seq_cst,
              source_location where = source_location::current()) requires std::is_arithmetic_v<T> {
    if constexpr (std::is_integral_v<T>)
      return rmw(verify::operation::add, bits(v), o, where);
    else
      return custom([](verify::value a, verify::value b) { return bits(from(a) + from(b)); },
                    bits(v), o, where);
  }
  T fetch_sub(T v, std::memory_order o = std::memory_order::seq_cst,
              source_location where = source_location::current()) requires std::is_arithmetic_v<T> {
    if constexpr (std::is_integral_v<T>)
      return rmw(verify::operation::subtract, bits(v), o, where);
    else
      return custom([](verify::value a, verify::value b) { return bits(from(a) - from(b)); },
                    bits(v), o, where);
  }
  T fetch_add(std::ptrdiff_t n, std::memory_order o = std::memory_order::seq_cst,
              source_location where = source_location::current()) requires std::is_pointer_v<T> {
    return rmw(verify::operation::add, scaled(n), o, where);
  }
  T fetch_sub(std::ptrdiff_t n, std::memory_order o = std::memory_order::seq_cst,
              source_location where = source_location::current()) requires std::is_pointer_v<T> {
    return rmw(verify::operation::subtract, scaled(n), o, where);
  }
  T fetch_and(T v, std::memory_order o = std::memory_order::seq_cst,
              source_location where = source_location::current()) requires std::is_integral_v<T> {
    return rmw(verify::operation::bit_and, bits(v), o, where);
  }
  T fetch_or(T v, std::memory_order o = std::memory_order::seq_cst,
             source_location where = source_location::current()) requires std::is_integral_v<T> {
    return rmw(verify::operation::bit_or, bits(v), o, where);
  }
  T fetch_xor(T v, std::memory_order o = std::memory_order::seq_cst,
              source_location where = source_location::current()) requires std::is_integral_v<T> {
    return rmw(verify::operation::bit_xor, bits(v), o, where);
  }

  // C++20's waiting: blocks while the value is `old`; a waiter must be notified.
  void wait(T old, std::memory_order o = std::memory_order::seq_cst,
            source_location where = source_location::current()) const {
    while (bits(load(o, where)) == bits(old))
      verify::detail::wait_while(at(where), this, bits(old), verify::detail::sleeper::atomic, false,
                                 where);
  }
  void notify_one(source_location where = source_location::current()) { notify(1, where); }
  void notify_all(source_location where = source_location::current()) { notify(~0u, where); }

  operator T() const { return load(); }
  T operator=(T v) {
    store(v);
    return v;
  }
  T operator++() { return static_cast<T>(fetch_add(1) + 1); }
  T operator++(int) { return fetch_add(1); }
  T operator--() { return static_cast<T>(fetch_sub(1) - 1); }
  T operator--(int) { return fetch_sub(1); }
  T operator+=(T v) { return static_cast<T>(fetch_add(v) + v); }
  T operator-=(T v) { return static_cast<T>(fetch_sub(v) - v); }
  T operator&=(T v) { return static_cast<T>(fetch_and(v) & v); }
  T operator|=(T v) { return static_cast<T>(fetch_or(v) | v); }
  T operator^=(T v) { return static_cast<T>(fetch_xor(v) ^ v); }

 private:
  friend struct checked_atomics;

  static verify::value bits(const T& v) noexcept {
    if constexpr (sizeof(T) <= sizeof(verify::value))
      return verify::detail::to_value(v);
    else
      return verify::detail::number_of(v);
  }
  static T from(verify::value v) noexcept {
    if constexpr (sizeof(T) <= sizeof(verify::value))
      return verify::detail::from_value<T>(v);
    else
      return verify::detail::numbered<T>(v);
  }
  static verify::engine& engine() { return verify::detail::here(); }
  [[gnu::always_inline]] verify::word word(source_location where) const {
    return verify::word(at(where));
  }
  [[gnu::always_inline]] verify::location at(source_location where) const {
    if (at_.is_static()) [[unlikely]]
      return engine().of_static(this, sizeof(T), bits(initial_), where);
    return at_.get(where);
  }
  verify::location declare(source_location where) const {
    return engine().declare(this, sizeof(T), bits(initial_), where);
  }
  static verify::value scaled(std::ptrdiff_t n) noexcept {
    return static_cast<verify::value>(
        n * static_cast<std::ptrdiff_t>(sizeof(std::remove_pointer_t<T>)));
  }

  static verify::order ordered(std::memory_order o, const source_location& where) {
    return verify::detail::ordered(verify::access::read_modify_write, o, where);
  }
  [[gnu::always_inline]] T rmw(verify::operation op, verify::value operand, std::memory_order o,
                               source_location where) {
    return from(
        engine().read_modify_write(word(where), op, operand, sizeof(T), ordered(o, where), where));
  }
  T custom(verify::value (*f)(verify::value, verify::value), verify::value operand,
           std::memory_order o, source_location where) {
    return from(engine().read_modify_write(word(where), verify::operation::custom, operand,
                                           sizeof(T), ordered(o, where), where, f));
  }
  [[gnu::always_inline]] bool compare_exchange(T& expected, T desired, bool weak,
                                               std::memory_order success, std::memory_order failure,
                                               source_location where) {
    verify::detail::require_load_order(failure, where);
    const verify::asked_for how = verify::detail::exchange_orders(weak, success, failure, where);
    const verify::exchanged done = engine().compare_exchange(
        word(where), bits(expected), bits(desired), how.weak, how.success, how.failure, where);
    if (!done.success) expected = from(done.old);
    return done.success;
  }

  void notify(unsigned count, source_location where) const {
    engine().use(at(where), false, where);
    verify::detail::wake(this, verify::detail::sleeper::atomic, count, where);
  }

  T initial_;
  verify::detail::handle at_;
};

inline bool checked_atomics::futex_wait(const atomic<std::uint32_t>& word, std::uint32_t expected,
                                        time_point until, source_location where) {
  return verify::detail::wait_while(word.at(where), &word, expected, verify::detail::sleeper::futex,
                                    until != time_point::max(), where);
}

// The word is an address and nothing else: it may be gone.
inline void checked_atomics::futex_wake(const atomic<std::uint32_t>& word, unsigned count,
                                        source_location where) {
  verify::detail::wake(&word, verify::detail::sleeper::futex, count, where);
}

template <class T>
class checked_atomics::plain {
 public:
  plain(source_location where = source_location::current()) : plain(T(), where) {}
  plain(T initial, source_location where = source_location::current())
      : value_(std::move(initial)),
        at_(verify::detail::here().declare_plain(this, sizeof(T), std::is_scalar_v<T>, where)) {}
  plain(const plain&) = delete;
  plain& operator=(const plain&) = delete;

  T get(source_location where = source_location::current()) const { return read(where); }
  void set(T v, source_location where = source_location::current()) { write(where) = std::move(v); }
  const T& read(source_location where = source_location::current()) const {
    verify::detail::here().plain_read(at_.get(where), where);
    return value_;
  }
  T& write(source_location where = source_location::current()) {
    verify::detail::here().plain_write(at_.get(where), where);
    return value_;
  }

 private:
  T value_;
  verify::detail::handle at_;
};

// A 64-bit word of two 32-bit halves that are accessed on their own as well as together.
class checked_atomics::halves {
 public:
  halves(std::uint32_t low, std::uint32_t high, source_location where = source_location::current())
      : low_(engine().declare(this, 4, low, where)),
        high_(engine().declare(reinterpret_cast<const char*>(this) + 4, 4, high, where)) {}
  halves(const halves&) = delete;
  halves& operator=(const halves&) = delete;

  std::uint64_t load(std::memory_order o,
                     source_location where = source_location::current()) const {
    verify::detail::require_load_order(o, where);
    return engine().load(whole(where), verify::detail::ordered(verify::access::load, o, where),
                         where);
  }
  void store(std::uint64_t v, std::memory_order o,
             source_location where = source_location::current()) {
    verify::detail::require_store_order(o, where);
    engine().store(whole(where), v, verify::detail::ordered(verify::access::store, o, where),
                   where);
  }
  bool compare_exchange_strong(std::uint64_t& expected, std::uint64_t desired,
                               std::memory_order success, std::memory_order failure,
                               source_location where = source_location::current()) {
    return compare_exchange(expected, desired, false, success, failure, where);
  }
  bool compare_exchange_weak(std::uint64_t& expected, std::uint64_t desired,
                             std::memory_order success, std::memory_order failure,
                             source_location where = source_location::current()) {
    return compare_exchange(expected, desired, true, success, failure, where);
  }
  std::uint32_t load_low(std::memory_order o,
                         source_location where = source_location::current()) const {
    return load_half(low_.get(where), o, where);
  }
  std::uint32_t load_high(std::memory_order o,
                          source_location where = source_location::current()) const {
    return load_half(high_.get(where), o, where);
  }
  void store_low(std::uint32_t v, std::memory_order o,
                 source_location where = source_location::current()) {
    store_half(low_.get(where), v, o, where);
  }
  void store_high(std::uint32_t v, std::memory_order o,
                  source_location where = source_location::current()) {
    store_half(high_.get(where), v, o, where);
  }

 private:
  static verify::engine& engine() { return verify::detail::here(); }
  verify::word whole(source_location where) const { return {low_.get(where), high_.get(where)}; }

  std::uint32_t load_half(verify::location at, std::memory_order o, source_location where) const {
    verify::detail::require_load_order(o, where);
    return static_cast<std::uint32_t>(engine().load(
        verify::word(at), verify::detail::ordered(verify::access::load, o, where), where));
  }
  void store_half(verify::location at, std::uint32_t v, std::memory_order o,
                  source_location where) {
    verify::detail::require_store_order(o, where);
    engine().store(verify::word(at), v, verify::detail::ordered(verify::access::store, o, where),
                   where);
  }
  bool compare_exchange(std::uint64_t& expected, std::uint64_t desired, bool weak,
                        std::memory_order success, std::memory_order failure,
                        source_location where) {
    verify::detail::require_load_order(failure, where);
    const verify::asked_for how = verify::detail::exchange_orders(weak, success, failure, where);
    const verify::exchanged done = engine().compare_exchange(
        whole(where), expected, desired, how.weak, how.success, how.failure, where);
    if (!done.success) expected = done.old;
    return done.success;
  }

  verify::detail::handle low_;
  verify::detail::handle high_;
};

class checked_atomics::thread {
 public:
  thread() noexcept = default;
  template <class F>
  // NOLINTNEXTLINE(bugprone-forwarding-reference-overload): never for a thread
  requires(!std::is_same_v<std::remove_cvref_t<F>, thread>) explicit thread(
      F&& f, source_location where = source_location::current()) {
    using body = std::decay_t<F>;
    auto owned = std::make_unique<body>(std::forward<F>(f));
    id_ = verify::detail::here().create(
        [](void* p) {
          const std::unique_ptr<body> mine(static_cast<body*>(p));
          (*mine)();
        },
        owned.get(), where);
    static_cast<void>(owned.release());
  }
  ~thread() { require_joined(); }
  thread(thread&& other) noexcept : id_(std::exchange(other.id_, 0u)) {}
  thread& operator=(thread&& other) noexcept {
    require_joined();
    id_ = std::exchange(other.id_, 0u);
    return *this;
  }

  bool joinable() const noexcept { return id_ != 0; }
  void join(source_location where = source_location::current()) {
    if (!joinable())
      verify::detail::here().fail(violation::misuse, "join() of a thread that is not joinable",
                                  where);
    verify::detail::here().join(std::exchange(id_, 0u), where);
  }

 private:
  void require_joined() {
    if (joinable())
      verify::detail::here().fail(violation::misuse, "a thread is destroyed that was not joined",
                                  {});
  }
  unsigned id_ = 0;
};

// Mutual exclusion; lock() blocks, unlock() releases to the next lock(). try_lock() may fail only
// when the mutex is held. Misuse is reported: what the thread holds already, or does not hold, and
// the end of a mutex that is locked.
class checked_atomics::mutex {
 public:
  mutex(source_location where = source_location::current())
      : at_(verify::detail::here().declare(this, sizeof(void*), 0, where)) {}
  ~mutex();
  mutex(const mutex&) = delete;
  mutex& operator=(const mutex&) = delete;

  void lock(source_location where = source_location::current());
  bool try_lock(source_location where = source_location::current());
  void unlock(source_location where = source_location::current());

 private:
  friend class condition_variable;
  [[nodiscard]] bool is_held_here() const;

  verify::detail::handle at_;
  unsigned owner_ = ~0u;  // of the thread that holds it
};

// A wait is three steps (to give up the mutex and wait, to be woken, to take the mutex again) and a
// notification one, all in one order. It may be destroyed when each thread that waits in it was
// notified: they need not have come back.
class checked_atomics::condition_variable {
 public:
  condition_variable(source_location where = source_location::current())
      : at_(verify::detail::here().declare(this, sizeof(void*), 0, where)) {}
  ~condition_variable();
  condition_variable(const condition_variable&) = delete;
  condition_variable& operator=(const condition_variable&) = delete;

  void wait(std::unique_lock<mutex>& lock, source_location where = source_location::current()) {
    wait(lock, false, where);
  }
  template <class Predicate>
  requires std::is_invocable_r_v<bool, Predicate>
  void wait(std::unique_lock<mutex>& lock, Predicate until,
            source_location where = source_location::current()) {
    while (!until()) wait(lock, false, where);
  }
  template <class Clock, class Duration>
  std::cv_status wait_until(std::unique_lock<mutex>& lock,
                            const std::chrono::time_point<Clock, Duration>&,
                            source_location where = source_location::current()) {
    return wait(lock, true, where) ? std::cv_status::no_timeout : std::cv_status::timeout;
  }
  template <class Clock, class Duration, class Predicate>
  requires std::is_invocable_r_v<bool, Predicate>
  bool wait_until(std::unique_lock<mutex>& lock, const std::chrono::time_point<Clock, Duration>&,
                  Predicate until, source_location where = source_location::current()) {
    while (!until())
      if (!wait(lock, true, where)) return until();
    return true;
  }
  template <class Rep, class Period>
  std::cv_status wait_for(std::unique_lock<mutex>& lock, const std::chrono::duration<Rep, Period>&,
                          source_location where = source_location::current()) {
    return wait(lock, true, where) ? std::cv_status::no_timeout : std::cv_status::timeout;
  }
  template <class Rep, class Period, class Predicate>
  requires std::is_invocable_r_v<bool, Predicate>
  bool wait_for(std::unique_lock<mutex>& lock, const std::chrono::duration<Rep, Period>&,
                Predicate until, source_location where = source_location::current()) {
    return wait_until(lock, std::chrono::steady_clock::time_point(), std::move(until), where);
  }
  void notify_one(source_location where = source_location::current()) { notify(1, where); }
  void notify_all(source_location where = source_location::current()) { notify(~0u, where); }

 private:
  // False: timed out.
  bool wait(std::unique_lock<mutex>&, bool timed, source_location where);
  void notify(unsigned count, source_location where);

  verify::detail::handle at_;
};

}  // namespace fencepost
