// An injector of jobs that have numbers, which counts how often each thread obtained each job.
#pragma once

#include <memory>

#include "fencepost/queue/injector.hpp"
#include "fencepost/scenario/scenario.hpp"

namespace fencepost::models::injector_scenarios {

template <class P>
struct job : injector_link<job<P>, P> {
  explicit job(unsigned n) : number{n} {}
  typename P::template plain<unsigned> number;
};

// A row of the count is one thread's own, and plain memory: reading it is for after().
template <class P, unsigned Threads, unsigned Jobs>
class counted_queue {
 public:
  bool push(unsigned number) { return queue_.push(*new job<P>{number}); }

  // The number of the job, which is deleted; or Jobs if there is none.
  unsigned pop(unsigned thread) { return count(thread, queue_.pop()); }
  pop_result try_pop(unsigned thread) {
    const auto popped = queue_.try_pop();
    count(thread, popped.job);
    return popped.result;
  }
  void take_all(unsigned thread) {
    auto all = queue_.take_all();
    while (!all.empty()) count(thread, all.pop());
  }
  bool empty() const { return queue_.empty(); }

  // Called at the end: takes what is left, too.
  void each_once() {
    while (pop(0) != Jobs) {
    }
    for (unsigned number = 0; number < Jobs; ++number) {
      unsigned times = 0;
      for (const auto& row : obtained_) times += row[number];
      require(times != 0, "no job is lost");
      require(times < 2, "no job is obtained twice");
    }
    require(empty(), "the queue is empty at the end");
  }

 private:
  unsigned count(unsigned thread, job<P>* popped) {
    if (popped == nullptr) return Jobs;
    const std::unique_ptr<job<P>> mine{popped};
    const unsigned number = mine->number.get();
    require(number < Jobs, "every job obtained was pushed");
    ++obtained_[thread][number];
    return number;
  }

  injector<job<P>, P> queue_;
  unsigned obtained_[Threads][Jobs] = {};
};

}  // namespace fencepost::models::injector_scenarios
