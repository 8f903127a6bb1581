// The claims of a deque of tasks on the call stack, one scenario each. The scenarios in faults.hpp
// must be violated.
//
// Thread 0 is the owner, the others are thieves. A frame is a heap block, so that an access to one
// that has ended is detected.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "fencepost/deque/call_stack_deque.hpp"
#include "fencepost/scenario/scenario.hpp"
#include "fencepost/scenario/scenario_list.hpp"

namespace fencepost::models {

namespace call_stack_deque_scenarios {

struct nobody {};  // the worker's type: tasks here need no worker

// A task that adds one to its number; it must run once.
template <class P>
struct increment : stack_task<nobody, P> {
  using base = stack_task<nobody, P>;
  explicit increment(unsigned n) noexcept : base{&add_one}, number{n} {}
  static void add_one(base& task, nobody&) noexcept {
    auto& self = static_cast<increment&>(task);
    self.number.set(self.number.get() + 1);
  }
  typename P::template plain<unsigned> number;
};

template <class P>
struct one_deque {
  call_stack_deque<nobody, P> tasks{1u};

  void steal_once() {
    nobody me;
    const auto theft = tasks.steal();
    if (theft.outcome == steal_outcome::stolen) theft.item->run_stolen(me);
  }
  // Waits by polling.
  void join(increment<P>& task) {
    if (tasks.pop(task)) {
      nobody me;
      increment<P>::add_one(task, me);
    } else {
      while (!task.done()) P::spin_pause();
    }
  }
  void spawn_and_join(unsigned number) {
    const auto frame = std::make_unique<increment<P>>(number);
    tasks.push(*frame);
    join(*frame);
    require(frame->number.get() == number + 1, "the task runs once, and the result is visible");
  }
};

template <class P>
struct result_comes_back : one_deque<P> {
  static constexpr auto about =
      scenario{.name = "call_stack_deque/result_comes_back",
               .threads = 3,
               .claim = "a task in its owner's frame runs once, and the owner observes the result",
               .symmetric = {.first = 1, .count = 2}};
  void thread(unsigned index) {
    if (index == 0) {
      this->spawn_and_join(20);
    } else {
      this->steal_once();
    }
  }
};

template <class P>
struct nested_frames : one_deque<P> {
  static constexpr auto about =
      scenario{.name = "call_stack_deque/nested_frames",
               .threads = 3,
               .claim = "tasks of frames within each other all run once, whichever are stolen",
               .symmetric = {.first = 1, .count = 2}};
  void thread(unsigned index) {
    if (index != 0) return this->steal_once();
    const auto outer = std::make_unique<increment<P>>(10u);
    this->tasks.push(*outer);
    this->spawn_and_join(20);
    this->join(*outer);
    require(outer->number.get() == 11, "the task of the outer frame runs once");
  }
};

// The thief may have read the pointer while the first task was there.
template <class P>
struct address_comes_back : one_deque<P> {
  static constexpr auto about =
      scenario{.name = "call_stack_deque/address_comes_back",
               .threads = 3,
               .claim = "a thief takes no task for another that lay at the same address (ABA)",
               .symmetric = {.first = 1, .count = 2}};
  std::optional<increment<P>> frame;
  void thread(unsigned index) {
    if (index != 0) return this->steal_once();
    for (const unsigned number : {20u, 40u}) {
      frame.emplace(number);
      this->tasks.push(*frame);
      this->join(*frame);
      require(frame->number.get() == number + 1, "each task runs once");
      frame.reset();
    }
  }
};

// The owner polls `Spins` times, and then sleeps.
template <class P, std::uint32_t Spins>
struct frame_ends : one_deque<P> {
  void thread(unsigned index) {
    if (index != 0) return this->steal_once();
    const auto frame = std::make_unique<increment<P>>(20u);
    this->tasks.push(*frame);
    if (!this->tasks.pop(*frame)) {
      frame->wait(Spins);
      require(frame->number.get() == 21, "the result is visible");
    }
  }
};
template <class P>
struct frame_may_end : frame_ends<P, 2> {
  static constexpr auto about =
      scenario{.name = "call_stack_deque/frame_may_end",
               .threads = 2,
               .claim = "a thief does not touch the task once its owner has found it done"};
};
template <class P>
struct owner_sleeps : frame_ends<P, 0> {
  static constexpr auto about =
      scenario{.name = "call_stack_deque/owner_sleeps",
               .threads = 2,
               .claim = "an owner that sleeps until its task is done is woken"};
};

}  // namespace call_stack_deque_scenarios

using call_stack_deque_claims_list = scenario_list<
    call_stack_deque_scenarios::result_comes_back, call_stack_deque_scenarios::nested_frames,
    call_stack_deque_scenarios::address_comes_back, call_stack_deque_scenarios::frame_may_end,
    call_stack_deque_scenarios::owner_sleeps>;

}  // namespace fencepost::models
