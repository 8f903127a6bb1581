// Whether and when threads may be cancelled. None ever is: pthread_cancel() is refused.

#include <pthread.h>

#include <cerrno>

#include "c_library.hpp"
#include "program_memory.hpp"

namespace fencepost::programs {
namespace {

// Sets `now` to one of its two values. Threads begin with 0.
int change(session& s, int& now, int to, int* before, const source_location& where) {
  if (to != 0 && to != 1) return EINVAL;
  if (before != nullptr) write_value(s, before, now, where);
  now = to;
  return 0;
}
static_assert(PTHREAD_CANCEL_ENABLE == 0 && PTHREAD_CANCEL_DISABLE == 1);
static_assert(PTHREAD_CANCEL_DEFERRED == 0 && PTHREAD_CANCEL_ASYNCHRONOUS == 1);

}  // namespace
}  // namespace fencepost::programs

using namespace fencepost::programs;

// The C library names its parameters with reserved names.
// NOLINTBEGIN(readability-inconsistent-declaration-parameter-name)
extern "C" {

int pthread_setcancelstate(int state, int* before) {
  const entered s;
  if (!s) return FENCEPOST_BEHIND(pthread_setcancelstate)(state, before);
  return change(*s, s->library().cancel_state(), state, before, s->place(FENCEPOST_CALL_SITE));
}

int pthread_setcanceltype(int type, int* before) {
  const entered s;
  if (!s) return FENCEPOST_BEHIND(pthread_setcanceltype)(type, before);
  return change(*s, s->library().cancel_type(), type, before, s->place(FENCEPOST_CALL_SITE));
}

void pthread_testcancel() {
  if (!fencepost::verify::allocation_hook::in_body) FENCEPOST_BEHIND(pthread_testcancel)();
}

}  // extern "C"
// NOLINTEND(readability-inconsistent-declaration-parameter-name)
