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
        "lives and is accessed only inside the body that is checked\n",
        stderr);
    std::abort();
  }
  return *e;
}

void report_overwritten(source_location where) {
  here().fail(
      violation::use_after_free,
      "access to an object that is not there: it was destroyed and its memory used again, or "
      "it was never constructed",
      where);
  std::abort();  // not reached; g++ 12 does not know that of a virtual function
}

void report_load_order(source_location where) {
  here().fail(violation::misuse, "a load cannot have the order release or acq_rel", where);
  std::abort();  // as above
}

void report_store_order(source_location where) {
  here().fail(violation::misuse, "a store cannot have the order acquire, consume or acq_rel", where);
  std::abort();  // as above
}

// The hidden lock is relaxed: being woken synchronizes with nothing by itself.

void wait_queue::acquire(location lock, source_location where) {
  here().await_exchange(lock, 0, 1, order::relaxed, wait_for::mutex, where);
}

void wait_queue::release(location lock, source_location where) {
  here().store(word(lock), 0, order::relaxed, where);
}

void wait_queue::push(waiter& w) {
  waiter** end = &first_;
  while (*end != nullptr) end = &(*end)->next;
  *end = &w;
  w.queued = true;
}

bool wait_queue::remove(waiter& w) {
  if (!w.queued) return false;
  for (waiter** p = &first_; *p != nullptr; p = &(*p)->next) {
    if (*p != &w) continue;
    *p = w.next;
    break;
  }
  w.queued = false;
  return true;
}

bool wait_queue::block(waiter& self, location lock, bool timed, bool may_wake_spuriously,
                       source_location where) {
  engine& e = here();
  const bool spurious = may_wake_spuriously && e.choose(2, budget::spurious_wakeup, where) == 1;
  const bool gives_up = !spurious && timed && e.choose(2, budget::timeout, where) == 1;
  if (!spurious && !gives_up) {
    e.await(self.flag, 1, order::relaxed, timed ? wait_for::wake_up_or_timeout : wait_for::wake_up,
            where);
    return true;
  }
  acquire(lock, where);
  const bool removed = remove(self);
  release(lock, where);
  return !(gives_up && removed);  // woken at the last moment is woken
}

void wait_queue::wake(location lock, unsigned count, source_location where) {
  engine& e = here();
  acquire(lock, where);
  while (count-- > 0 && first_ != nullptr) {
    unsigned waiting = 0;
    for (const waiter* w = first_; w != nullptr; w = w->next) ++waiting;
    // Which one is not said; when all are woken it makes no difference.
    unsigned which = 0;
    if (waiting > count + 1) which = e.choose(waiting, budget::none, where);
    waiter* w = first_;
    while (which-- > 0) w = w->next;
    remove(*w);
    e.store(word(w->flag), 1, order::relaxed, where);
  }
  release(lock, where);
}

}  // namespace verify::detail

using verify::detail::here;

void checked_atomics::mutex::lock(source_location where) {
  here().await_exchange(at_.get(where), 0, 1, verify::order::acquire, verify::wait_for::mutex,
                        where);
  owner_ = here().this_thread();
}

bool checked_atomics::mutex::try_lock(source_location where) {
  const bool locked = here()
                          .compare_exchange(verify::word(at_.get(where)), 0, 1, false,
                                            verify::order::acquire, verify::order::relaxed, where)
                          .success;
  if (locked) owner_ = here().this_thread();
  return locked;
}

void checked_atomics::mutex::unlock(source_location where) {
  if (owner_ != here().this_thread())
    here().fail(violation::misuse, "unlock() of a mutex that this thread does not hold", where);
  owner_ = ~0u;
  here().store(verify::word(at_.get(where)), 0, verify::order::release, where);
}

}  // namespace fencepost
