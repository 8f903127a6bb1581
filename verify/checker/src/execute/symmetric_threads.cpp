#include "execute/symmetric_threads.hpp"

#include <algorithm>

namespace fencepost::verify {

using state = model_thread::state;

void symmetric_threads::compare_with_group(const event& e, const source_location& where) {
  const unsigned self = fibers_.running();
  for (const unsigned other : symmetry_.group(self)) {
    if (other == self) continue;
    const model_thread& o = threads_[other];
    const bool waits = o.at == state::frontier || o.at == state::parked;
    const event* const wanted = waits ? o.wants : nullptr;
    switch (symmetry_.compare(self, e, where, other, wanted, o.at == state::finished)) {
      case symmetry::standing::fine: break;
      case symmetry::standing::unlike:
        run_.report(
            violation::misuse,
            message(
                "threads %u and %u are declared symmetric, but after the same beginning they do "
                "different things",
                std::min(other, self), std::max(other, self)),
            where);
      case symmetry::standing::overtaken:
        if (trace_.on()) break;  // an execution that has been judged
        loops_.overtakes();
        if (o.at != state::parked || !loops_.in_turn()) loops_.settle_overtaking();
    }
  }
}

void symmetric_threads::compare_ends_with_group() {
  loops_.settle_overtaking();
  const unsigned self = fibers_.running();
  for (const unsigned other : symmetry_.group(self))
    if (other != self && !symmetry_.ends_like(self, other))
      run_.report(violation::misuse,
                  message("threads %u and %u are declared symmetric, but after the same beginning "
                          "thread %u ends and the other one continues",
                          std::min(other, self), std::max(other, self), self),
                  threads_[self].where);
}

}  // namespace fencepost::verify
