// Lace's record of an external task, as published: LACE-44.
//
// The record lies on the submitting thread's stack. The worker says that the task is done by a
// store to a word in it, and then wakes whoever sleeps on that word. The submitter returns when it
// sees the store, which may be before the wake.
//
// The checker: the wake uses the address of a record that is gone. For Linux that is only an
// address, and at worst wakes a stranger that may wake for no reason anyway; in C++ it is an access
// to an object whose life is over, and std::atomic::notify_one() on it is undefined.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>

#include "fencepost/atomics/policy.hpp"
#include "fencepost/models/scenario_list.hpp"
#include "fencepost/scenario.hpp"

namespace fencepost::models::as_published {

template <class P>
struct lace_external_task {
  static constexpr auto about =
      scenario{.name = "as_published/lace_external_task",
               .threads = 2,
               .claim = "Lace's worker wakes by the address of a record that may be gone",
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
      while (done.load(std::memory_order_acquire) == 0) P::futex_wait(done, 0, no_deadline);
      require(on_the_stack->result.get() == 42, "the result is all there");
      on_the_stack.reset();
    } else {
      submitted->result.set(42);
      submitted->done.store(1, std::memory_order_release);
      P::futex_wake(submitted->done, 1);
    }
  }
};

using lace_external_task_list = scenario_list<lace_external_task>;

}  // namespace fencepost::models::as_published
