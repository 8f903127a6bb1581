// slab_queue, and a std::deque with a mutex.
#include <deque>
#include <mutex>

#include "fencepost/queue/slab_queue.hpp"
#include "suite.hpp"

namespace fencepost::bench::peers {
namespace {

struct on_slab_queue {
  static constexpr bool fifo = true;
  slab_queue<item> queue;
  void push(item i) { queue.push(std::move(i)); }
  std::optional<item> pop() { return queue.pop(); }
};

struct locked_queue {
  static constexpr bool fifo = true;
  std::mutex mutex;
  std::deque<item> items;
  void push(item i) {
    const std::lock_guard lock{mutex};
    items.push_back(i);
  }
  std::optional<item> pop() {
    const std::lock_guard lock{mutex};
    if (items.empty()) return std::nullopt;
    const item i = items.front();
    items.pop_front();
    return i;
  }
};

[[maybe_unused]] const bool registered =
    register_queue<on_slab_queue>("slab_queue") && register_queue<locked_queue>("mutex+std::deque");

}  // namespace
}  // namespace fencepost::bench::peers
