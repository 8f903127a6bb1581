// The attribute objects of POSIX, by which a program chooses the properties of threads, mutexes and
// others. A function that reads or changes one counts as an access to the whole object.

#include <pthread.h>
#include <sched.h>

#include <cstddef>

#include "c_library.hpp"
#include "watched_memory.hpp"

using fencepost::programs::watch_read;
using fencepost::programs::watch_write;

// The C library names its parameters with reserved names.
// NOLINTBEGIN(readability-inconsistent-declaration-parameter-name,bugprone-macro-parentheses)
extern "C" {

#define FENCEPOST_CHANGE(name, object)                                \
  int name(object* attributes) noexcept {                             \
    watch_write(attributes, sizeof *attributes, FENCEPOST_CALL_SITE); \
    return FENCEPOST_BEHIND(name)(attributes);                        \
  }
#define FENCEPOST_SET(name, object, type)                             \
  int name(object* attributes, type value) noexcept {                 \
    watch_write(attributes, sizeof *attributes, FENCEPOST_CALL_SITE); \
    return FENCEPOST_BEHIND(name)(attributes, value);                 \
  }
#define FENCEPOST_GET(name, object, type)                            \
  int name(const object* attributes, type* to) noexcept {            \
    watch_read(attributes, sizeof *attributes, FENCEPOST_CALL_SITE); \
    watch_write(to, sizeof *to, FENCEPOST_CALL_SITE);                \
    return FENCEPOST_BEHIND(name)(attributes, to);                   \
  }
#define FENCEPOST_ATTRIBUTE(of, what, type)                       \
  FENCEPOST_SET(pthread_##of##_set##what, pthread_##of##_t, type) \
  FENCEPOST_GET(pthread_##of##_get##what, pthread_##of##_t, type)
#define FENCEPOST_ATTRIBUTES(of)                          \
  FENCEPOST_CHANGE(pthread_##of##_init, pthread_##of##_t) \
  FENCEPOST_CHANGE(pthread_##of##_destroy, pthread_##of##_t)

FENCEPOST_ATTRIBUTES(attr)
FENCEPOST_ATTRIBUTE(attr, detachstate, int)
FENCEPOST_ATTRIBUTE(attr, stacksize, std::size_t)
FENCEPOST_ATTRIBUTE(attr, guardsize, std::size_t)
FENCEPOST_ATTRIBUTE(attr, scope, int)
FENCEPOST_ATTRIBUTE(attr, inheritsched, int)
FENCEPOST_ATTRIBUTE(attr, schedpolicy, int)
FENCEPOST_GET(pthread_attr_getschedparam, pthread_attr_t, sched_param)
int pthread_attr_setschedparam(pthread_attr_t* attributes, const sched_param* from) noexcept {
  watch_read(from, sizeof *from, FENCEPOST_CALL_SITE);
  watch_write(attributes, sizeof *attributes, FENCEPOST_CALL_SITE);
  return FENCEPOST_BEHIND(pthread_attr_setschedparam)(attributes, from);
}

FENCEPOST_ATTRIBUTES(mutexattr)
FENCEPOST_ATTRIBUTE(mutexattr, type, int)
FENCEPOST_ATTRIBUTE(mutexattr, protocol, int)
FENCEPOST_ATTRIBUTE(mutexattr, pshared, int)
FENCEPOST_ATTRIBUTE(mutexattr, robust, int)

FENCEPOST_ATTRIBUTES(condattr)
FENCEPOST_ATTRIBUTE(condattr, clock, clockid_t)
FENCEPOST_ATTRIBUTE(condattr, pshared, int)

FENCEPOST_ATTRIBUTES(rwlockattr)
FENCEPOST_ATTRIBUTE(rwlockattr, pshared, int)
FENCEPOST_ATTRIBUTE(rwlockattr, kind_np, int)

FENCEPOST_ATTRIBUTES(barrierattr)
FENCEPOST_ATTRIBUTE(barrierattr, pshared, int)

#undef FENCEPOST_ATTRIBUTES
#undef FENCEPOST_ATTRIBUTE
#undef FENCEPOST_GET
#undef FENCEPOST_SET
#undef FENCEPOST_CHANGE

}  // extern "C"
// NOLINTEND(readability-inconsistent-declaration-parameter-name,bugprone-macro-parentheses)
