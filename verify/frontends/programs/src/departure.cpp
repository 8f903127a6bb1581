#include "departure.hpp"

#include <pthread.h>
#include <threads.h>
#include <unwind.h>

#include <cstdint>
#include <cstdlib>

#include "c_library.hpp"
#include "exit_calls.hpp"

namespace fencepost::programs {
namespace {

// Unwinds the frames up to that of run_until_it_leaves(), with their destructors.
_Unwind_Reason_Code stop(int, _Unwind_Action actions, _Unwind_Exception_Class, _Unwind_Exception*,
                         _Unwind_Context* context, void* to) {
  auto* const out = static_cast<way_out*>(to);
  if ((actions & _UA_END_OF_STACK) != 0 ||
      _Unwind_GetCFA(context) > reinterpret_cast<std::uintptr_t>(out->frame))
    __builtin_longjmp(out->buffer, 1);
  return _URC_NO_REASON;
}

// Called if a handler has caught the unwinding, and has not rethrown it.
void is_caught(_Unwind_Reason_Code, _Unwind_Exception*) { std::abort(); }

// Makes the running thread leave its function. Returns false if it is not a thread of the program.
bool leave(void* with, const call_site& c) {
  way_out* out = nullptr;
  {
    const entered s;
    if (!s) return false;
    const source_location where = s->place(c);
    s->take_up_writes();
    out = s->threads().take_way_out();
    if (out == nullptr)
      s->reach_limit("a thread that ends itself while it is ending is not modelled", where);
    s->threads().end_here().result = with;
  }
  out->unwinding.exception_cleanup = &is_caught;
  _Unwind_ForcedUnwind(&out->unwinding, &stop, out);
  std::abort();  // a frame that cannot be unwound
}

void leave_main(session& s, const source_location& where) {
  if (verify::engine::current()->this_thread() != 0)
    s.reach_limit("exit(0) of a thread other than that of main() is not modelled", where);
  way_out* const out = s.threads().take_way_out();
  if (out == nullptr) s.reach_limit("exit() while the program is ending is not modelled", where);
  s.threads().end_here().result = nullptr;
  s.threads().exit();
  s.checker().clear_frames();
  // The variables of main() stay while the program ends: other threads may have their addresses.
  verify::allocation_hook::in_body = true;
  end_thread();
  end_program();
  __builtin_longjmp(out->buffer, 1);
}

}  // namespace

[[gnu::noinline]] departure run_until_it_leaves(void (*function)(void*), void* argument) {
  way_out out{};
  out.frame = __builtin_frame_address(0);
  if (const entered s; s) s->threads().set_way_out(&out);
  if (__builtin_setjmp(out.buffer) != 0) {
    const entered s;
    return {false, s->threads().end_here().result};
  }
  function(argument);
  if (const entered s; s) s->threads().take_way_out();
  return {};
}

void exit_program(session& s, int status, const std::string& said, const source_location& where) {
  s.take_up_writes();
  if (status == 0) leave_main(s, where);
  verify::engine::current()->fail(violation::assertion, "exit() with a status that is not 0" + said,
                                  where);
}

}  // namespace fencepost::programs

using fencepost::programs::leave;

// The C library names its parameters with reserved names.
// NOLINTBEGIN(readability-inconsistent-declaration-parameter-name)
extern "C" {

void pthread_exit(void* with) {
  if (!leave(with, FENCEPOST_CALL_SITE)) FENCEPOST_BEHIND(pthread_exit)(with);
  __builtin_unreachable();
}

void thrd_exit(int with) {
  void* const p = reinterpret_cast<void*>(static_cast<std::intptr_t>(with));
  if (!leave(p, FENCEPOST_CALL_SITE)) FENCEPOST_BEHIND(thrd_exit)(with);
  __builtin_unreachable();
}

}  // extern "C"
// NOLINTEND(readability-inconsistent-declaration-parameter-name)
