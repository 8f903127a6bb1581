// Exceptions that nothing in the program catches: a violation where they are thrown. The stack is
// not unwound to the end of the thread, so no destructor runs. Nor does one outside of the checker,
// where std::terminate is called at once.

#include <cxxabi.h>
#include <unwind.h>

#include <cstdint>
#include <exception>
#include <string>
#include <string_view>
#include <typeinfo>

#include "c_library.hpp"
#include "exception_layout.hpp"
#include "session.hpp"

// NOLINTNEXTLINE(bugprone-reserved-identifier,readability-identifier-naming): of the C++ library
extern "C" _Unwind_Reason_Code __gxx_personality_v0(int, _Unwind_Action, _Unwind_Exception_Class,
                                                    _Unwind_Exception*, _Unwind_Context*);

namespace fencepost::programs {
namespace {

using verify::engine;

struct search {
  _Unwind_Exception* thrown = nullptr;
  const void* last = nullptr;  // the last frame of the program
  enum { unknown, caught, by_noexcept, by_nothing } found = unknown;
};

// The search phase of unwinding, as in the library, but no further than the program's functions.
_Unwind_Reason_Code look(_Unwind_Context* frame, void* to) {
  search& s = *static_cast<search*>(to);
  if (_Unwind_GetCFA(frame) > reinterpret_cast<std::uintptr_t>(s.last)) {
    s.found = search::by_nothing;
    return _URC_NORMAL_STOP;
  }
  if (_Unwind_GetLanguageSpecificData(frame) == 0) return _URC_NO_REASON;
  const _Unwind_Reason_Code here =
      __gxx_personality_v0(1, _UA_SEARCH_PHASE, s.thrown->exception_class, s.thrown, frame);
  if (here == _URC_CONTINUE_UNWIND) return _URC_NO_REASON;
  // Without a landing pad, std::terminate is to be called.
  if (here == _URC_HANDLER_FOUND)
    s.found = of_unwind(s.thrown).catch_temporary == nullptr ? search::by_noexcept : search::caught;
  return _URC_NORMAL_STOP;
}

std::string with_its_text(std::string text, header& h) {
  void* object = thrown_object(h);
  const auto* const type = static_cast<const std::type_info*>(of_object(object).rest.type);
  if (typeid(std::exception).__do_catch(type, &object, 1))
    text += std::string(": ") + static_cast<const std::exception*>(object)->what();
  return text;
}

void require_handler(_Unwind_Exception* thrown, const call_site& c) {
  const entered s;
  if (!s || !is_of_cpp(*thrown)) return;
  const way_out* const out = s->threads().way();
  if (out == nullptr) return;  // main() has not begun, or the thread is ending
  search the{thrown, out->frame};
  _Unwind_Backtrace(&look, &the);
  if (the.found != search::by_noexcept && the.found != search::by_nothing) return;
  const source_location where = s->place(c);
  s->take_up_writes();
  --reinterpret_cast<globals*>(abi::__cxa_get_globals())->uncaught;
  engine::current()->fail(
      violation::exception,
      with_its_text(the.found == search::by_nothing ? "an exception left the thread"
                                                    : "an exception left a noexcept function",
                    of_unwind(thrown)),
      where);
}

// clang gives a noexcept function a handler of its own, so the exception counts as caught. The
// handler calls std::terminate, and so this.
void require_no_terminate(const call_site& c) {
  const entered s;
  if (!s || s->place(c).function != std::string_view("__clang_call_terminate")) return;
  const auto* const frame =
      static_cast<const void* const*>(*static_cast<const void* const*>(c.frame));
  const source_location where = s->place({frame[1], frame, c.stack});
  s->take_up_writes();
  header* const h = reinterpret_cast<globals*>(abi::__cxa_get_globals())->caught;
  const std::string what = "an exception left a noexcept function";
  engine::current()->fail(violation::exception,
                          h != nullptr && is_of_cpp(h->unwind) ? with_its_text(what, *h) : what,
                          where);
}

}  // namespace
}  // namespace fencepost::programs

using fencepost::programs::require_handler;
using fencepost::programs::require_no_terminate;

// NOLINTBEGIN(bugprone-reserved-identifier,readability-identifier-naming)
extern "C" {

_Unwind_Reason_Code _Unwind_RaiseException(_Unwind_Exception* thrown) {
  require_handler(thrown, FENCEPOST_CALL_SITE);
  return FENCEPOST_BEHIND(_Unwind_RaiseException)(thrown);
}

// For a throw without an operand.
_Unwind_Reason_Code _Unwind_Resume_or_Rethrow(_Unwind_Exception* thrown) {
  require_handler(thrown, FENCEPOST_CALL_SITE);
  return FENCEPOST_BEHIND(_Unwind_Resume_or_Rethrow)(thrown);
}

// std::terminate().
void _ZSt9terminatev() noexcept {
  require_no_terminate(FENCEPOST_CALL_SITE);
  FENCEPOST_BEHIND(_ZSt9terminatev)();
  __builtin_unreachable();
}

}  // extern "C"
// NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming)
