// How a program ends, or reports an error: the functions that it registers for its exit, exit(),
// abort(), assert().

#include <cxxabi.h>

#include <cstdlib>
#include <string>

#include "c_library.hpp"
#include "departure.hpp"
#include "fencepost/verify/engine.hpp"
#include "session.hpp"

using fencepost::violation;
using fencepost::programs::entered;
using fencepost::programs::session;
using fencepost::verify::engine;

// The C library names its parameters with reserved names.
// NOLINTBEGIN(readability-inconsistent-declaration-parameter-name,bugprone-reserved-identifier,readability-identifier-naming)
extern "C" {

int __cxa_atexit(void (*function)(void*), void* argument, void* object) noexcept {
  const entered s;
  if (!s || !s->program().contains(__builtin_return_address(0)))
    return FENCEPOST_BEHIND(__cxa_atexit)(function, argument, object);
  // The order in which threads register functions decides the order of their calls.
  const fencepost::source_location where = s->place(FENCEPOST_CALL_SITE);
  s->next_in_order(where);
  s->exits().of_program().push_back({function, argument, where});
  return 0;
}

int __cxa_thread_atexit(void (*function)(void*), void* argument, void* object) noexcept {
  const entered s;
  if (!s || !s->program().contains(__builtin_return_address(0)))
    return FENCEPOST_BEHIND(__cxa_thread_atexit)(function, argument, object);
  const fencepost::source_location where = s->place(FENCEPOST_CALL_SITE);
  s->note_change(where);
  s->exits().to_add_here().calls.push_back({function, argument, where});
  return 0;
}

// Called last in each execution. What the program has registered was called by end_program().
void __cxa_finalize(void* object) {
  if (session::is_called_by_program()) return;
  FENCEPOST_BEHIND(__cxa_finalize)(object);
}

void exit(int status) noexcept {
  if (const entered s; s) {
    fencepost::programs::exit_program(*s, status, "", s->place(FENCEPOST_CALL_SITE));
  }
  FENCEPOST_BEHIND(exit)(status);
  __builtin_unreachable();
}

void abort() noexcept {
  if (const entered s; s)
    engine::current()->fail(violation::crash, "abort()", s->place(FENCEPOST_CALL_SITE));
  FENCEPOST_BEHIND(abort)();
  __builtin_unreachable();
}

[[noreturn]] void __assert_fail(const char* expression, const char* file, unsigned line,
                                const char* function) noexcept {
  if (const entered s; s) {
    const std::string text = std::string("assert(") + expression + ")";
    engine::current()->fail(violation::assertion, text, {file, function, line, 0});
  }
  FENCEPOST_BEHIND(__assert_fail)(expression, file, line, function);
  __builtin_unreachable();
}

// Called by programs that are compiled with _GLIBCXX_ASSERTIONS.
[[noreturn]] void _ZSt21__glibcxx_assert_failPKciS0_S0_(const char* file, int line,
                                                        const char* function,
                                                        const char* condition) noexcept {
  if (const entered s; s) {
    const char* const what = condition == nullptr ? "" : condition;
    engine::current()->fail(violation::assertion,
                            std::string("an assertion of the C++ library: ") + what,
                            s->place(FENCEPOST_CALL_SITE));
  }
  FENCEPOST_BEHIND(_ZSt21__glibcxx_assert_failPKciS0_S0_)(file, line, function, condition);
  __builtin_unreachable();
}

// Records an outcome of this execution, for tests of the checker.
void fencepost_outcome(const char* text) {
  if (const entered s; s) {
    s->take_up_writes();
    engine::current()->record_outcome(text);
  }
}

}  // extern "C"
// NOLINTEND(readability-inconsistent-declaration-parameter-name,bugprone-reserved-identifier,readability-identifier-naming)
