// Blocking under the checker: futexes, the waiting of atomics, condition variables.
//
// Threads that wait at an address are in a queue, whose operations a hidden lock orders. The lock
// orders nothing else: neither a wait nor a wake is a fence, and nothing synchronizes through them.
// When a wait that comes after a wake compares the word, it observes at least the value that the
// documentation says the wake guarantees (look_for): so no wake-up is lost between the comparison
// and the sleep.
#pragma once

#include <cstdint>

#include "fencepost/source_location.hpp"
#include "fencepost/verify/engine.hpp"

namespace fencepost::verify::detail {

// What a thread waits in, which decides which calls can wake it. Notifying an atomic does not wake
// threads in futex_wait on it, nor the other way round: neither documentation mentions the other.
enum class sleeper : std::uint8_t { futex, atomic, condition };

// A waiting thread. The object is on the thread's stack.
struct waiter {
  sleeper kind = sleeper::futex;
  location flag = no_location;  // hidden: 1 once the thread is woken
  std::uint64_t look = 0;       // futex, atomic: the event that compared the word
  const void* mutex = nullptr;  // condition: the mutex that the thread released
  unsigned thread = 0;
  bool instead = false;  // woken, although another thread might have been chosen
  source_location where;
  waiter* next = nullptr;
};

enum class waited : std::uint8_t { woken, changed, timed_out };

// Blocks while the word holds `expected`; returns `changed` if it did not. A thread that waits for
// an atomic without a time-out does so in a loop, and reads it again: if it might as well have read
// another value at once, which is an execution of its own, it gives up. The waits that remain are
// those that matter to other threads: waits that never end, and waits that end instead of another
// thread's.
waited wait_on(location word, const void* address, value expected, sleeper, bool timed,
               source_location where);
// The same, but returns false if the wait timed out, and true otherwise.
bool wait_while(location word, const void* address, value expected, sleeper, bool timed,
                source_location where);
inline constexpr unsigned all_of_them = ~0U;
// Wakes at most `count` threads that wait at the address in this way; returns how many it woke.
unsigned wake(const void* address, sleeper, unsigned count, source_location where);

// enter_condition() enters the queue of a condition variable; sleep() blocks until it is woken.
void enter_condition(waiter& self, const void* condition, const void* mutex, source_location where);
void sleep(const waiter& self, bool timed);
// For the destructor of a condition variable: reports a thread that still waits in it.
void require_nobody_waits(const void* condition);

}  // namespace fencepost::verify::detail
