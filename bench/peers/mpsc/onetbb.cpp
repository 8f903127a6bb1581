// oneTBB's concurrent_queue, which also supports many consumers.
#include <oneapi/tbb/concurrent_queue.h>

#include "suite.hpp"

namespace fencepost::bench::peers {
namespace {

struct on_tbb {
  static constexpr bool fifo = true;
  oneapi::tbb::concurrent_queue<item> queue;
  void push(item i) { queue.push(i); }
  std::optional<item> pop() {
    item i = 0;
    return queue.try_pop(i) ? std::optional{i} : std::nullopt;
  }
};

[[maybe_unused]] const bool registered = register_queue<on_tbb>("tbb_concurrent_queue");

}  // namespace
}  // namespace fencepost::bench::peers
