// An injector that records its operations, and the injector's claims about such a history.
#pragma once

#include <array>
#include <cstddef>
#include <memory>

#include "fencepost/models/injector/counted_jobs.hpp"
#include "fencepost/models/slab_queue/specification.hpp"
#include "fencepost/queue/injector.hpp"
#include "fencepost/scenario/linearizability.hpp"
#include "fencepost/scenario/scenario.hpp"

namespace fencepost::models::injector_scenarios {

// Records the operations of each thread. `empty` is two steps, as fifo_queue explains; as one step
// it would be more than is claimed (faults.hpp).
template <class P, unsigned Threads, bool EmptyIsOneStep = false>
class recorded_queue {
 public:
  static constexpr unsigned main = history<fifo_queue>::main;

  void push(unsigned number, unsigned thread) {
    operations_.run(thread, {action::push, number}, [&]() -> result {
      const bool was_empty = queue_.push(*new job<P>{number});
      return {was_empty ? answer::empty : answer::not_empty};
    });
  }
  bool pop(unsigned thread) {
    bool found = false;
    operations_.run_steps(thread, [&](const auto& did) {
      const std::unique_ptr<job<P>> mine{queue_.pop()};
      found = mine != nullptr;
      if (found) {
        did({action::pop}, {answer::item, mine->number.get()});
      } else {
        said_empty(thread, action::pop, did);
      }
    });
    return found;
  }
  void try_pop(unsigned thread) {
    operations_.run_steps(thread, [&](const auto& did) {
      const auto popped = queue_.try_pop();
      if (popped.result == pop_result::busy) return did({action::pop}, {answer::busy});
      if (popped.result == pop_result::empty) return said_empty(thread, action::pop, did);
      const std::unique_ptr<job<P>> mine{popped.job};
      did({action::pop}, {answer::item, mine->number.get()});
    });
  }
  void take_all(unsigned thread) {
    operations_.run_steps(thread, [&](const auto& did) {
      result all{answer::items};
      auto taken = queue_.take_all();
      while (!taken.empty()) {
        const std::unique_ptr<job<P>> mine{taken.pop()};
        all.items.push_back(mine->number.get());
      }
      if (all.items.empty()) return said_empty(thread, action::pop, did);
      did({action::take_all}, all);
    });
  }
  void is_empty(unsigned thread) {
    operations_.run_steps(thread, [&](const auto& did) {
      // "Not empty" is not recorded: it may only mean that another thread is popping.
      if (queue_.empty()) said_empty(thread, action::is_empty, did);
    });
  }

  // Called at the end: the remaining jobs become part of the history.
  void is_explained() {
    while (pop(main)) continue;
    require_linearizable(operations_);
  }

 private:
  using action = fifo_queue::action;
  using answer = fifo_queue::answer;
  using result = fifo_queue::result;

  template <class Did>
  void said_empty(unsigned thread, action whole, const Did& did) {
    if (EmptyIsOneStep) return did({whole}, {answer::empty});
    const std::size_t place = thread == main ? Threads : thread;
    const auto look = static_cast<unsigned>(place + (Threads + 1) * looks_[place]++);
    did({action::look, look}, {});
    did({action::found_none, look}, {answer::empty});
  }

  injector<job<P>, P> queue_;
  history<fifo_queue> operations_{Threads};
  std::array<unsigned, Threads + 1> looks_{};
};

template <class P>
struct linearizable {
  static constexpr auto about =
      scenario{.name = "injector/linearizable",
               .threads = 3,
               .claim = "the results of a producer and two consumers are linearizable"};
  recorded_queue<P, 3> queue;
  void thread(unsigned index) {
    if (index == 0) {
      queue.push(1, index);
      queue.push(2, index);
      queue.is_empty(index);
    } else {
      queue.try_pop(index);
      if (index == 1) queue.try_pop(index);
    }
  }
  void after() { queue.is_explained(); }
};

template <class P>
struct linearizable_with_take_all {
  static constexpr auto about =
      scenario{.name = "injector/linearizable_with_take_all",
               .threads = 3,
               .claim = "the same with two producers and a consumer that takes all jobs"};
  recorded_queue<P, 3> queue;
  void before() { queue.push(1, queue.main); }
  void thread(unsigned index) {
    if (index == 0) {
      queue.take_all(index);
      queue.is_empty(index);
    } else {
      queue.push(index + 1, index);
      if (index == 1) queue.pop(index);
    }
  }
  void after() { queue.is_explained(); }
};

// One job in the front, none in the stack; another is pushed before the first one is popped.
template <class P, bool EmptyIsOneStep>
struct never_quite_empty {
  recorded_queue<P, 2, EmptyIsOneStep> queue;
  void before() {
    queue.push(1, queue.main);
    queue.push(2, queue.main);
    queue.pop(queue.main);
  }
  void thread(unsigned index) {
    if (index == 0) {
      queue.push(3, index);
      queue.pop(index);
    } else {
      queue.is_empty(index);
    }
  }
  void after() { queue.is_explained(); }
};
template <class P>
struct empty_means_none_was_there_throughout : never_quite_empty<P, false> {
  static constexpr auto about = scenario{
      .name = "injector/empty_means_none_was_there_throughout",
      .threads = 2,
      .claim = "when pop reports empty, every job present at its beginning has been popped"};
};

}  // namespace fencepost::models::injector_scenarios
