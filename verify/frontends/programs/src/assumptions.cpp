// The assumptions of a program, under the name that other checkers and their test suites use.

#include "session.hpp"

using namespace fencepost::programs;

// NOLINTBEGIN(bugprone-reserved-identifier,readability-identifier-naming)
extern "C" {

// If the assumption does not hold, the thread stops here, and the execution is not counted. Other
// threads continue, since their writes may revisit what this thread has read. In C the argument is
// an int, or a bool, which compilers extend to one.
void __VERIFIER_assume(int holds) noexcept {
  if (holds != 0) return;
  if (const entered s; s) s->fail_assumption();
}

}  // extern "C"
// NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming)
