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

// Makes all calls of the list, including those that are added meanwhile.
template <class F>
void call_all(F list) {
  for (;;) {
    exit_call next;
    {
      const entered s;
      auto& left = list(*s);
      if (left.empty()) break;
      next = left.back();
      left.pop_back();
    }
    call(next);
  }
}

// Static objects end with the program, even if their destructors do nothing.
void require_no_static_locks(session& s) {
  const auto is_static = [&](const void* p) { return s.program().has_variable(p); };
  if (const source_location* const where = s.locks().standard_held_here(is_static))
    verify::engine::current()->fail(violation::misuse,
                                    "the program ends, and destroys the static mutex or lock that "
                                    "main() has locked here, and holds",
                                    *where);
}

}  // namespace

void end_thread() {
  if (const entered s; !s->exits().any_of_threads()) return;
  call_all([](session & s) -> auto& { return s.exits().of_this_thread().calls; });
  call_all([](session & s) -> auto& { return s.exits().of_this_thread().behind; });
  const entered s;
  for (auto& left = s->exits().of_this_thread().notifications; !left.empty();) {
    const exit_notification n = left.back();
    left.pop_back();
    unlock(*s, n.mutex, n.where);
    notify(*s, n.condition, verify::detail::all_of_them, n.where);
  }
}

void end_program() {
  call_all([](session & s) -> auto& { return s.exits().of_program(); });
  const image* program = nullptr;
  if (const entered s; s) program = &s->program();
  for (const image::destructor d : program->destructors()) d();
  if (const entered s; s) require_no_static_locks(*s);
}

}  // namespace fencepost::programs
