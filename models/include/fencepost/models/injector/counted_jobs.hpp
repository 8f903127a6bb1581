// An injector of numbered jobs that counts how often each thread obtained each job.
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

// Only the thread of a row of the count writes it, in plain memory; after() reads all rows.
template <class P, unsigned Threads, unsigned Jobs>
class counted_queue {
 public:
  bool push(unsigned number) { return queue_.push(*new job<P>{number}); }

  // Pops and deletes a job. Returns its number, or Jobs if there is none.
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

  // Called at the end: also takes the remaining jobs.
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
