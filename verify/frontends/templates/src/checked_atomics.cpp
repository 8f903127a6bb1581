#include "fencepost/verify/checked_atomics.hpp"

#include <cstdio>
#include <cstdlib>

namespace fencepost {

namespace verify::detail {

engine& here() {
  engine* e = engine::current();
  if (e == nullptr) {
    std::fputs(
        "fencepost: checked_atomics is used outside of verify::check(): an atomic of the checker "
        "lives and is accessed only inside the body that is checked; a static one must be "
        "constinit\n",
        stderr);
    std::abort();
  }
  return *e;
}

void report_overwritten(source_location where) {
  here().fail(violation::use_after_free,
              "access to an object that does not exist: it was destroyed and its memory reused, or "
              "it was never constructed",
              where);
  std::abort();  // not reached; g++ 12 ignores that a virtual function does not return
}

void report_load_order(source_location where) {
  here().fail(violation::misuse, "a load cannot have the order release or acq_rel", where);
  std::abort();  // as above
}

void report_store_order(source_location where) {
  here().fail(violation::misuse, "a store cannot have the order acquire, consume or acq_rel",
              where);
  std::abort();  // as above
}

}  // namespace verify::detail

using verify::detail::here;

bool checked_atomics::mutex::is_held_here() const { return owner_ == here().this_thread(); }

checked_atomics::mutex::~mutex() {
  verify::engine* const e = at_.alive();
  if (e != nullptr && e->known(at_.get()) != 0)
    e->fail(violation::misuse, "a mutex is destroyed while it is locked", {});
}

void checked_atomics::mutex::lock(source_location where) {
  const verify::location at = at_.get(where);
  if (is_held_here())
    here().fail(violation::liveness,
                "lock() of a mutex that this thread holds already: it waits for itself", where);
  here().begin_operation("lock", this, where);
  here().await_exchange(at, 0, 1, verify::order::acquire, verify::wait_for::mutex, where);
  owner_ = here().this_thread();
}

bool checked_atomics::mutex::try_lock(source_location where) {
  const verify::location at = at_.get(where);
  if (is_held_here())
    here().fail(violation::misuse, "try_lock() of a mutex that this thread holds already", where);
  here().begin_operation("try_lock", this, where);
  here().is_lock(at, verify::lock_kind::mutex);
  const bool locked = here()
                          .compare_exchange(verify::word(at), 0, 1, false, verify::order::acquire,
                                            verify::order::relaxed, where)
                          .success;
  if (locked) owner_ = here().this_thread();
  return locked;
}

void checked_atomics::mutex::unlock(source_location where) {
  const verify::location at = at_.get(where);
  if (!is_held_here())
    here().fail(violation::misuse, "unlock() of a mutex that this thread does not hold", where);
  owner_ = ~0u;
  here().begin_operation("unlock", this, where);
  here().store(verify::word(at), 0, verify::order::release, where);
}

checked_atomics::condition_variable::~condition_variable() {
  if (at_.alive() != nullptr) verify::detail::require_nobody_waits(this);
}

bool checked_atomics::condition_variable::wait(std::unique_lock<mutex>& lock, bool timed,
                                               source_location where) {
  mutex* const m = lock.mutex();
  if (m == nullptr || !lock.owns_lock())
    here().fail(violation::misuse, "wait() with a lock that does not hold a mutex", where);
  if (!m->is_held_here())
    here().fail(violation::misuse, "wait() with a mutex that this thread does not hold", where);
  const verify::location at = at_.get(where);
  const auto by_chance = [&](verify::budget what) { return here().choose(2, what, where) == 1; };
  // Waking without having been notified is as if the thread had never been in the queue.
  const bool spurious = by_chance(verify::budget::spurious_wakeup);
  const bool times_out = !spurious && timed && by_chance(verify::budget::timeout);
  if (spurious || times_out) {
    here().use(at, false, where);
    m->unlock(where);
    m->lock(where);
    return !times_out;
  }
  here().use(at, true, where);
  verify::detail::waiter self;
  verify::detail::enter_condition(self, this, m, where);
  m->unlock(where);  // in the queue before the mutex is free
  verify::detail::sleep(self, timed);
  m->lock(where);
  // If the thread was notified and its time is up as well, the status is that of a time-out.
  return !(timed && by_chance(verify::budget::timeout));
}

void checked_atomics::condition_variable::notify(unsigned count, source_location where) {
  here().use(at_.get(where), false, where);
  verify::detail::wake(this, verify::detail::sleeper::condition, count, where);
}

}  // namespace fencepost
