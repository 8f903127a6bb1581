// slab_queue, ticket_queue, and a std::deque with a mutex.
#include "../../mutex_deque.hpp"
#include "fencepost/queue/slab_queue.hpp"
#include "fencepost/queue/ticket_queue.hpp"
#include "suite.hpp"

namespace fencepost::bench::peers {
namespace {

struct on_slab_queue {
  static constexpr bool fifo = true;
  slab_queue<item> queue;
  void push(item i) { queue.push(std::move(i)); }
  std::optional<item> pop() { return queue.pop(); }
};

struct on_ticket_queue {
  static constexpr bool fifo = true;
  ticket_queue<item> queue;
  void push(item i) { queue.push(std::move(i)); }
  std::optional<item> pop() { return queue.pop(); }
};

struct locked_queue : mutex_queue<item> {
  static constexpr bool fifo = true;
};

[[maybe_unused]] const bool registered = register_queue<on_slab_queue>("slab_queue") &&
                                         register_queue<on_ticket_queue>("ticket_queue") &&
                                         register_queue<locked_queue>("mutex+std::deque");

}  // namespace
}  // namespace fencepost::bench::peers
