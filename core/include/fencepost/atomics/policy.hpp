// The atomics policy: the template parameter of every lock-free component of the kit.
//
// A policy P is a class whose members are the vocabulary below. Components use nothing else of the
// machine or the operating system, so that the same source runs in production (std_atomics), under
// the model checker, and under other checkers and sanitizers.
//
//   P::template atomic<T>   std::atomic<T>: T trivially copyable, at most 16 bytes; beyond 8 it may
//                           take a lock in production. Kit code passes every memory order
//                           explicitly and uses no operators.
//   P::template plain<T>    data that is handed from thread to thread through atomics. Accesses to
//                           it must be ordered by happens-before; a checker reports those that are
//                           not. Storage and cost are exactly T's in production.
//                           Default-constructed, a trivial T is uninitialised until it is written,
//                           as an int is; a checker reports a read before that.
//                             T get() const            a copy of the value
//                             void set(T)              replaces the value
//                             const T& read() const    in place; one read of the whole object, now
//                             T& write()               in place; one write of the whole object, now
//   P::halves               optional (mixed_size_policy): a 64-bit word that is read and written
//                           whole and by 32-bit halves; see mixed_size_word.hpp
//   P::trace                optional (traced_policy): records when a worker sleeps, and which one
//                           it wakes; see runtime/worker_trace.hpp
//   P::thread               std::thread: from a callable; join, joinable; movable
//   P::mutex, P::condition_variable
//                           std::mutex, untimed, and std::condition_variable, with the wait_until()
//                           that takes a deadline
//   P::fence(order)         std::atomic_thread_fence
//   P::spin_pause()         the processor's pause, for loops that wait for another thread: a hint
//                           for speed. A checker recognises such a loop by its effect: an
//                           iteration that leaves the thread's state unchanged, and that no other
//                           thread can observe, is explored once.
//   P::yield()              std::this_thread::yield(): a hint as well. A checker does not give up
//                           the processor for it.
//   P::back_off             a function object, made before such a loop and called in each
//                           iteration: pauses, and after some iterations yields. The loop cannot
//                           observe its count, so a checker may leave the count out of the thread's
//                           state. With a counter of the loop's own each iteration has a different
//                           state.
//   P::growing_back_off     the same for a word that several threads write in turn: each pause is
//                           twice as long as the one before, which leaves the word to the thread
//                           that has it; a thread waits at most twice as long as necessary.
//   P::futex_wait(word, expected, deadline)
//                           blocks while word == expected: the comparison and going to sleep are
//                           one step with respect to futex_wake on the same word. A comparison
//                           that comes after a wake observes the value that the waker had observed
//                           before that wake, or a newer one. Nothing else is ordered: neither call
//                           is a fence, and neither synchronizes with the other. May return
//                           spuriously. Returns false if and only if the deadline (steady clock;
//                           no_deadline: none) has passed.
//   P::futex_wake(word, n)  wakes at most n threads that wait on the word in futex_wait. The word
//                           is only an address here: its value is not read, and it may have been
//                           destroyed; a thread that waits at that address by then may be woken.
//
// Under a checker each operation takes one further, defaulted source_location as its last
// parameter, by which it reports the caller's line; generic code never passes it.
#pragma once

#include <atomic>
#include <chrono>
#include <concepts>
#include <condition_variable>
#include <cstdint>
#include <mutex>

#include "fencepost/attributes.hpp"  // for the components that take the policy

namespace fencepost {

using deadline = std::chrono::steady_clock::time_point;
inline constexpr deadline no_deadline = deadline::max();

// The interface of std::atomic<T>.
template <class A, class T>
concept atomic_of = std::constructible_from<A, T> &&
    requires(A a, const A c, T value, T& expected, std::memory_order order) {
  { c.load(order) } -> std::same_as<T>;
  a.store(value, order);
  { a.exchange(value, order) } -> std::same_as<T>;
  { a.compare_exchange_weak(expected, value, order) } -> std::same_as<bool>;
  { a.compare_exchange_weak(expected, value, order, order) } -> std::same_as<bool>;
  { a.compare_exchange_strong(expected, value, order) } -> std::same_as<bool>;
  { a.compare_exchange_strong(expected, value, order, order) } -> std::same_as<bool>;
};

// The same for integers, with arithmetic and bitwise operations.
template <class A, class T>
concept atomic_integer_of = atomic_of<A, T> && requires(A a, T value, std::memory_order order) {
  { a.fetch_add(value, order) } -> std::same_as<T>;
  { a.fetch_sub(value, order) } -> std::same_as<T>;
  { a.fetch_and(value, order) } -> std::same_as<T>;
  { a.fetch_or(value, order) } -> std::same_as<T>;
  { a.fetch_xor(value, order) } -> std::same_as<T>;
};

template <class D, class T>
concept plain_of = std::constructible_from<D, T> && std::default_initializable<D> &&
    requires(D data, const D constant, T value) {
  { constant.get() } -> std::same_as<T>;
  data.set(value);
  { constant.read() } -> std::same_as<const T&>;
  { data.write() } -> std::same_as<T&>;
};

template <class T>
concept thread_like =
    std::constructible_from<T, void (*)()> && std::movable<T> && !std::copyable<T> &&
    requires(T thread, const T constant) {
  thread.join();
  { constant.joinable() } -> std::same_as<bool>;
};

template <class M, class C>
concept mutex_and_condition = requires(M mutex, C condition, std::unique_lock<M>& lock,
                                       deadline until) {
  mutex.lock();
  { mutex.try_lock() } -> std::same_as<bool>;
  mutex.unlock();
  condition.wait(lock);
  condition.wait(lock, [] { return true; });
  { condition.wait_until(lock, until) } -> std::same_as<std::cv_status>;
  condition.notify_one();
  condition.notify_all();
};

template <class H>
concept halves_word = std::constructible_from<H, std::uint32_t, std::uint32_t> &&
    requires(H h, const H c, std::uint32_t half, std::uint64_t whole, std::uint64_t& expected,
             std::memory_order order) {
  { c.load(order) } -> std::same_as<std::uint64_t>;
  h.store(whole, order);
  { h.compare_exchange_weak(expected, whole, order, order) } -> std::same_as<bool>;
  { h.compare_exchange_strong(expected, whole, order, order) } -> std::same_as<bool>;
  { c.load_low(order) } -> std::same_as<std::uint32_t>;
  { c.load_high(order) } -> std::same_as<std::uint32_t>;
  h.store_low(half, order);
  h.store_high(half, order);
};

template <class P>
concept atomics_policy = atomic_of < typename P::template atomic<bool>,
bool >
    &&atomic_of<typename P::template atomic<void*>, void*>&&
        atomic_integer_of<typename P::template atomic<std::uint32_t>, std::uint32_t>&&
            atomic_integer_of<typename P::template atomic<std::uint64_t>, std::uint64_t>&& plain_of<
                typename P::template plain<int>, int>&& thread_like<typename P::thread>&&
                mutex_and_condition<typename P::mutex, typename P::condition_variable>&& requires(
                    typename P::template atomic<std::uint32_t>& word, std::uint32_t value,
                    unsigned n, deadline until, std::memory_order order, typename P::back_off turn,
                    typename P::growing_back_off growing) {
  P::fence(order);
  P::spin_pause();
  P::yield();
  turn();
  growing();
  { P::futex_wait(word, value, until) } -> std::same_as<bool>;
  P::futex_wake(word, n);
};

// A policy whose target defines accesses of two sizes to one word.
template <class P>
concept mixed_size_policy = atomics_policy<P> && halves_word<typename P::halves>;

// A policy whose runtimes record what their workers do.
template <class P>
concept traced_policy = atomics_policy<P> && requires(const void* runtime, std::uint32_t worker) {
  P::trace::park();                 // an object that lives until the worker is awake
  P::trace::woke(runtime, worker);  // runtime: the address of its worker_sleep
};

}  // namespace fencepost
