// The writes that a run is promised: which of them were made, and which threads have waited for
// them.
//
// A thread that acquires what it was promised, or comes to a fence that keeps it in order, waits
// for the write. So the read stays before what follows it, and the thread finds memory as it should
// be. If the write releases, the wait synchronizes with it, and the explorer knows what happens
// before. Nothing is lost: where the write comes after what the thread does next, another read on
// the way to the write reads from the future as well, and with a promise to that one no thread has
// to wait.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "fencepost/verify/engine.hpp"
#include "reexecute/early_violation.hpp"
#include "reexecute/promised_execution.hpp"
#include "reexecute/promises.hpp"
#include "reexecute/unknown_order.hpp"

namespace fencepost::verify {

class promised_writes {
 public:
  // `early` is reported when the last promised write is made.
  promised_writes(const promises& p, promised_execution& e, unknown_order& u,
                  const early_violation& early)
      : promises_(p), execution_(e), unknown_(u), early_(early) {}

  void begin_run();

  [[nodiscard]] bool all_made() const noexcept { return missing_ == 0; }
  [[nodiscard]] bool made(const promise& p) const noexcept {
    return state_[promises_.number_of(p)].made;
  }
  // The running thread has written this.
  void wrote(word, value, order);
  // Blocks the running thread until the write is made.
  void await(const promise&, bool acquires);

 private:
  [[nodiscard]] bool keeps(const promise&, word, value) const;
  void tell(location, order);

  struct state {
    location told = no_location;  // written with the promised write, for the threads that wait
    bool made = false;
    std::uint64_t waited = 0;    // a bit for each thread that has waited, …
    std::uint64_t acquired = 0;  // … and for each that has acquired by it
  };

  const promises& promises_;
  promised_execution& execution_;
  unknown_order& unknown_;
  const early_violation& early_;
  std::vector<state> state_;  // by promise
  std::size_t missing_ = 0;
};

}  // namespace fencepost::verify
