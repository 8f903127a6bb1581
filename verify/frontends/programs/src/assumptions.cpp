// What a program assumes, in the name that other checkers and their test suites have for it.

#include "session.hpp"

using namespace fencepost::programs;

// NOLINTBEGIN(bugprone-reserved-identifier,readability-identifier-naming)
extern "C" {

// Where it does not hold, the thread goes no further, and the execution is not counted. Others do:
// what they write may be what this thread read too early. In C the argument is an int, or a bool,
// which compilers extend to one.
void __VERIFIER_assume(int holds) noexcept {
  if (holds != 0) return;
  if (const entered s; s) s->fail_assumption();
}

}  // extern "C"
// NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming)
