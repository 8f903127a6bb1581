// What the injector claims, one scenario a claim. Jobs have numbers; faults.hpp has what
// must be violated.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <memory>

#include "fencepost/models/slab_queue/specification.hpp"
#include "fencepost/queue/injector.hpp"
#include "fencepost/scenario/linearizability.hpp"
#include "fencepost/scenario/scenario.hpp"
#include "fencepost/scenario/scenario_list.hpp"

namespace fencepost::models {

namespace injector_scenarios {

template <class P>
struct job : injector_link<job<P>, P> {
  explicit job(unsigned n) : number{n} {}
  typename P::template plain<unsigned> number;
};

// A queue that counts how often each thread obtained each job. A row of the count is one thread's
// own, and plain memory: reading it is for after().
template <class P, unsigned Threads, unsigned Jobs>
class counted_queue {
 public:
  bool push(unsigned number) { return queue_.push(*new job<P>{number}); }

  // Its number, or Jobs if there is none. The job is released.
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

template <class P>
struct job_is_whole {
  static constexpr auto about = scenario{
      .name = "injector/job_is_whole", .threads = 2, .claim = "a popped job is fully published"};
  counted_queue<P, 2, 2> queue;
  void thread(unsigned index) {
    if (index == 0) {
      require(queue.push(0), "the first job finds the queue empty");
      queue.push(1);
    } else {
      queue.pop(1);
      queue.pop(1);
    }
  }
  void after() { queue.each_once(); }
};

template <class P>
struct two_poppers {
  static constexpr auto about = scenario{.name = "injector/two_poppers",
                                         .threads = 2,
                                         .claim = "two consumers never pop the same job"};
  counted_queue<P, 2, 3> queue;
  void before() {
    for (unsigned number = 0; number < 3; ++number) queue.push(number);
  }
  void thread(unsigned index) {
    require(queue.pop(index) != 3, "there are jobs for both");
    queue.pop(index);
  }
  void after() { queue.each_once(); }
};

template <class P>
struct push_against_pop {
  static constexpr auto about =
      scenario{.name = "injector/push_against_pop",
               .threads = 3,
               .claim = "a producer and two consumers lose and duplicate no job"};
  counted_queue<P, 3, 2> queue;
  void before() { queue.push(0); }
  void thread(unsigned index) {
    if (index == 0) {
      queue.push(1);
    } else {
      queue.pop(index);
    }
  }
  void after() { queue.each_once(); }
};

template <class P>
struct two_pushers {
  static constexpr auto about =
      scenario{.name = "injector/two_pushers",
               .threads = 3,
               .claim = "jobs that two threads push concurrently are all in the queue",
               .symmetric = {.first = 0, .count = 2}};
  counted_queue<P, 3, 2> queue;
  void thread(unsigned index) {
    if (index == 2) {
      queue.pop(2);
    } else {
      queue.push(index);
    }
  }
  void after() { queue.each_once(); }
};

// Each job is released when it is popped, and the one that is pushed then has its address.
template <class P>
struct addresses_come_back {
  static constexpr auto about =
      scenario{.name = "injector/addresses_come_back",
               .threads = 2,
               .claim = "a new job at the address of an old one is a job of its own (ABA)",
               .reuse_addresses = true};
  counted_queue<P, 2, 4> queue;
  void before() {
    for (unsigned number = 0; number < 3; ++number) queue.push(number);
  }
  void thread(unsigned index) {
    queue.pop(index);
    if (index == 0) {
      queue.pop(0);
      queue.push(3);
    }
  }
  void after() { queue.each_once(); }
};

template <class P>
struct first_in_first_out {
  static constexpr auto about =
      scenario{.name = "injector/first_in_first_out",
               .threads = 2,
               .claim = "the jobs of one producer are popped in the order of their pushes"};
  counted_queue<P, 2, 4> queue;
  void thread(unsigned index) {
    if (index == 0) {
      for (unsigned number = 0; number < 4; ++number) queue.push(number);
    } else {
      unsigned expected = 0;
      for (unsigned attempt = 0; attempt < 3; ++attempt) {
        const unsigned number = queue.pop(1);
        require(number == 4 || number == expected, "the oldest job comes first");
        if (number != 4) ++expected;
      }
    }
  }
  void after() { queue.each_once(); }
};

template <class P>
struct take_all_against_pop {
  static constexpr auto about =
      scenario{.name = "injector/take_all_against_pop",
               .threads = 3,
               .claim = "take_all() and concurrent pops never obtain the same job, and lose none"};
  counted_queue<P, 3, 3> queue;
  void before() {
    queue.push(0);
    queue.push(1);
  }
  void thread(unsigned index) {
    if (index == 0) {
      queue.push(2);
    } else if (index == 1) {
      queue.pop(1);
    } else {
      queue.take_all(2);
    }
  }
  void after() { queue.each_once(); }
};

// Two jobs, one pop: a worker that looks whether there is work may not be told that there is none.
template <class P>
struct never_called_empty {
  static constexpr auto about =
      scenario{.name = "injector/never_called_empty",
               .threads = 3,
               .claim = "pop never reports empty while the queue holds a job"};
  counted_queue<P, 3, 3> queue;
  void before() {
    queue.push(0);
    queue.push(1);
  }
  void thread(unsigned index) {
    if (index == 0) {
      require(queue.pop(0) == 0, "the oldest job comes first");
    } else if (index == 1) {
      require(!queue.empty(), "there is a job in the queue");
    } else {
      queue.push(2);
    }
  }
  void after() { queue.each_once(); }
};

// Pushes come in between, and are no reason.
template <class P>
struct lone_popper_is_never_told_busy {
  static constexpr auto about =
      scenario{.name = "injector/lone_popper_is_never_told_busy",
               .threads = 2,
               .claim = "pop reports busy only while another thread is popping"};
  counted_queue<P, 2, 2> queue;
  void thread(unsigned index) {
    if (index == 0) {
      for (unsigned number = 0; number < 2; ++number) queue.push(number);
    } else {
      for (unsigned look = 0; look < 2; ++look)
        require(queue.try_pop(1) != pop_result::busy, "no other thread is popping");
    }
  }
  void after() { queue.each_once(); }
};

// A queue that writes down what is done to it, by thread. `empty` is two steps, see fifo_queue.hpp;
// as one step it is more than is claimed (faults.hpp).
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
      // Otherwise another thread may be popping: that says nothing.
      if (queue_.empty()) said_empty(thread, action::is_empty, did);
    });
  }

  // At the end: what is left is a part of the history.
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

// A job in the front, none in the stack; one comes into the stack before that one is popped.
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

}  // namespace injector_scenarios

using injector_claims_list =
    scenario_list<injector_scenarios::job_is_whole, injector_scenarios::two_poppers,
                  injector_scenarios::push_against_pop, injector_scenarios::two_pushers,
                  injector_scenarios::addresses_come_back, injector_scenarios::first_in_first_out,
                  injector_scenarios::take_all_against_pop, injector_scenarios::never_called_empty,
                  injector_scenarios::lone_popper_is_never_told_busy,
                  injector_scenarios::linearizable, injector_scenarios::linearizable_with_take_all,
                  injector_scenarios::empty_means_none_was_there_throughout>;

}  // namespace fencepost::models
