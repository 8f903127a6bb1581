// A deque of tasks on the call stack, one step at a time, and on real threads; with both kinds of
// deque beneath.
#include "fencepost/deque/call_stack_deque.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <string>
#include <utility>

#include "fencepost/deque/private_deque.hpp"
#include "thread_group.hpp"

namespace fencepost {
namespace {

struct worker {};

// A task and its result; neither can be moved.
struct greeting : stack_task<worker> {
  explicit greeting(std::string n) : stack_task{&greet}, name{std::move(n)} {}
  static void greet(stack_task& task, worker&) noexcept {
    auto& self = static_cast<greeting&>(task);
    self.result = std::make_unique<std::string>("hello, " + self.name);
  }
  const std::string name;
  std::unique_ptr<std::string> result;
};

TEST(call_stack_deque, tasks_come_back_in_the_reverse_order) {
  call_stack_deque<worker> tasks;
  greeting first{"a"}, second{"b"};
  tasks.push(first);
  tasks.push(second);
  EXPECT_TRUE(tasks.pop(second));
  EXPECT_TRUE(tasks.pop(first));
  EXPECT_FALSE(first.done()) << "the owner runs it";
}

TEST(call_stack_deque, a_thief_leaves_the_result_in_the_owners_frame) {
  call_stack_deque<worker> tasks;
  greeting first{"a"}, second{"b"};
  tasks.push(first);
  tasks.push(second);
  const auto theft = tasks.steal();
  ASSERT_EQ(theft.outcome, steal_outcome::stolen);
  EXPECT_EQ(theft.item, &first) << "the oldest";
  EXPECT_TRUE(tasks.pop(second));
  EXPECT_FALSE(tasks.pop(first));
  EXPECT_FALSE(first.done());
  worker me;
  theft.item->run_stolen(me);
  EXPECT_TRUE(first.done());
  first.wait();
  EXPECT_EQ(*first.result, "hello, a");
}

TEST(call_stack_deque, the_deque_beneath_may_be_one_that_answers_requests) {
  using pointers = private_deque<stack_task<worker>*>;
  call_stack_deque<worker, default_atomics, pointers> tasks{1u};
  greeting own{"c"};
  tasks.push(own);
  pointers::request mine;
  const auto theft = tasks.steal(mine, 1u, [&tasks] { tasks.pointers().poll(); });
  ASSERT_EQ(theft.outcome, steal_outcome::stolen);
  worker me;
  theft.item->run_stolen(me);
  EXPECT_FALSE(tasks.pop(own));
  own.wait();
  EXPECT_EQ(*own.result, "hello, c");
}

// An owner that spawns in nested frames, and a thief that takes whatever it can.
struct count_down : stack_task<worker> {
  explicit count_down(std::atomic<unsigned>& total) : stack_task{&run}, sum{total} {}
  static void run(stack_task& task, worker&) noexcept {
    static_cast<count_down&>(task).sum.fetch_add(1);
  }
  std::atomic<unsigned>& sum;
};

void spawn_nested(call_stack_deque<worker>& tasks, std::atomic<unsigned>& sum, unsigned depth) {
  if (depth == 0) return;
  count_down own{sum};
  tasks.push(own);
  spawn_nested(tasks, sum, depth - 1);
  if (tasks.pop(own)) {
    worker me;
    count_down::run(own, me);
  } else {
    own.wait();
  }
}

TEST(call_stack_deque, every_task_runs_once_on_real_threads) {
  constexpr unsigned rounds = 200, depth = 50;
  call_stack_deque<worker> tasks{2u};
  std::atomic<unsigned> sum{0};
  std::atomic<bool> over{false};
  thread_group thief;
  thief.start(2, [&](unsigned) {
    worker me;
    while (!over.load()) {
      const auto theft = tasks.steal();
      if (theft.outcome == steal_outcome::stolen) {
        theft.item->run_stolen(me);
      } else {
        default_atomics::yield();
      }
    }
  });
  for (unsigned round = 0; round < rounds; ++round) spawn_nested(tasks, sum, depth);
  over.store(true);
  thief.join();
  EXPECT_EQ(sum.load(), rounds * depth);
}

}  // namespace
}  // namespace fencepost
