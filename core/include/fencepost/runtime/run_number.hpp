// Which run of a task runner a quit() ends: the one in progress when it is called, or the next one
// if there is none. A quit that comes too late, because another one has ended that run, does not
// end a later one.
//
//      a thread that quits                        the thread that runs
//        number = called()                          run tasks until one of them is a quit of this
//        post (number)                              run: is_now(number)
//                                                   end()
//
// A quit that comes too late must not be lost: the thread that runs may be about to decide, by
// data that the quitting thread wrote before, whether to run again. So both access the number by a
// read-modify-write, and these are totally ordered: if called() comes before end(), it has read the
// number of this run, and end() acquires from it.
//
// Threads: called(), any thread; the rest, the thread that runs.
//
// Claim (task_runner/…):
//   either a quit ends the next run, or everything before the quit is visible when this run ends
//                                                             quit_against_the_end_of_a_run
//
// Progress: wait-free. Costs: a locked instruction for each quit, and each run that it ends.
#pragma once

#include <atomic>
#include <cstdint>

#include "fencepost/atomics/default_atomics.hpp"

namespace fencepost {

template <class P = default_atomics>
class run_number {
 public:
  // Any thread. The number of the run that is in progress, or of the next one. If that run ends
  // meanwhile, everything before this call happens before the return of its end().
  std::uint64_t called() noexcept {
    // [called] release, with [end]: an addition, so that end() either comes before it, and is
    // observed by it, or comes after it, and observes it.
    return number_.fetch_add(0, std::memory_order_release);
  }
  // Whether this is the run in progress.
  bool is_now(std::uint64_t number) const noexcept {
    // [is_now] relaxed, alone: only this thread changes it.
    return number_.load(std::memory_order_relaxed) == number;
  }
  // Called after a quit: ends the run; the next one has another number.
  void end() noexcept {
    // [end] acquire, with [called]: everything before a quit that is too late is visible.
    number_.fetch_add(1, std::memory_order_acquire);
  }

 private:
  typename P::template atomic<std::uint64_t> number_{0};
};

}  // namespace fencepost
