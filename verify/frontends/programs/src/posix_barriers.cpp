// Barriers of POSIX. Each thread that arrives adds 1 to a count in the object, and so observes what
// the threads before it have done. The last thread of a round releases the others by a location
// that belongs to the round and lies outside of the object, since threads may still be about to
// return when the barrier is destroyed.

#include <pthread.h>

#include <cerrno>
#include <cstdint>
#include <cstring>

#include "c_library.hpp"
#include "posix_objects.hpp"
#include "session.hpp"

namespace fencepost::programs {
namespace {

using verify::engine;
using verify::order;
using verify::value;
using verify::wait_for;
using verify::word;

struct barrier {
  std::uint32_t arrived;     // in all rounds together
  std::uint32_t threads;     // per round
  std::uint32_t generation;  // numbers the barriers at this address
  std::uint32_t unused;
  // The threads of a round wait at one of these addresses; rounds use them in turn. Only the
  // addresses are used.
  unsigned char rounds[16];
};
static_assert(sizeof(barrier) <= sizeof(pthread_barrier_t));

barrier& of(pthread_barrier_t* b) { return *reinterpret_cast<barrier*>(b); }

// Releases the other threads of the round if this is the last one. Otherwise waits for that.
void wait_for_round(pthread_barrier_t* b, verify::location at, value open, bool is_last,
                    const source_location& where) {
  engine& e = *engine::current();
  e.begin_operation("wait", b, where);
  if (is_last)
    e.store(word(at), open, order::release, where);
  else
    e.await(at, open, order::acquire, wait_for::wake_up, where);
}

int wait(session& s, pthread_barrier_t* b, const source_location& where) {
  barrier& object = of(b);
  const verify::location at = word_of(s, &object.arrived, "a barrier", where);
  engine& e = *engine::current();
  s.read(&object.threads, sizeof object.threads + sizeof object.generation, where);
  if (object.threads == 0)
    e.fail(violation::misuse, "a barrier is used before it was initialized", where);
  e.begin_operation("wait", b, where);
  const auto before = static_cast<std::uint32_t>(e.read_modify_write(
      word(at), verify::operation::add, 1, sizeof object.arrived, order::acq_rel, where));
  const std::uint32_t round = before / object.threads;
  const value open = value{object.generation} << 32U | (round + 1);
  const bool is_last = before % object.threads == object.threads - 1;
  const verify::location gate =
      e.of_static(&object.rounds[round % sizeof object.rounds], sizeof(value), 0, where);
  wait_for_round(b, gate, open, is_last, where);
  return is_last ? PTHREAD_BARRIER_SERIAL_THREAD : 0;
}

}  // namespace
}  // namespace fencepost::programs

using namespace fencepost::programs;

// The C library names its parameters with reserved names.
// NOLINTBEGIN(readability-inconsistent-declaration-parameter-name)
extern "C" {

int pthread_barrier_init(pthread_barrier_t* b, const pthread_barrierattr_t* attributes,
                         unsigned threads) noexcept {
  const entered s(b);
  if (!s) return FENCEPOST_BEHIND(pthread_barrier_init)(b, attributes, threads);
  const fencepost::source_location where = s->place(FENCEPOST_CALL_SITE);
  if (threads == 0) return EINVAL;
  read_attributes(*s, attributes, FENCEPOST_CALL_SITE);
  // On a stack or in a block, these bytes may be those of an earlier object.
  if (s->program().contains(b) && of(b).threads != 0)
    engine::current()->fail(fencepost::violation::misuse, "a barrier is initialized twice", where);
  initialize(*s, b, sizeof *b, "a barrier", where);
  std::memset(b, 0, sizeof *b);
  of(b).threads = threads;
  of(b).generation = s->next_generation(b);
  return 0;
}

int pthread_barrier_wait(pthread_barrier_t* b) noexcept {
  const entered s(b);
  if (!s) return FENCEPOST_BEHIND(pthread_barrier_wait)(b);
  return wait(*s, b, s->place(FENCEPOST_CALL_SITE));
}

int pthread_barrier_destroy(pthread_barrier_t* b) noexcept {
  const entered s(b);
  if (!s) return FENCEPOST_BEHIND(pthread_barrier_destroy)(b);
  const fencepost::source_location where = s->place(FENCEPOST_CALL_SITE);
  const fencepost::verify::location at = word_of(*s, b, "a barrier", where);
  s->read(&of(b).threads, sizeof of(b).threads, where);
  if (of(b).threads != 0 && engine::current()->known(at) % of(b).threads != 0)
    engine::current()->fail(fencepost::violation::misuse,
                            "a barrier is destroyed while threads wait for it", where);
  destroy(*s, b, sizeof *b, where);
  of(b).threads = 0;
  return 0;
}

}  // extern "C"
// NOLINTEND(readability-inconsistent-declaration-parameter-name)
