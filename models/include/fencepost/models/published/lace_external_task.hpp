// Lace's record of an external task, as published: LACE-44.
//
// The record is on the submitting thread's stack. The worker reports that the task is done by a
// store to a word in it, and then wakes the thread that sleeps on that word. The submitter returns
// when it observes the store, which may be before the wake.
//
// Lace wakes by a futex, to which the word is only an address: at worst that wakes an unrelated
// thread, which must expect spurious wake-ups anyway. A C++ program would call std::atomic's
// notify_one() instead, as is done here: that accesses an object after its lifetime.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>

#include "fencepost/atomics/policy.hpp"
#include "fencepost/scenario/scenario.hpp"
#include "fencepost/scenario/scenario_list.hpp"

namespace fencepost::models::published {

template <class P>
struct lace_external_task {
  static constexpr auto about =
      scenario{.name = "published/lace_external_task",
               .threads = 2,
               .claim = "Lace's record of an external task may be notified by std::atomic as well",
               .expected = violation::use_after_free,
               .timeouts = 0};
  struct record {
    typename P::template plain<int> result;
    typename P::template atomic<std::uint32_t> done{0};
  };
  std::unique_ptr<record> on_the_stack = std::make_unique<record>();
  record* submitted = on_the_stack.get();

  void thread(unsigned index) {
    if (index == 0) {
      auto& done = on_the_stack->done;
      while (done.load(std::memory_order_acquire) == 0) done.wait(0, std::memory_order_acquire);
      require(on_the_stack->result.get() == 42, "the complete result is visible");
      on_the_stack.reset();
    } else {
      submitted->result.set(42);
      submitted->done.store(1, std::memory_order_release);
      submitted->done.notify_one();
    }
  }
};

using lace_external_task_list = scenario_list<lace_external_task>;

}  // namespace fencepost::models::published
