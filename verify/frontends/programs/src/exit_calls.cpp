#include "exit_calls.hpp"

#include "fencepost/verify/wait_queue.hpp"
#include "posix_conditions.hpp"
#include "posix_mutexes.hpp"
#include "session.hpp"

namespace fencepost::programs {

void call(const exit_call& c) {
  if (const entered s; s) s->begin_exit_call(c);
  c.function(c.argument);
  if (const entered s; s) s->end_exit_call();
}

namespace {

// Also those that one of them adds.
void call_all(thread_exit::list thread_exit::*list) {
  for (;;) {
    exit_call next;
    {
      const entered s;
      thread_exit::list& left = s->exits().of_this_thread().*list;
      if (left.empty()) break;
      next = left.back();
      left.pop_back();
    }
    call(next);
  }
}

}  // namespace

void end_thread() {
  call_all(&thread_exit::calls);
  call_all(&thread_exit::behind);
  const entered s;
  for (auto& left = s->exits().of_this_thread().notifications; !left.empty();) {
    const exit_notification n = left.back();
    left.pop_back();
    unlock(*s, n.mutex, n.where);
    notify(*s, n.condition, verify::detail::all_of_them, n.where);
  }
}

}  // namespace fencepost::programs
