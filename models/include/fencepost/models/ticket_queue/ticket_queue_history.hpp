// A queue of tickets that records its operations.
#pragma once

#include <cstdint>
#include <optional>

#include "fencepost/models/ticket_queue/specification.hpp"
#include "fencepost/queue/ticket_queue.hpp"
#include "fencepost/scenario/linearizability.hpp"
#include "fencepost/scenario/scenario.hpp"

namespace fencepost::models::ticket_queue_scenarios {

// Records the operations of each thread.
template <class P, std::uint32_t Slots, unsigned Threads>
class recorded_queue {
 public:
  static constexpr unsigned main = history<queue_of_tickets>::main;

  void push(unsigned item, unsigned thread) {
    operations_.run_steps(thread, [&](auto did) {
      require(queue_.try_push(unsigned{item}), "there is memory");
      did({action::draw, item}, {});
      did({action::publish, item}, {});
    });
  }
  bool pop(unsigned thread) {
    const result r = operations_.run(thread, {action::pop}, [&]() -> result {
      const std::optional<unsigned> item = queue_.pop();
      return item ? result{answer::item, *item} : result{answer::nothing};
    });
    return r.kind == answer::item;
  }
  void is_ready(unsigned thread) {
    operations_.run(thread, {action::is_ready}, [&] { return yes_or_no(queue_.ready()); });
  }
  void is_empty(unsigned thread) {
    operations_.run(thread, {action::is_empty}, [&] { return yes_or_no(queue_.empty()); });
  }

  // Called at the end: the remaining items become part of the history.
  void is_explained() {
    while (pop(main)) continue;
    require_linearizable(operations_);
  }

 private:
  using action = queue_of_tickets::action;
  using answer = queue_of_tickets::answer;
  using operation = queue_of_tickets::operation;
  using result = queue_of_tickets::result;

  static result yes_or_no(bool yes) { return {yes ? answer::yes : answer::no}; }

  ticket_queue<unsigned, P, Slots> queue_;
  history<queue_of_tickets> operations_{Threads};
};

}  // namespace fencepost::models::ticket_queue_scenarios
