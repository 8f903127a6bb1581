// Semaphores of POSIX.

#include <semaphore.h>

#include <cerrno>
#include <cstdint>

#include "fencepost/verify/wait_queue.hpp"
#include "posix_words.hpp"
#include "program_memory.hpp"

namespace fencepost::programs {
namespace {

using verify::engine;
using verify::order;
using verify::value;
using verify::word;
using verify::detail::sleeper;

bool try_to_take(session& s, sem_t* semaphore, const source_location& where) {
  const verify::location at = first_word(s, semaphore, where);
  const value seen = engine::current()->load(word(at), order::relaxed, where);
  return seen != 0 && change_word(at, seen, seen - 1, order::acquire, where);
}

int take(session& s, sem_t* semaphore, nanoseconds left, const source_location& where) {
  while (!try_to_take(s, semaphore, where)) {
    if (wait_while(s, semaphore, 0, left, where)) continue;
    s.library().error_number() = ETIMEDOUT;
    return -1;
  }
  return 0;
}

}  // namespace
}  // namespace fencepost::programs

using namespace fencepost::programs;

// The C library names its parameters with reserved names.
// NOLINTBEGIN(readability-inconsistent-declaration-parameter-name,cppcoreguidelines-macro-usage)
extern "C" {

int sem_init(sem_t* semaphore, int shared, unsigned n) noexcept {
  FENCEPOST_ENTER(sem_init, semaphore, semaphore, shared, n);
  s->write(semaphore, sizeof *semaphore, where);
  *reinterpret_cast<unsigned*>(semaphore) = n;
  return 0;
}

int sem_destroy(sem_t* semaphore) noexcept {
  FENCEPOST_ENTER(sem_destroy, semaphore, semaphore);
  first_word(*s, semaphore, where);
  destroy(*s, semaphore, sizeof *semaphore, where);
  return 0;
}

int sem_wait(sem_t* semaphore) {
  FENCEPOST_ENTER(sem_wait, semaphore, semaphore);
  take(*s, semaphore, no_end, where);
  return 0;
}

int sem_timedwait(sem_t* semaphore, const timespec* then) {
  FENCEPOST_ENTER(sem_timedwait, semaphore, semaphore, then);
  return take(*s, semaphore, left_until(*s, {CLOCK_REALTIME, then}, where), where);
}

int sem_clockwait(sem_t* semaphore, clockid_t clock, const timespec* then) {
  FENCEPOST_ENTER(sem_clockwait, semaphore, semaphore, clock, then);
  return take(*s, semaphore, left_until(*s, {clock, then}, where), where);
}

int sem_getvalue(sem_t* semaphore, int* to) noexcept {
  FENCEPOST_ENTER(sem_getvalue, semaphore, semaphore, to);
  const value n =
      engine::current()->load(word(first_word(*s, semaphore, where)), order::relaxed, where);
  write_value(*s, to, static_cast<int>(n), where);
  return 0;
}

int sem_trywait(sem_t* semaphore) noexcept {
  FENCEPOST_ENTER(sem_trywait, semaphore, semaphore);
  if (try_to_take(*s, semaphore, where)) return 0;
  s->library().error_number() = EAGAIN;
  return -1;
}

int sem_post(sem_t* semaphore) noexcept {
  FENCEPOST_ENTER(sem_post, semaphore, semaphore);
  engine::current()->read_modify_write(word(first_word(*s, semaphore, where)),
                                       fencepost::verify::operation::add, 1, sizeof(std::uint32_t),
                                       order::release, where);
  fencepost::verify::detail::wake(semaphore, sleeper::atomic, 1, where);
  return 0;
}

}  // extern "C"
// NOLINTEND(readability-inconsistent-declaration-parameter-name,cppcoreguidelines-macro-usage)
