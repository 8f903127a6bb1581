// What blocks under the checker: futexes, the waiting of atomics, condition variables.
//
// Threads that wait at an address are in a queue, which a hidden lock orders. By itself that is all
// it orders: neither a wait nor a wake is a fence, and nothing synchronizes by them. Of the word
// that it compares, a wait that comes after a wake sees at least what the documentation says that
// the wake has made sure of (look_for): so no wake-up is lost between the comparison and the sleep.
#pragma once

#include <cstdint>

#include "fencepost/source_location.hpp"
#include "fencepost/verify/engine.hpp"

namespace fencepost::verify::detail {

// Who can wake it. Notifying an atomic does not wake those in futex_wait on it, or the other way
// round: neither documentation knows of the other one.
enum class sleeper : std::uint8_t { futex, atomic, condition };

// A thread that waits, on its own stack.
struct waiter {
  sleeper kind = sleeper::futex;
  location flag = no_location;  // hidden: 1 when it is woken
  std::uint64_t look = 0;       // other than a condition: the event that compared
  const void* mutex = nullptr;  // condition: the one that it gave up
  unsigned thread = 0;
  bool instead = false;  // it was woken, and another one might have been
  source_location where;
  waiter* next = nullptr;
};

enum class waited : std::uint8_t { woken, changed, timed_out };

// Blocks while the word holds `expected`; `changed`: it did not. Who waits for an atomic without a
// time-out does so in a loop, and reads it again: where the thread might as well have read another
// value at once, which is an execution of its own, it gives up. What is left are the waits that
// matter to others: those that never end, and those that end instead of another thread's.
waited wait_on(location word, const void* address, value expected, sleeper, bool timed,
               source_location where);
// The same. False: it has timed out.
bool wait_while(location word, const void* address, value expected, sleeper, bool timed,
                source_location where);
inline constexpr unsigned all_of_them = ~0U;
// Wakes at most so many of this kind that wait at the address; how many these were.
unsigned wake(const void* address, sleeper, unsigned count, source_location where);

// Into the queue of a condition variable; and until it is woken.
void enter_condition(waiter& self, const void* condition, const void* mutex, source_location where);
void sleep(const waiter& self, bool timed);
// For the end of a condition variable.
void require_nobody_waits(const void* condition);

}  // namespace fencepost::verify::detail
