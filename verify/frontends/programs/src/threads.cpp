// Threads, mutexes and condition variables of POSIX, on which those of C++ are built. Only what is
// in the memory of the program is modelled: a lock within a library is never waited for.

#include <pthread.h>
#include <cstdint>
#include <cstring>
#include <ctime>
#include <limits>
#include <span>

#include "c_library.hpp"
#include "departure.hpp"
#include "fencepost/verify/wait_queue.hpp"
#include "passing_time.hpp"
#include "posix_objects.hpp"
#include "session.hpp"
#include "threads.hpp"

namespace fencepost::programs {
namespace {

using verify::engine;
using verify::wait_for;
using verify::word;

constexpr pthread_t first_handle = 0x1000;

pthread_t handle_of(unsigned thread) { return first_handle + thread; }

unsigned thread_of(pthread_t handle, const source_location& where) {
  const pthread_t n = handle - first_handle;
  if (n >= verify::max_threads)
    engine::current()->fail(violation::misuse, "not a handle of a thread", where);
  return static_cast<unsigned>(n);
}

void call(session::start& what) {
  what.result =
      what.c_function == nullptr
          ? what.function(what.argument)
          : reinterpret_cast<void*>(static_cast<std::intptr_t>(what.c_function(what.argument)));
}

void run_thread(void* start) {
  auto what = *static_cast<const session::start*>(start);
  if (const entered s; s) s->begin_thread(__builtin_frame_address(0));
  const departure d =
      run_until_it_leaves([](void* w) { call(*static_cast<session::start*>(w)); }, &what);
  session::end_thread();
  session::destroy_specific();
  const entered s;
  s->take_up_writes();
  s->end_of(engine::current()->this_thread()).result = d.returned ? what.result : d.with;
  s->end_storage();
}

verify::location lock_of(session& s, pthread_mutex_t* m, const source_location& where) {
  return word_of(s, &m->__data.__lock, "a mutex", where);
}

enum class kind { normal, recursive, checked };

kind kind_of(session& s, const pthread_mutex_t* m, const source_location& where) {
  switch (m->__data.__kind) {
    case PTHREAD_MUTEX_NORMAL:
    case PTHREAD_MUTEX_ADAPTIVE_NP: return kind::normal;
    case PTHREAD_MUTEX_RECURSIVE: return kind::recursive;
    case PTHREAD_MUTEX_ERRORCHECK: return kind::checked;
    default: break;
  }
  s.reach_limit("mutexes that are robust, shared by processes, or have a protocol are not modelled",
                where);
}

// Who holds it, and how often, is written where the C library has it.
bool is_held_here(const pthread_mutex_t* m) {
  return m->__data.__owner == static_cast<int>(engine::current()->this_thread() + 1);
}

void hold(session& s, pthread_mutex_t* m) {
  s.hold(m);
  m->__data.__owner = static_cast<int>(engine::current()->this_thread() + 1);
  m->__data.__count = 1;
}

// For a thread that holds it already, and so does not wait for it.
void lock_again(pthread_mutex_t* m) { ++m->__data.__count; }

}  // namespace

pthread_t create_thread(session& s, const session::start& what, const source_location& where) {
  s.take_up_writes();
  session::start& start = s.next_start();
  start = what;
  return handle_of(engine::current()->create(run_thread, &start, where));
}

void* join_thread(session& s, pthread_t thread, const source_location& where) {
  s.take_up_writes();
  engine& e = *engine::current();
  const unsigned id = thread_of(thread, where);
  session::ended& end = s.end_of(id);
  if (end.joined || end.detached)
    e.fail(violation::misuse, "join() of a thread that was joined or detached before", where);
  if (id == e.this_thread()) e.fail(violation::liveness, "join() of the thread itself", where);
  end.joined = true;
  e.join(id, where);
  return end.result;
}

void detach_thread(session& s, pthread_t thread, const source_location& where) {
  session::ended& end = s.end_of(thread_of(thread, where));
  if (end.joined || end.detached)
    engine::current()->fail(violation::misuse,
                            "detach() of a thread that was joined or detached before", where);
  end.detached = true;
  s.note_change(where);
}

pthread_t this_thread() { return handle_of(engine::current()->this_thread()); }

int lock(session& s, pthread_mutex_t* m, const source_location& where) {
  const verify::location at = lock_of(s, m, where);
  const kind k = kind_of(s, m, where);
  engine& e = *engine::current();
  if (is_held_here(m)) {
    if (k == kind::checked) return EDEADLK;
    if (k == kind::normal)
      e.fail(violation::liveness,
             "lock() of a mutex that this thread holds already: it waits for itself", where);
    lock_again(m);
    return 0;
  }
  e.begin_operation("lock", m, where);
  e.await_exchange(at, 0, 1, verify::order::acquire, wait_for::mutex, where);
  hold(s, m);
  return 0;
}

bool try_lock(session& s, pthread_mutex_t* m, const source_location& where) {
  const verify::location at = lock_of(s, m, where);
  const kind k = kind_of(s, m, where);
  engine& e = *engine::current();
  if (is_held_here(m)) {
    if (k == kind::recursive) lock_again(m);
    return k == kind::recursive;
  }
  e.begin_operation("try_lock", m, where);
  const bool locked = e.compare_exchange(word(at), 0, 1, false, verify::order::acquire,
                                         verify::order::relaxed, where)
                          .success;
  if (locked) hold(s, m);
  return locked;
}

// std::lock(): it waits for one of them, holding none, and tries the others; if one is held, it
// lets go of what it has and waits for that one. It could do so without end. Once is explored: a
// second time only shows whether the thread waits forever.
void lock_all(session& s, std::span<pthread_mutex_t* const> all, const source_location& where) {
  std::size_t first = 0;
  for (unsigned turn = 0;; ++turn) {
    lock(s, all[first], where);
    if (turn == 2) engine::current()->give_up();
    std::size_t held = 1;
    const auto at = [&](std::size_t i) { return all[(first + i) % all.size()]; };
    while (held < all.size() && try_lock(s, at(held), where)) ++held;
    if (held == all.size()) return;
    const std::size_t failed = (first + held) % all.size();
    while (held != 0) unlock(s, at(--held), where);
    first = failed;
  }
}

int unlock(session& s, pthread_mutex_t* m, const source_location& where) {
  const verify::location at = lock_of(s, m, where);
  engine& e = *engine::current();
  if (!is_held_here(m)) {
    if (kind_of(s, m, where) == kind::checked) return EPERM;
    e.fail(violation::misuse, "unlock() of a mutex that this thread does not hold", where);
  }
  if (--m->__data.__count != 0) return 0;
  m->__data.__owner = 0;
  s.release(m);
  e.begin_operation("unlock", m, where);
  e.store(word(at), 0, verify::order::release, where);
  return 0;
}

void destroy(session& s, pthread_mutex_t* m, const source_location& where) {
  const auto at = lock_of(s, m, where);
  if (engine::current()->known(at) != 0)
    engine::current()->fail(violation::misuse, "a mutex is destroyed while it is locked", where);
  destroy(s, m, sizeof(pthread_mutex_t), where);
}

namespace {

// It is there, and not destroyed.
void use(session& s, pthread_cond_t* c, const source_location& where) {
  engine::current()->use(word_of(s, c, "a condition variable", where), false, where);
  s.read(reinterpret_cast<const char*>(c) + sizeof(int), sizeof(pthread_cond_t) - sizeof(int),
         where);
}

}  // namespace

void destroy(session& s, pthread_cond_t* c, const source_location& where) {
  use(s, c, where);
  destroy(s, c, sizeof(pthread_cond_t), where);
  verify::detail::require_nobody_waits(c);
}

namespace {

// The clock of its attributes, where the C library has it.
clockid_t clock_of(const pthread_cond_t* c) {
  constexpr unsigned monotonic = 2;
  return (c->__data.__wrefs & monotonic) != 0 ? CLOCK_MONOTONIC : CLOCK_REALTIME;
}

// No wait is that long. The others time out at any point, within the budget.
constexpr nanoseconds for_ever = std::numeric_limits<nanoseconds>::max();

bool by_chance(verify::budget what, const source_location& where) {
  return engine::current()->choose(2, what, where) == 1;
}

// False: it has timed out.
bool wait_for_so_long(session& s, pthread_cond_t* c, pthread_mutex_t* m, nanoseconds how_long,
                      const source_location& where) {
  use(s, c, where);
  engine& e = *engine::current();
  if (!is_held_here(m))
    e.fail(violation::misuse, "wait() with a mutex that this thread does not hold", where);
  if (m->__data.__count != 1)
    e.fail(violation::misuse, "wait() with a mutex that this thread holds more than once", where);
  const bool timed = how_long != for_ever;
  // To wake without having been notified is as if it had never been in the queue.
  const bool too_late = how_long <= 0;
  const bool spurious = !too_late && by_chance(verify::budget::spurious_wakeup, where);
  const bool times_out =
      too_late || (timed && !spurious && by_chance(verify::budget::timeout, where));
  if (spurious || times_out) {
    unlock(s, m, where);
    lock(s, m, where);
    if (times_out && !too_late) s.let_pass(how_long);
    return !times_out;
  }
  verify::detail::waiter self;
  verify::detail::enter_condition(self, c, m, where);
  unlock(s, m, where);  // in the queue before the mutex is free
  verify::detail::sleep(self, timed);
  lock(s, m, where);
  // Notified, and its time is up as well: so it says that it was notified, and clocks say the
  // other.
  if (timed && by_chance(verify::budget::timeout, where)) s.let_pass(how_long);
  return true;
}

}  // namespace

void wait(session& s, pthread_cond_t* c, pthread_mutex_t* m, const source_location& where) {
  wait_for_so_long(s, c, m, for_ever, where);
}

bool wait_until(session& s, pthread_cond_t* c, pthread_mutex_t* m, clockid_t clock,
                const timespec* then, const source_location& where) {
  s.read(then, sizeof *then, where);
  return wait_for_so_long(s, c, m, until(s, clock, *then), where);
}

bool lock_until(session& s, pthread_mutex_t* m, clockid_t clock, const timespec* then,
                const source_location& where) {
  s.read(then, sizeof *then, where);
  const nanoseconds how_long = until(s, clock, *then);
  if (how_long <= 0) return try_lock(s, m, where);
  const verify::location at = lock_of(s, m, where);
  engine& e = *engine::current();
  if (is_held_here(m)) {
    if (try_lock(s, m, where)) return true;
    s.let_pass(how_long);
    return false;
  }
  e.begin_operation("lock", m, where);
  if (by_chance(verify::budget::timeout, where)) {
    // It times out if somebody else holds it. Otherwise it is as if it had not.
    if (e.compare_exchange(word(at), 0, 1, false, verify::order::acquire, verify::order::relaxed,
                           where)
            .success)
      e.give_up();
    s.let_pass(how_long);
    return false;
  }
  e.await_exchange(at, 0, 1, verify::order::acquire, wait_for::wake_up_or_timeout, where);
  hold(s, m);
  return true;
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

int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*function)(void*),
                   void* argument) noexcept {
  const entered s;
  if (!s) return FENCEPOST_BEHIND(pthread_create)(thread, attributes, function, argument);
  const fencepost::source_location where = s->place(FENCEPOST_CALL_SITE);
  int detached = PTHREAD_CREATE_JOINABLE;  // what else attributes say makes no difference here
  if (attributes != nullptr) pthread_attr_getdetachstate(attributes, &detached);
  const pthread_t made = create_thread(*s, {function, nullptr, argument}, where);
  if (detached == PTHREAD_CREATE_DETACHED) detach_thread(*s, made, where);
  s->write(thread, sizeof *thread, where);
  *thread = made;
  return 0;
}

int pthread_join(pthread_t thread, void** result) {
  const entered s;
  if (!s) return FENCEPOST_BEHIND(pthread_join)(thread, result);
  const fencepost::source_location where = s->place(FENCEPOST_CALL_SITE);
  void* const returned = join_thread(*s, thread, where);
  if (result == nullptr) return 0;
  s->write(result, sizeof *result, where);
  *result = returned;
  return 0;
}

int pthread_detach(pthread_t thread) noexcept {
  const entered s;
  if (!s) return FENCEPOST_BEHIND(pthread_detach)(thread);
  detach_thread(*s, thread, s->place(FENCEPOST_CALL_SITE));
  return 0;
}

// As many as make a difference.
unsigned _ZNSt6thread20hardware_concurrencyEv() noexcept {
  const entered s;
  return s ? 2 : FENCEPOST_BEHIND(_ZNSt6thread20hardware_concurrencyEv)();
}

pthread_t pthread_self() noexcept {
  const entered s;
  return s ? this_thread() : FENCEPOST_BEHIND(pthread_self)();
}

int pthread_mutex_init(pthread_mutex_t* m, const pthread_mutexattr_t* attributes) noexcept {
  const entered s(m);
  if (s) initialize(*s, m, sizeof(pthread_mutex_t), "a mutex", s->place(FENCEPOST_CALL_SITE));
  return FENCEPOST_BEHIND(pthread_mutex_init)(m, attributes);
}

int pthread_mutex_destroy(pthread_mutex_t* m) noexcept {
  const entered s(m);
  if (!s) return FENCEPOST_BEHIND(pthread_mutex_destroy)(m);
  destroy(*s, m, s->place(FENCEPOST_CALL_SITE));
  return 0;
}

int pthread_mutex_lock(pthread_mutex_t* m) noexcept {
  const entered s(m);
  if (!s) return FENCEPOST_BEHIND(pthread_mutex_lock)(m);
  return lock(*s, m, s->place(FENCEPOST_CALL_SITE));
}

int pthread_mutex_timedlock(pthread_mutex_t* m, const timespec* until) noexcept {
  const entered s(m);
  if (!s) return FENCEPOST_BEHIND(pthread_mutex_timedlock)(m, until);
  return lock_until(*s, m, CLOCK_REALTIME, until, s->place(FENCEPOST_CALL_SITE)) ? 0 : ETIMEDOUT;
}

int pthread_mutex_clocklock(pthread_mutex_t* m, clockid_t clock, const timespec* until) noexcept {
  const entered s(m);
  if (!s) return FENCEPOST_BEHIND(pthread_mutex_clocklock)(m, clock, until);
  return lock_until(*s, m, clock, until, s->place(FENCEPOST_CALL_SITE)) ? 0 : ETIMEDOUT;
}

int pthread_mutex_trylock(pthread_mutex_t* m) noexcept {
  const entered s(m);
  if (!s) return FENCEPOST_BEHIND(pthread_mutex_trylock)(m);
  return try_lock(*s, m, s->place(FENCEPOST_CALL_SITE)) ? 0 : EBUSY;
}

// For std::lock (std/mutex).
void __fencepost_lock_all(pthread_mutex_t* const* all, unsigned count) noexcept {
  if (const entered s; s) lock_all(*s, {all, count}, s->place(FENCEPOST_CALL_SITE));
}

int pthread_mutex_unlock(pthread_mutex_t* m) noexcept {
  const entered s(m);
  if (!s) return FENCEPOST_BEHIND(pthread_mutex_unlock)(m);
  return unlock(*s, m, s->place(FENCEPOST_CALL_SITE));
}

int pthread_cond_init(pthread_cond_t* c, const pthread_condattr_t* attributes) noexcept {
  const entered s(c);
  if (s) {
    const fencepost::source_location where = s->place(FENCEPOST_CALL_SITE);
    initialize(*s, c, sizeof(pthread_cond_t), "a condition variable", where);
  }
  return FENCEPOST_BEHIND(pthread_cond_init)(c, attributes);
}

// Of std::condition_variable, whose constructor is in the library. (Its destructor calls the next.)
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

// The lock is passed by its address: a mutex, and whether it is held. std::mutex and
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
  s->notify_at_end_of_thread({m, c, where});
}

int pthread_cond_broadcast(pthread_cond_t* c) noexcept {
  const entered s(c);
  if (!s) return FENCEPOST_BEHIND(pthread_cond_broadcast)(c);
  notify(*s, c, fencepost::verify::detail::all_of_them, s->place(FENCEPOST_CALL_SITE));
  return 0;
}

}  // extern "C"
// NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming,readability-inconsistent-declaration-parameter-name)
