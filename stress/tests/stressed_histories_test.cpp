// Histories that real threads record are checked against the specification, by the clock.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <deque>
#include <mutex>

#include "fencepost/models/slab_queue/specification.hpp"
#include "fencepost/scenario/linearizability.hpp"
#include "fencepost/stress/stress_atomics.hpp"
#include "fencepost/stress/stress_run.hpp"

namespace fencepost::stress {
namespace {

using models::fifo_queue;
enum class order { first_in_first_out, last_in_first_out };

// pop() returns the oldest item, or the newest.
template <order Order>
class locked_queue {
 public:
  void push(unsigned item) {
    const std::lock_guard lock(mutex_);
    items_.push_back(item);
  }
  fifo_queue::result pop() {
    const std::lock_guard lock(mutex_);
    if (items_.empty()) return {fifo_queue::answer::empty};
    const bool oldest = Order == order::first_in_first_out;
    const unsigned item = oldest ? items_.front() : items_.back();
    if (oldest) {
      items_.pop_front();
    } else {
      items_.pop_back();
    }
    return {fifo_queue::answer::item, item};
  }

 private:
  std::mutex mutex_;
  std::deque<unsigned> items_;
};

template <order Order>
struct producer_and_consumer {
  static constexpr auto about = scenario{.name = "test/producer_and_consumer", .threads = 2};
  using action = fifo_queue::action;
  locked_queue<Order> queue;
  history<fifo_queue> operations{about.threads};
  void push(unsigned thread, unsigned item) {
    operations.run(thread, {action::push, item}, [&] {
      queue.push(item);
      return fifo_queue::result{};
    });
  }
  void pop(unsigned thread) {
    operations.run(thread, {action::pop}, [&] { return queue.pop(); });
  }
  void thread(unsigned index) {
    for (unsigned n = 0; n < 3; ++n) {
      if (index == 0) {
        push(0, n);
      } else {
        pop(1);
      }
    }
  }
  void after() { require_linearizable(operations); }
};

result run_with(order o) {
  options how;
  how.seconds = 1;
  result r = o == order::first_in_first_out
                 ? run(subject_of<producer_and_consumer<order::first_in_first_out>>(), how)
                 : run(subject_of<producer_and_consumer<order::last_in_first_out>>(), how);
  EXPECT_GT(r.samples, 0U);
  return r;
}

TEST(linearizability, a_queue_is_one) {
  const result r = run_with(order::first_in_first_out);
  EXPECT_TRUE(r.broken.empty()) << r.broken.front().what;
}

TEST(linearizability, a_queue_that_loses_its_order_is_none) {
  const result r = run_with(order::last_in_first_out);
  ASSERT_EQ(r.broken.size(), 1U);
  EXPECT_THAT(r.broken[0].what, testing::HasSubstr("pop() -> "));
}

}  // namespace
}  // namespace fencepost::stress
