// A lock for programs that are explored in two ways: see locked_programs.hpp.
#pragma once

#include "fencepost/verify/engine.hpp"

namespace fencepost::verify::testing {

// A mutex or, if guesses() is set, a lock whose lock() guesses that it is free and otherwise gives
// the execution up. Unless it is declared a mutex, any thread may free it.
class either_lock {
 public:
  // Whether lock() guesses.
  static bool& guesses() noexcept {
    static bool on = false;
    return on;
  }

  explicit either_lock(wait_for what = wait_for::mutex) : what_(what) {
    at_ = here().declare(this, sizeof(void*), 0, source_location::current());
  }
  ~either_lock() { here().retire(at_, source_location::current()); }
  either_lock(const either_lock&) = delete;
  either_lock& operator=(const either_lock&) = delete;

  void lock() {
    const auto where = source_location::current();
    if (!guesses())
      here().await_exchange(at_, 0, 1, order::acquire, what_, where);
    else if (!try_lock())
      here().give_up();
  }
  bool try_lock() {
    return here()
        .compare_exchange(word(at_), 0, 1, false, order::acquire, order::relaxed,
                          source_location::current())
        .success;
  }
  int load(order o) {
    return static_cast<int>(here().load(word(at_), o, source_location::current()));
  }
  // Adds a reader, unless the lock is held.
  bool try_share() {
    const auto where = source_location::current();
    const value seen = here().load(word(at_), order::relaxed, where);
    return seen % 2 == 0 && here()
                                .compare_exchange(word(at_), seen, seen + 2, false, order::acquire,
                                                  order::relaxed, where)
                                .success;
  }
  void unshare() {
    here().read_modify_write(word(at_), operation::subtract, 2, sizeof(int), order::release,
                             source_location::current());
  }
  void unlock() { here().store(word(at_), 0, order::release, source_location::current()); }
  void exchange_free() {
    here().read_modify_write(word(at_), operation::exchange, 0, sizeof(int), order::acq_rel,
                             source_location::current());
  }

 private:
  static engine& here() { return *engine::current(); }

  location at_ = no_location;
  wait_for what_;
};

}  // namespace fencepost::verify::testing
