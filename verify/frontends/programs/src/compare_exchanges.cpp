// Compare-exchanges as clang requests them. The hook returns only the old value, from which clang
// concludes whether the exchange was made. So a weak one that fails spuriously seems to have
// succeeded, until the program asks (std/fencepost_calls.h).

#include <cstddef>

#include "atomic_requests.hpp"
#include "session.hpp"

namespace fencepost::programs {

verify::value exchange_by_value(session& s, volatile void* a, std::size_t size,
                                verify::value expected, verify::value desired, int success,
                                int failure, const source_location& where) {
  session::weakness& weak = s.of_compare_exchange();
  const bool may_fail = weak.may_fail;
  weak = {};
  const verify::exchanged done =
      exchange_if(s, a, size, expected, desired, may_fail, success, failure, where);
  s.of_compare_exchange().has_failed = !done.success && done.old == expected;
  return done.old;
}

}  // namespace fencepost::programs

using fencepost::programs::entered;

// NOLINTBEGIN(bugprone-reserved-identifier,readability-identifier-naming)
extern "C" {

int __fencepost_may_fail(int weak) {
  if (const entered s; s) s->of_compare_exchange() = {weak != 0, false};
  return weak;
}

// After a spurious failure, `expected` is written with the value that it has.
int __fencepost_has_failed(void* expected, std::size_t size) {
  const entered s;
  if (!s || !s->of_compare_exchange().has_failed) return 0;
  s->of_compare_exchange().has_failed = false;
  s->write(expected, size, s->place(FENCEPOST_CALL_SITE));
  return 1;
}

}  // extern "C"
// NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming)
