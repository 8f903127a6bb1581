// Condition variables of POSIX, on which those of C and C++ are built.

#include "posix_conditions.hpp"

#include <cstring>
#include <limits>

#include "c_library.hpp"
#include "fencepost/verify/wait_queue.hpp"
#include "passing_time.hpp"
#include "posix_mutexes.hpp"
#include "posix_objects.hpp"
#include "program_memory.hpp"

namespace fencepost::programs {
namespace {

using verify::engine;

// Checks that the condition variable is in its lifetime. A concurrent destruction writes to all of
// it, so that it is reported as a data race, not by the value of its word, whichever comes first.
void use(session& s, pthread_cond_t* c, const source_location& where) {
  s.read(reinterpret_cast<const char*>(c) + sizeof(int), sizeof(pthread_cond_t) - sizeof(int),
         where);
  engine::current()->use(word_of(s, c, "a condition variable", where), false, where);
}

// The clock of its attributes, read from where the C library stores it.
clockid_t clock_of(const pthread_cond_t* c) {
  constexpr unsigned monotonic = 2;
  return (c->__data.__wrefs & monotonic) != 0 ? CLOCK_MONOTONIC : CLOCK_REALTIME;
}

// Stands for a wait without a time-out. All others time out at any point, within the budget.
constexpr nanoseconds for_ever = std::numeric_limits<nanoseconds>::max();

// Returns false if the wait has timed out.
bool wait_for_so_long(session& s, pthread_cond_t* c, pthread_mutex_t* m, nanoseconds how_long,
                      const source_location& where) {
  use(s, c, where);
  require_memory(m);
  engine& e = *engine::current();
  if (!is_held_here(m))
    e.fail(violation::misuse, "wait() with a mutex that this thread does not hold", where);
  if (m->__data.__count != 1)
    e.fail(violation::misuse, "wait() with a mutex that this thread holds more than once", where);
  const kind_of_lock whose = s.locks().kind_held_here(m).value_or(kind_of_lock::posix);
  const bool timed = how_long != for_ever;
  // A wake-up without a notification is modelled as if the thread had never been in the queue.
  const bool too_late = how_long <= 0;
  const bool spurious = !too_late && by_chance(verify::budget::spurious_wakeup, where);
  const bool times_out =
      too_late || (timed && !spurious && by_chance(verify::budget::timeout, where));
  if (spurious || times_out) {
    unlock(s, m, where);
    lock(s, m, where, whose);
    if (times_out && !too_late) s.library().let_pass(how_long);
    return !times_out;
  }
  verify::detail::waiter self;
  verify::detail::enter_condition(self, c, m, where);
  unlock(s, m, where);  // the thread is in the queue before the mutex is free
  verify::detail::sleep(self, timed);
  lock(s, m, where, whose);
  // A thread that is notified may find that its time is up as well. It returns as notified, but
  // clocks show the later time.
  if (timed && by_chance(verify::budget::timeout, where)) s.library().let_pass(how_long);
  return true;
}

}  // namespace

void destroy(session& s, pthread_cond_t* c, const source_location& where) {
  use(s, c, where);
  destroy(s, c, sizeof(pthread_cond_t), where);
  verify::detail::require_nobody_waits(c);
}

void wait(session& s, pthread_cond_t* c, pthread_mutex_t* m, const source_location& where) {
  wait_for_so_long(s, c, m, for_ever, where);
}

bool wait_until(session& s, pthread_cond_t* c, pthread_mutex_t* m, clockid_t clock,
                const timespec* then, const source_location& where) {
  return wait_for_so_long(s, c, m, until(s, clock, read_value(s, then, where)), where);
}

void notify(session& s, pthread_cond_t* c, unsigned count, const source_location& where) {
  use(s, c, where);
  verify::detail::wake(c, verify::detail::sleeper::condition, count, where);
}

}  // namespace fencepost::programs

using namespace fencepost::programs;
// The C library names its parameters with reserved names.
// NOLINTBEGIN(bugprone-reserved-identifier,readability-identifier-naming,readability-inconsistent-declaration-parameter-name)
extern "C" {

int pthread_cond_init(pthread_cond_t* c, const pthread_condattr_t* attributes) noexcept {
  const entered s(c);
  if (s) {
    read_attributes(*s, attributes, FENCEPOST_CALL_SITE);
    const fencepost::source_location where = s->place(FENCEPOST_CALL_SITE);
    initialize(*s, c, sizeof(pthread_cond_t), "a condition variable", where);
  }
  return FENCEPOST_BEHIND(pthread_cond_init)(c, attributes);
}

// The constructor of std::condition_variable, which is in the library. (Its destructor calls
// pthread_cond_destroy().)
void _ZNSt18condition_variableC1Ev(pthread_cond_t* c) noexcept {
  const entered s(c);
  if (bool{s})
    initialize(*s, c, sizeof(pthread_cond_t), "a condition variable",
               s->place(FENCEPOST_CALL_SITE));
  std::memset(c, 0, sizeof(pthread_cond_t));
}
void _ZNSt18condition_variableC2Ev(pthread_cond_t* c) noexcept
    __attribute__((alias("_ZNSt18condition_variableC1Ev")));

int pthread_cond_destroy(pthread_cond_t* c) noexcept {
  const entered s(c);
  if (!s) return FENCEPOST_BEHIND(pthread_cond_destroy)(c);
  destroy(*s, c, s->place(FENCEPOST_CALL_SITE));
  return 0;
}

int pthread_cond_wait(pthread_cond_t* c, pthread_mutex_t* m) {
  const entered s(c);
  if (!s) return FENCEPOST_BEHIND(pthread_cond_wait)(c, m);
  wait(*s, c, m, s->place(FENCEPOST_CALL_SITE));
  return 0;
}

int pthread_cond_timedwait(pthread_cond_t* c, pthread_mutex_t* m, const timespec* until) {
  const entered s(c);
  if (!s) return FENCEPOST_BEHIND(pthread_cond_timedwait)(c, m, until);
  const fencepost::source_location where = s->place(FENCEPOST_CALL_SITE);
  return wait_until(*s, c, m, clock_of(c), until, where) ? 0 : ETIMEDOUT;
}

int pthread_cond_clockwait(pthread_cond_t* c, pthread_mutex_t* m, clockid_t clock,
                           const timespec* until) {
  const entered s(c);
  if (!s) return FENCEPOST_BEHIND(pthread_cond_clockwait)(c, m, clock, until);
  const bool woken = wait_until(*s, c, m, clock, until, s->place(FENCEPOST_CALL_SITE));
  return woken ? 0 : ETIMEDOUT;
}

int pthread_cond_signal(pthread_cond_t* c) noexcept {
  const entered s(c);
  if (!s) return FENCEPOST_BEHIND(pthread_cond_signal)(c);
  notify(*s, c, 1, s->place(FENCEPOST_CALL_SITE));
  return 0;
}

// The lock is passed by its address. It is a mutex, and whether it is held. std::mutex and
// std::condition_variable are those of POSIX.
struct fencepost_unique_lock {
  pthread_mutex_t* mutex;
  bool is_held;
};
void _ZSt25notify_all_at_thread_exitRSt18condition_variableSt11unique_lockISt5mutexE(
    pthread_cond_t* c, fencepost_unique_lock* l) {
  const entered s;
  if (!s) return;
  const fencepost::source_location where = s->place(FENCEPOST_CALL_SITE);
  s->read(l, sizeof *l, where);
  pthread_mutex_t* const m = l->mutex;
  if (!l->is_held || m == nullptr)
    fencepost::verify::engine::current()->fail(
        fencepost::violation::misuse,
        "notify_all_at_thread_exit() with a lock that this thread does not hold", where);
  s->write(l, sizeof *l, where);
  *l = {nullptr, false};
  s->note_change(where);
  s->exits().to_add_here().notifications.push_back({m, c, where});
}

int pthread_cond_broadcast(pthread_cond_t* c) noexcept {
  const entered s(c);
  if (!s) return FENCEPOST_BEHIND(pthread_cond_broadcast)(c);
  notify(*s, c, fencepost::verify::detail::all_of_them, s->place(FENCEPOST_CALL_SITE));
  return 0;
}

}  // extern "C"
// NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming,readability-inconsistent-declaration-parameter-name)
