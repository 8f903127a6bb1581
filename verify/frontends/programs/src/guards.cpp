// The guards of local statics: whoever finds one not made yet makes it, under a lock of its own.

#include <cstdint>

#include "c_library.hpp"
#include "session.hpp"

using fencepost::programs::entered;
using fencepost::verify::engine;
using fencepost::verify::order;
using fencepost::verify::wait_for;
using fencepost::verify::word;

// NOLINTBEGIN(bugprone-reserved-identifier,readability-identifier-naming)
extern "C" {

int __cxa_guard_acquire(long long* guard) {
  auto* const bytes = reinterpret_cast<std::uint8_t*>(guard);
  const entered s(guard);
  if (!s) return FENCEPOST_BEHIND(__cxa_guard_acquire)(guard);
  const fencepost::source_location where = s->place(FENCEPOST_CALL_SITE);
  engine& e = *engine::current();
  const word made(s->atomic(bytes, 1, where));
  const auto at = s->atomic(bytes + 1, 1, where);
  if (e.load(made, order::acquire, where) != 0) return 0;
  e.await_exchange(at, 0, 1, order::acquire, wait_for::mutex, where);
  if (e.load(made, order::relaxed, where) == 0) return 1;
  e.store(word(at), 0, order::release, where);
  return 0;
}

void __cxa_guard_release(long long* guard) {
  auto* const bytes = reinterpret_cast<std::uint8_t*>(guard);
  const entered s(guard);
  if (!s) return FENCEPOST_BEHIND(__cxa_guard_release)(guard);
  const fencepost::source_location where = s->place(FENCEPOST_CALL_SITE);
  engine& e = *engine::current();
  e.store(word(s->atomic(bytes, 1, where)), 1, order::release, where);
  e.store(word(s->atomic(bytes + 1, 1, where)), 0, order::release, where);
}

void __cxa_guard_abort(long long* guard) {
  auto* const bytes = reinterpret_cast<std::uint8_t*>(guard);
  const entered s(guard);
  if (!s) return FENCEPOST_BEHIND(__cxa_guard_abort)(guard);
  const fencepost::source_location where = s->place(FENCEPOST_CALL_SITE);
  engine::current()->store(word(s->atomic(bytes + 1, 1, where)), 0, order::release, where);
}

}  // extern "C"
// NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming)
