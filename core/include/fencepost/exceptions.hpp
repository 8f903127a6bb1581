// Throwing and catching, in programs with exceptions and in those without (-fno-exceptions).
//
// Without exceptions nothing is caught, and an error that would be thrown ends the program: its
// message goes to standard error, and std::abort() is called. A program that must continue avoids
// such errors: every function that throws documents what it throws, and try_push() and the like do
// not throw.
//
// All code that is linked into a program should be compiled with exceptions, or all of it without.
// Where the two are mixed, a template that both use may do either.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <stdexcept>
#include <utility>

namespace fencepost::detail {

#if defined(__cpp_exceptions) || defined(_CPPUNWIND)

template <class Exception, class... Arguments>
[[noreturn]] void raise(Arguments&&... arguments) {
  throw Exception(std::forward<Arguments>(arguments)...);
}

// Calls f(). If f() throws, calls caught(), in which the exception is std::current_exception().
template <class F, class Caught>
void attempt(F&& f, Caught&& caught) {
  try {
    f();
  } catch (...) {
    caught();
  }
}

// Returns f(). If f() throws, calls undo() and rethrows the exception.
template <class F, class Undo>
decltype(auto) attempt_or_undo(F&& f, Undo&& undo) {
  try {
    return f();
  } catch (...) {
    undo();
    throw;
  }
}

#else

template <class Exception, class... Arguments>
[[noreturn]] void raise(Arguments&&... arguments) {
  const Exception error(std::forward<Arguments>(arguments)...);
  std::fprintf(stderr, "fencepost: %s\n", static_cast<const std::exception&>(error).what());
  std::abort();
}

template <class F, class Caught>
void attempt(F&& f, Caught&&) {
  f();
}

template <class F, class Undo>
decltype(auto) attempt_or_undo(F&& f, Undo&&) {
  return f();
}

#endif

}  // namespace fencepost::detail
