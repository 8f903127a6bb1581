// The claims of the injector, one scenario each. Jobs have numbers. The scenarios in faults.hpp
// must be violated.
#pragma once

#include "fencepost/models/injector/counted_jobs.hpp"
#include "fencepost/models/injector/queue_history.hpp"
#include "fencepost/queue/injector.hpp"
#include "fencepost/scenario/scenario.hpp"
#include "fencepost/scenario/scenario_list.hpp"

namespace fencepost::models {

namespace injector_scenarios {

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

// Each job is released when it is popped, and the job pushed after that reuses its address.
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

// Two jobs and one pop, so that one job stays: a worker that checks for work must not be told that
// there is none, whatever is popped and pushed meanwhile.
template <class P>
struct never_called_empty {
  static constexpr auto about =
      scenario{.name = "injector/never_called_empty",
               .threads = 3,
               .claim = "empty() returns false while one job stays in the queue"};
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

// Concurrent pushes are no reason to report busy.
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
