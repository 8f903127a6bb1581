#include "posix_words.hpp"

#include "fencepost/verify/wait_queue.hpp"
#include "program_memory.hpp"

namespace fencepost::programs {

nanoseconds left_until(session& s, const deadline& d, const source_location& where) {
  return until(s, d.clock, read_value(s, d.then, where));
}

bool wait_while(session& s, void* object, verify::value v, nanoseconds left,
                const source_location& where) {
  if (left <= 0) return false;
  const bool timed = left != no_end;
  const auto w = verify::detail::wait_on(first_word(s, object, where), object, v,
                                         verify::detail::sleeper::atomic, timed, where);
  if (w != verify::detail::waited::timed_out) return true;
  s.library().let_pass(left);
  return false;
}

}  // namespace fencepost::programs
