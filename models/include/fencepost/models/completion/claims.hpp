// The claims of a completion, one scenario each. The scenarios in faults.hpp must be violated.
#pragma once

#include <atomic>
#include <memory>

#include "fencepost/models/reading_wakes.hpp"
#include "fencepost/scenario/scenario.hpp"
#include "fencepost/scenario/scenario_list.hpp"
#include "fencepost/sync/completion.hpp"

namespace fencepost::models {

namespace completion_scenarios {

// Thread 0 waits for the result that thread 1 makes.
template <class P, template <class> class Completion, unsigned Spins>
struct result_is_awaited {
  Completion<P> done;
  typename P::template plain<int> result;
  void thread(unsigned index) {
    if (index == 0) {
      done.wait(Spins);
      require(result.get() == 42, "the complete result is visible");
    } else {
      result.set(42);
      done.complete();
    }
  }
};

template <class P, template <class> class Completion>
struct result_arrives : result_is_awaited<P, Completion, 2> {
  static constexpr auto about = scenario{
      .name = "completion/result_arrives",
      .threads = 2,
      .claim = "everything sequenced before complete() happens before the waiter's return"};
};

template <class P, template <class> class Completion>
struct result_arrives_asleep : result_is_awaited<P, Completion, 0> {
  static constexpr auto about =
      scenario{.name = "completion/result_arrives_asleep",
               .threads = 2,
               .claim = "the same when the waiter parks at once, and it is always woken"};
};

// Thread 0 owns the record and destroys it as soon as it may; thread 1 has its address.
template <class P, template <class> class Completion, class Wait>
struct short_life {
  std::unique_ptr<Completion<P>> record = std::make_unique<Completion<P>>();
  Completion<P>* known = record.get();
  void thread(unsigned index) {
    if (index == 0) {
      Wait{}.template operator()<P>(*record);
      record.reset();
    } else {
      known->complete();
    }
  }
};

struct wait_asleep {
  template <class P>
  void operator()(auto& record) const {
    record.wait(0);
  }
};
struct wait_spinning {
  template <class P>
  void operator()(auto& record) const {
    record.wait(2);
  }
};
struct poll {
  template <class P>
  void operator()(auto& record) const {
    while (!record.done()) P::spin_pause();
  }
};

template <class P, template <class> class Completion>
struct record_may_die_after_the_wait : short_life<P, Completion, wait_spinning> {
  static constexpr auto about = scenario{
      .name = "completion/record_may_die_after_the_wait",
      .threads = 2,
      .claim = "once wait() has returned, the completing thread does not touch the record"};
};

template <class P, template <class> class Completion>
struct record_may_die_after_the_wait_asleep
    : short_life<reading_wakes<P>, Completion, wait_asleep> {
  static constexpr auto about = scenario{
      .name = "completion/record_may_die_after_the_wait_asleep",
      .threads = 2,
      .claim =
          "the same when the waiter had to be woken: the wake does not touch the record either"};
};

template <class P, template <class> class Completion>
struct record_may_die_after_a_poll : short_life<P, Completion, poll> {
  static constexpr auto about = scenario{
      .name = "completion/record_may_die_after_a_poll",
      .threads = 2,
      .claim = "once done() returns true, the completing thread does not touch the record"};
};

// The result is an atomic, so that one that comes too late is an outcome and not a race. The
// outcome tells whether the first poll returned true, and which result was read after that.
template <class P, template <class> class Completion>
struct one_look_then_the_result {
  static constexpr known_outcome known[] = {
      {"1, 42", expect::allowed, "done at the first poll"},
      {"0, 42", expect::allowed, "not yet: waited for"},
      {"1, 0", expect::forbidden, "done, but the result is not visible"},
      {"0, 0", expect::forbidden, "waited for, but the result is not visible"}};
  static constexpr auto about =
      scenario{.name = "completion/one_look_then_the_result",
               .threads = 2,
               .claim = "whether the waiter polls or waits, it observes the result",
               .outcomes = known};
  Completion<P> done;
  typename P::template atomic<int> result{0};
  void thread(unsigned index) {
    if (index == 1) {
      result.store(42, std::memory_order_relaxed);
      done.complete();
      return;
    }
    const bool early = done.done();
    if (!early) done.wait(0);
    outcome(early, result.load(std::memory_order_relaxed));
  }
};

}  // namespace completion_scenarios

using completion_claims_list = scenario_list<
    with_word<completion_scenarios::result_arrives, completion>::scenario,
    with_word<completion_scenarios::result_arrives_asleep, completion>::scenario,
    with_word<completion_scenarios::record_may_die_after_the_wait, completion>::scenario,
    with_word<completion_scenarios::record_may_die_after_the_wait_asleep, completion>::scenario,
    with_word<completion_scenarios::record_may_die_after_a_poll, completion>::scenario,
    with_word<completion_scenarios::one_look_then_the_result, completion>::scenario>;

}  // namespace fencepost::models
