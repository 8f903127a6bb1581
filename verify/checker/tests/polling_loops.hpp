// How programs poll under a mutex: in a loop without end, and in a bounded number of turns.
#pragma once

#include <mutex>

#include "programs.hpp"

namespace fencepost::verify::testing {

struct by_polling {
  template <class Turn>
  static void until(Turn turn) {
    while (!turn()) {
    }
  }
};

// An execution that needs more turns does not count.
template <int turns>
struct in_turns {
  template <class Turn>
  static void until(Turn turn) {
    for (int i = 0; i < turns; ++i)
      if (turn()) return;
    engine::current()->give_up();
  }
};

template <class Done>
auto under(checked::mutex& m, Done done) {
  return [&m, done] {
    const std::lock_guard lock(m);
    return done();
  };
}

}  // namespace fencepost::verify::testing
