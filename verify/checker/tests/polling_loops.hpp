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

// Puts critical sections in an order, and synchronizes nothing.
class relaxed_lock {
 public:
  relaxed_lock() {
    at_ = engine::current()->declare(this, sizeof(void*), 0, source_location::current());
  }
  ~relaxed_lock() { engine::current()->retire(at_, source_location::current()); }
  relaxed_lock(const relaxed_lock&) = delete;
  relaxed_lock& operator=(const relaxed_lock&) = delete;

  void lock() {
    engine::current()->await_exchange(at_, 0, 1, order::relaxed, wait_for::mutex,
                                      source_location::current());
  }
  void unlock() {
    engine::current()->store(word(at_), 0, order::relaxed, source_location::current());
  }

 private:
  location at_ = 0;
};

template <class Lock, class Done>
auto under(Lock& m, Done done) {
  return [&m, done] {
    const std::lock_guard lock(m);
    return done();
  };
}

}  // namespace fencepost::verify::testing
