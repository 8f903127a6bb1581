#include "fencepost/verify/wait_queue.hpp"

#include <cstdio>

#include "fencepost/verify/checked_atomics.hpp"

namespace fencepost::verify::detail {

namespace {

// Holds the lock of a list. A wake locks it with release, which passes what the thread knows to the
// looks of later waits. Lock and unlock are read-modify-writes, so that they continue the release
// sequence.
class list_lock {
 public:
  list_lock(const wait_list& list, bool wakes, source_location where)
      : lock_(list.lock), where_(where) {
    here().await_exchange(lock_, 0, 1, wakes ? order::release : order::relaxed, wait_for::mutex,
                          where);
  }
  ~list_lock() {
    here().read_modify_write(word(lock_), operation::exchange, 0, sizeof(int), order::relaxed,
                             where_);
  }
  list_lock(const list_lock&) = delete;
  list_lock& operator=(const list_lock&) = delete;

 private:
  location lock_;
  source_location where_;
};

void append(wait_list& list, waiter& self) {
  waiter** end = &list.first;
  while (*end != nullptr) end = &(*end)->next;
  *end = &self;
}

void remove(wait_list& list, waiter& w) {
  waiter** p = &list.first;
  while (*p != &w) p = &(*p)->next;
  *p = w.next;
}

// True if the waiter is one that such a call wakes. ISO C++ guarantees this only for a thread that
// waits on a value that was replaced by a write that happens before the notification.
bool can_wake(const waiter& w, sleeper kind) {
  return w.kind == kind && (kind != sleeper::atomic || here().replaced(w.look));
}

unsigned count_of(const wait_list& list, sleeper kind) {
  unsigned n = 0;
  for (const waiter* w = list.first; w != nullptr; w = w->next)
    if (can_wake(*w, kind)) ++n;
  return n;
}

waiter& nth(const wait_list& list, sleeper kind, unsigned n) {
  waiter* w = list.first;
  while (!can_wake(*w, kind) || n-- > 0) w = w->next;
  return *w;
}

// Enters the queue if the word holds `expected`, and returns `woken`: the caller sleeps until then.
[[gnu::always_inline]] inline waited enter(waiter& self, location word, const void* address,
                                           value expected, bool timed) {
  engine& e = here();
  wait_list& list = e.waiters_at(address);
  const list_lock lock(list, false, self.where);
  const look_for what = self.kind == sleeper::futex ? look_for::futex : look_for::notify;
  if (e.look(word, what, self.where) != expected) return waited::changed;
  self.look = e.last_event();
  // A thread whose time is up before it is woken might as well never have been in the queue.
  if (timed && e.choose(2, budget::timeout, self.where) == 1) return waited::timed_out;
  self.flag = e.declare_hidden(self.where);
  append(list, self);
  return waited::woken;
}

// Inlined: its result, if kept in a frame, would be a difference in the thread's state.
[[gnu::always_inline]] inline waited block(location word, const void* address, value expected,
                                           sleeper kind, bool timed, source_location where) {
  engine& e = here();
  const bool futex = kind == sleeper::futex;
  // A spurious wake-up is as if the thread had never looked.
  if (futex && e.choose(2, budget::spurious_wakeup, where) == 1) return waited::woken;
  e.begin_operation(futex ? "futex_wait" : "wait", address, where);
  waiter self{.kind = kind, .thread = e.this_thread(), .where = where};
  const waited ended = enter(self, word, address, expected, timed);
  if (ended == waited::woken) sleep(self, timed);
  // A thread that continues might as well have read the new value at once, with less
  // happens-before. The same threads sleep then, unless it was woken instead of one of them
  // (docs/checker.md, "Waits for atomics").
  if (kind == sleeper::atomic && !timed && !self.instead) e.give_up();
  return ended;
}

}  // namespace

waited wait_on(location word, const void* address, value expected, sleeper kind, bool timed,
               source_location where) {
  return block(word, address, expected, kind, timed, where);
}

bool wait_while(location word, const void* address, value expected, sleeper kind, bool timed,
                source_location where) {
  return block(word, address, expected, kind, timed, where) != waited::timed_out;
}

void sleep(const waiter& self, bool timed) {
  here().await(self.flag, 1, order::relaxed,
               timed ? wait_for::wake_up_or_timeout : wait_for::wake_up, self.where);
}

unsigned wake(const void* address, sleeper kind, unsigned count, source_location where) {
  engine& e = here();
  wait_list& list = e.waiters_at(address);
  e.begin_operation(kind == sleeper::futex ? "futex_wake" : "notify", address, where);
  const list_lock lock(list, true, where);
  unsigned woken = 0;
  for (unsigned waiting; woken < count && (waiting = count_of(list, kind)) > 0; ++woken) {
    // It is unspecified which one is woken; when all are, it makes no difference.
    const bool some = waiting > count - woken;
    const unsigned which = some ? e.choose(waiting, budget::none, where) : 0;
    waiter& chosen = nth(list, kind, which);
    chosen.instead = some;
    remove(list, chosen);
    e.store(word(chosen.flag), 1, order::relaxed, where);
  }
  return woken;
}

void enter_condition(waiter& self, const void* condition, const void* mutex,
                     source_location where) {
  engine& e = here();
  self = {.kind = sleeper::condition,
          .flag = e.declare_hidden(where),
          .mutex = mutex,
          .thread = e.this_thread(),
          .where = where};
  wait_list& list = e.waiters_at(condition);
  e.begin_operation("wait", condition, where);
  const list_lock lock(list, false, where);
  for (const waiter* w = list.first; w != nullptr; w = w->next) {
    if (w->kind == sleeper::condition && w->mutex != mutex) {
      char text[100];
      std::snprintf(text, sizeof text,
                    "wait() with a mutex other than that of thread %u, which waits for the same "
                    "condition variable",
                    w->thread);
      e.fail(violation::misuse, text, where);
    }
  }
  append(list, self);
}

void require_nobody_waits(const void* condition) {
  for (const waiter* w = here().waiters_at(condition).first; w != nullptr; w = w->next) {
    if (w->kind != sleeper::condition) continue;
    char text[120];
    std::snprintf(
        text, sizeof text,
        "a condition variable is destroyed while thread %u waits for it and has not been notified",
        w->thread);
    here().fail(violation::use_after_free, text, {});
  }
}

}  // namespace fencepost::verify::detail
