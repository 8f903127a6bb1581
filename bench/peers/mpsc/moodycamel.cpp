// moodycamel's ConcurrentQueue, without tokens and with one for each producer and the consumer.
#include <concurrentqueue/concurrentqueue.h>

#include "suite.hpp"

namespace fencepost::bench::peers {
namespace {

struct on_moodycamel {
  static constexpr bool fifo = true;
  moodycamel::ConcurrentQueue<item> queue;
  void push(item i) { queue.enqueue(i); }
  std::optional<item> pop() {
    item i = 0;
    return queue.try_dequeue(i) ? std::optional{i} : std::nullopt;
  }
};

struct with_tokens {
  static constexpr bool fifo = true;
  moodycamel::ConcurrentQueue<item> queue;
  moodycamel::ConsumerToken consumer{queue};
  struct thread {
    moodycamel::ConcurrentQueue<item>& queue;
    moodycamel::ProducerToken token;
    explicit thread(with_tokens& of) : queue(of.queue), token(of.queue) {}
    void push(item i) { queue.enqueue(token, i); }
  };
  std::optional<item> pop() {
    item i = 0;
    return queue.try_dequeue(consumer, i) ? std::optional{i} : std::nullopt;
  }
};

[[maybe_unused]] const bool registered =
    register_queue<on_moodycamel>("moodycamel") && register_queue<with_tokens>("moodycamel_tokens");

}  // namespace
}  // namespace fencepost::bench::peers
