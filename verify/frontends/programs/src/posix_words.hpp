// Reader-writer locks, spinlocks and semaphores of POSIX: each is a word that threads change, and
// wait for as for a futex.
#pragma once

#include <cstdint>
#include <ctime>
#include <limits>

#include "c_library.hpp"
#include "fencepost/verify/engine.hpp"
#include "passing_time.hpp"
#include "posix_objects.hpp"
#include "session.hpp"

namespace fencepost::programs {

inline verify::location first_word(session& s, const volatile void* object,
                                   const source_location& where) {
  return word_of(s, object, "a lock or semaphore", where);
}

// Returns false, and changes nothing, if the word does not hold `from`.
inline bool change_word(verify::location at, verify::value from, verify::value to,
                        verify::order how, const source_location& where) {
  return verify::engine::current()
      ->compare_exchange(verify::word(at), from, to, false, how, verify::order::relaxed, where)
      .success;
}

// The end of a wait that may time out.
struct deadline {
  clockid_t clock;
  const timespec* then;
};
constexpr nanoseconds no_end = std::numeric_limits<nanoseconds>::max();
nanoseconds left_until(session&, const deadline&, const source_location&);

// Waits while the object's word holds this value. Returns false if the wait has timed out.
bool wait_while(session&, void* object, verify::value, nanoseconds left, const source_location&);

}  // namespace fencepost::programs

// Begins a function of the C library on an object that may be the program's.
#define FENCEPOST_ENTER(function, object, ...)                             \
  const fencepost::programs::entered s(                                    \
      const_cast<const void*>(static_cast<const volatile void*>(object))); \
  if (!s) return FENCEPOST_BEHIND(function)(__VA_ARGS__);                  \
  const fencepost::source_location where = s->place(FENCEPOST_CALL_SITE)
