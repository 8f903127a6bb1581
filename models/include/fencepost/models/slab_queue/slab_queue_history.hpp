// A queue of slabs that records its operations.
#pragma once

#include <optional>

#include "fencepost/models/slab_queue/specification.hpp"
#include "fencepost/queue/slab_queue.hpp"
#include "fencepost/scenario/linearizability.hpp"
#include "fencepost/scenario/scenario.hpp"

namespace fencepost::models::slab_queue_scenarios {

// Records the operations of each thread.
template <class P, slab_shape Shape, unsigned Threads>
class recorded_queue {
 public:
  static constexpr unsigned main = history<fifo_queue>::main;

  void push(unsigned item, unsigned thread) {
    operations_.run(thread, {action::push, item}, [&]() -> result {
      require(queue_.try_push(unsigned{item}), "there is memory");
      return {};
    });
  }
  bool pop(unsigned thread) {
    const result r = operations_.run(thread, {action::pop}, [&]() -> result {
      const std::optional<unsigned> item = queue_.pop();
      return item ? result{answer::item, *item} : result{answer::empty};
    });
    return r.kind == answer::item;
  }
  void is_empty(unsigned thread) {
    operations_.run(thread, {action::is_empty}, [&]() -> result {
      return {queue_.empty() ? answer::empty : answer::not_empty};
    });
  }

  // Called at the end: the remaining items become part of the history.
  void is_explained() {
    while (pop(main)) continue;
    require_linearizable(operations_);
  }

 private:
  using action = fifo_queue::action;
  using answer = fifo_queue::answer;
  using result = fifo_queue::result;

  slab_queue<unsigned, P, Shape> queue_;
  history<fifo_queue> operations_{Threads};
};

}  // namespace fencepost::models::slab_queue_scenarios
