// libc++, llvm-project issue 109290 (2024): std::atomic::wait() may miss its notification.
//
// An atomic that does not have the system's size waits on a proxy: a word that each notification
// increments, with a count of waiters beside it that saves system calls. A waiter reads the proxy,
// checks the value, counts itself (sequentially consistent), and sleeps while the proxy is what it
// read. A notifier increments the proxy (release) and reads the count (sequentially consistent).
//
// What was wrong: the release increment is not part of the single order of sequentially consistent
// events, so the count may be read before the proxy has changed: store buffering. And the waiter
// relied on a futex being a full fence, which is promised nowhere. Repair: a sequentially
// consistent fence on either side, between the write and the read.
#pragma once

#include <atomic>
#include <cstdint>

#include "fencepost/atomics/policy.hpp"
#include "fencepost/scenario/scenario.hpp"
#include "fencepost/scenario/scenario_list.hpp"

namespace fencepost::models::known_bugs {

template <class P, bool Fences>
struct libcxx_atomic_wait_protocol {
  typename P::template atomic<std::uint64_t> value{0};
  typename P::template atomic<std::uint32_t> proxy{0}, waiters{0};

  void wait(std::uint64_t old) {
    for (;;) {
      const std::uint32_t seen = proxy.load(std::memory_order_acquire);
      if (value.load(std::memory_order_acquire) != old) return;
      waiters.fetch_add(1, std::memory_order_seq_cst);
      if (Fences) P::fence(std::memory_order_seq_cst);
      P::futex_wait(proxy, seen, no_deadline);
      waiters.fetch_sub(1, std::memory_order_release);
    }
  }
  void notify() {
    proxy.fetch_add(1, std::memory_order_release);
    if (Fences) P::fence(std::memory_order_seq_cst);
    if (waiters.load(std::memory_order_seq_cst) != 0) P::futex_wake(proxy, ~0u);
  }

  void thread(unsigned index) {
    if (index == 0) {
      value.store(1, std::memory_order_release);
      notify();
    } else {
      wait(0);
    }
  }
};

template <class P>
struct libcxx_atomic_wait : libcxx_atomic_wait_protocol<P, false> {
  static constexpr auto about =
      scenario{.name = "known_bugs/libcxx_atomic_wait",
               .threads = 2,
               .claim = "a notification that reads no waiters while a thread goes to sleep is lost",
               .expected = violation::liveness,
               .timeouts = 0};
};

template <class P>
struct libcxx_atomic_wait_repaired : libcxx_atomic_wait_protocol<P, true> {
  static constexpr auto about =
      scenario{.name = "known_bugs/libcxx_atomic_wait_repaired",
               .threads = 2,
               .claim = "with a fence on each side, at least one observes the other",
               .timeouts = 0};
};

using libcxx_atomic_wait_list = scenario_list<libcxx_atomic_wait, libcxx_atomic_wait_repaired>;

}  // namespace fencepost::models::known_bugs
