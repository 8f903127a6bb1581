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

// The location of a lock that is built from the engine's operations.
class lock_word {
 public:
  lock_word(const lock_word&) = delete;
  lock_word& operator=(const lock_word&) = delete;

 protected:
  lock_word() {
    at_ = engine::current()->declare(this, sizeof(int), 0, source_location::current());
  }
  ~lock_word() { engine::current()->retire(at_, source_location::current()); }

  location at_ = 0;
};

// Puts critical sections in an order, and synchronizes nothing.
class relaxed_lock : lock_word {
 public:
  void lock() {
    engine::current()->await_exchange(at_, 0, 1, order::relaxed, wait_for::mutex,
                                      source_location::current());
  }
  void unlock() {
    engine::current()->store(word(at_), 0, order::relaxed, source_location::current());
  }
};

// What programs build from an atomic.
class spinlock {
 public:
  void lock() {
    while (word_.exchange(1, acquire) != 0) {
    }
  }
  bool try_lock() { return word_.exchange(1, acquire) == 0; }
  void unlock() { word_.store(0, release); }

 private:
  checked::atomic<int> word_{0};
};
// The same with a compare-exchange, and with a load before it.
class tested_spinlock {
 public:
  void lock() {
    for (int free = 0; !word_.compare_exchange_strong(free, 1, acquire, relaxed); free = 0) {
      while (word_.load(relaxed) != 0) {
      }
    }
  }
  bool try_lock() {
    int free = 0;
    return word_.compare_exchange_strong(free, 1, acquire, relaxed);
  }
  void unlock() { word_.fetch_sub(1, release); }

 private:
  checked::atomic<int> word_{0};
};

// Many threads may hold it to read, or one to write.
class shared_lock : lock_word {
 public:
  void lock() {
    engine::current()->await_exchange(at_, 0, with_writer, order::acquire, wait_for::mutex,
                                      source_location::current());
  }
  bool try_lock() {
    return engine::current()
        ->compare_exchange(word(at_), 0, with_writer, false, order::acquire, order::relaxed,
                           source_location::current())
        .success;
  }
  void unlock() {
    engine::current()->store(word(at_), 0, order::release, source_location::current());
  }
  // A reader that finds a writer would be explored once more as one that comes later.
  void lock_shared() {
    engine::current()->is_lock(at_, lock_kind::shared_mutex);
    const value seen = change(operation::custom, order::acquire);
    if (seen == with_writer) engine::current()->give_up();
  }
  void unlock_shared() { change(operation::subtract, order::release); }

 private:
  static constexpr value with_writer = 100;
  value change(operation op, order o) {
    return engine::current()->read_modify_write(
        word(at_), op, 1, sizeof(int), o, source_location::current(),
        [](value readers, value) { return readers == with_writer ? with_writer : readers + 1; });
  }
};

// What std::lock_guard locks is a reader's.
class as_reader {
 public:
  void lock() { of_.lock_shared(); }
  void unlock() { of_.unlock_shared(); }
  shared_lock& of() { return of_; }

 private:
  shared_lock of_;
};

template <class Lock, class Done>
auto under(Lock& m, Done done) {
  return [&m, done] {
    const std::lock_guard lock(m);
    return done();
  };
}

}  // namespace fencepost::verify::testing
