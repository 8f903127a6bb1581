// boost::lockfree::queue, which also supports many consumers; it has its own free list of nodes.
#include <boost/lockfree/queue.hpp>

#include "suite.hpp"

namespace fencepost::bench::peers {
namespace {

struct on_boost {
  static constexpr bool fifo = true;
  boost::lockfree::queue<item> queue{1024};
  void push(item i) {
    while (!queue.push(i)) std::this_thread::yield();
  }
  std::optional<item> pop() {
    item i = 0;
    return queue.pop(i) ? std::optional{i} : std::nullopt;
  }
};

[[maybe_unused]] const bool registered = register_queue<on_boost>("boost::lockfree");

}  // namespace
}  // namespace fencepost::bench::peers
