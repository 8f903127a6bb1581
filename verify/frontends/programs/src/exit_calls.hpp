// The calls to be made when a thread ends, and when main() has returned.
#pragma once

#include <pthread.h>

#include <vector>

#include "fencepost/source_location.hpp"
#include "mostly_empty.hpp"
#include "per_thread.hpp"

namespace fencepost::programs {

struct exit_call {
  void (*function)(void*) = nullptr;  // usually a destructor
  void* argument = nullptr;           // usually an object
  source_location where;              // where it was registered
};

// A mutex to unlock, and a condition variable whose waiters are then all notified.
struct exit_notification {
  pthread_mutex_t* mutex = nullptr;
  pthread_cond_t* condition = nullptr;
  source_location where;
};

// What a thread does when it ends: these lists in this order, each from its end to its beginning.
struct thread_exit {
  using list = mostly_empty<std::vector<exit_call>>;
  list calls;
  list behind;  // after the thread's variables are destroyed
  mostly_empty<std::vector<exit_notification>> notifications;
};

class exit_calls {
 public:
  void begin_execution() {
    of_threads_.reset();
    of_program_.clear();
  }

  // For resume points: the state of the first `threads` threads.
  struct saved {
    seldom_per_thread<thread_exit>::saved of_threads;
    thread_exit::list of_program;
  };
  void save(saved& s, std::size_t threads) const {
    of_threads_.save(s.of_threads, threads);
    s.of_program = of_program_;
  }
  void put_back(const saved& s, std::size_t used) {
    of_threads_.put_back(s.of_threads, used);
    of_program_ = s.of_program;
  }

  [[nodiscard]] thread_exit& of_this_thread() noexcept { return of_threads_.here(); }
  [[nodiscard]] thread_exit& to_add_here() noexcept { return of_threads_.to_add(); }
  [[nodiscard]] bool any_of_threads() const noexcept { return of_threads_.any(); }
  [[nodiscard]] std::vector<exit_call>& of_program() noexcept { return of_program_; }

 private:
  seldom_per_thread<thread_exit> of_threads_;
  thread_exit::list of_program_;
};

void call(const exit_call&);
// Makes the calls that are due when the running thread ends.
void end_thread();
// Makes the calls that are due when the program ends: main() has returned or has called exit().
void end_program();

}  // namespace fencepost::programs
