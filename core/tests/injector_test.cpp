// The injector, one step at a time; the scenarios cover what happens concurrently.
#include "fencepost/queue/injector.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>
#include <rapidcheck/state.h>

#include <atomic>
#include <cstddef>
#include <deque>
#include <memory>
#include <ostream>
#include <thread>
#include <vector>

namespace fencepost::injector_tests {
namespace {

struct job : injector_link<job> {
  explicit job(int n = 0) : number(n) {}
  int number;
};

TEST(injector, a_new_one_is_empty) {
  injector<job> queue;
  EXPECT_TRUE(queue.empty());
  EXPECT_EQ(queue.pop(), nullptr);
  EXPECT_EQ(queue.try_pop().result, pop_result::empty);
  EXPECT_TRUE(queue.take_all().empty());
}

TEST(injector, the_oldest_job_comes_first) {
  injector<job> queue;
  job jobs[] = {job{1}, job{2}, job{3}, job{4}};
  for (int i = 0; i < 3; ++i) queue.push(jobs[i]);
  EXPECT_EQ(queue.pop(), &jobs[0]);
  queue.push(jobs[3]);
  EXPECT_EQ(queue.pop(), &jobs[1]);
  EXPECT_EQ(queue.pop(), &jobs[2]);
  EXPECT_EQ(queue.pop(), &jobs[3]);
  EXPECT_EQ(queue.pop(), nullptr);
}

TEST(injector, a_push_says_whether_it_found_the_stack_empty) {
  injector<job> queue;
  job first, second, third;
  EXPECT_TRUE(queue.push(first));
  EXPECT_FALSE(queue.push(second));
  EXPECT_EQ(queue.pop(), &first);
  EXPECT_TRUE(queue.push(third)) << "the second has moved to the front";
  EXPECT_FALSE(queue.empty());
  while (queue.pop() != nullptr) {
  }
}

TEST(injector, a_job_that_was_popped_can_be_pushed_again) {
  injector<job> queue;
  job only;
  for (int round = 0; round < 3; ++round) {
    queue.push(only);
    const auto popped = queue.try_pop();
    EXPECT_EQ(popped.result, pop_result::popped);
    EXPECT_EQ(popped.job, &only);
  }
  EXPECT_TRUE(queue.empty());
}

TEST(injector, all_is_what_was_at_the_front_and_then_what_was_on_the_stack) {
  injector<job> queue;
  job jobs[4];
  for (int i = 0; i < 3; ++i) queue.push(jobs[i]);
  EXPECT_EQ(queue.pop(), &jobs[0]);
  queue.push(jobs[3]);
  auto all = queue.take_all();
  EXPECT_TRUE(queue.empty());
  for (int i = 1; i < 4; ++i) EXPECT_EQ(all.pop(), &jobs[i]);
  EXPECT_TRUE(all.empty());
  EXPECT_EQ(all.pop(), nullptr);
}

TEST(injector, pushing_cannot_fail) {
  injector<job> queue;
  job only;
  static_assert(noexcept(queue.push(only)), "a job brings its own place, nothing is allocated");
}

TEST(injector, threads_that_push_and_pop_lose_nothing) {
  constexpr int pushers = 2, poppers = 2, each = 20'000;
  injector<job> queue;
  std::vector<job> jobs(std::size_t{pushers} * each);
  std::atomic<int> left{pushers * each};
  std::vector<std::vector<int>> seen(poppers);
  std::vector<std::thread> threads;
  for (int p = 0; p < pushers; ++p) {
    threads.emplace_back([&, p] {
      for (int i = p * each; i < (p + 1) * each; ++i) {
        jobs[static_cast<std::size_t>(i)].number = i;
        queue.push(jobs[static_cast<std::size_t>(i)]);
      }
    });
  }
  for (std::size_t p = 0; p < poppers; ++p) {
    threads.emplace_back([&, p] {
      while (left.load() > 0) {
        const auto popped = queue.try_pop();
        if (popped.result == pop_result::popped) {
          seen[p].push_back(popped.job->number);
          left.fetch_sub(1);
        } else {
          std::this_thread::yield();
        }
      }
    });
  }
  for (auto& thread : threads) thread.join();
  std::vector<int> times(jobs.size());
  for (const auto& mine : seen) {
    int last[pushers] = {-1, -1};
    for (const int number : mine) {
      ++times[static_cast<std::size_t>(number)];
      EXPECT_LT(last[number / each], number) << "in the order of one pusher";
      last[number / each] = number;
    }
  }
  for (const int t : times) ASSERT_EQ(t, 1);
}

// Random sequences against a std::deque. Jobs in `out` can be pushed again.
struct reference {
  std::deque<int> queue;
  std::vector<int> out = {0, 1, 2, 3, 4, 5, 6, 7};
};
struct system {
  injector<job> queue;
  job jobs[8] = {job{0}, job{1}, job{2}, job{3}, job{4}, job{5}, job{6}, job{7}};
  ~system() { static_cast<void>(queue.take_all()); }
};
using command = rc::state::Command<reference, system>;

struct push : command {
  void checkPreconditions(const reference& model) const override { RC_PRE((!model.out.empty())); }
  void apply(reference& model) const override {
    model.queue.push_back(model.out.back());
    model.out.pop_back();
  }
  void run(const reference& model, system& self) const override {
    const bool found_empty = self.queue.push(self.jobs[static_cast<std::size_t>(model.out.back())]);
    RC_ASSERT((found_empty || !model.queue.empty()));
    RC_ASSERT((!self.queue.empty()));
  }
  void show(std::ostream& out) const override { out << "push"; }
};

struct pop : command {
  void apply(reference& model) const override {
    if (model.queue.empty()) return;
    model.out.push_back(model.queue.front());
    model.queue.pop_front();
  }
  void run(const reference& model, system& self) const override {
    const job* popped = self.queue.pop();
    RC_ASSERT(((popped == nullptr) == model.queue.empty()));
    if (popped != nullptr) RC_ASSERT((popped->number == model.queue.front()));
    RC_ASSERT((self.queue.empty() == (model.queue.size() < 2)));
  }
  void show(std::ostream& out) const override { out << "pop"; }
};

struct take_all : command {
  void apply(reference& model) const override {
    model.out.insert(model.out.end(), model.queue.begin(), model.queue.end());
    model.queue.clear();
  }
  void run(const reference& model, system& self) const override {
    auto all = self.queue.take_all();
    for (const int number : model.queue) {
      const job* next = all.pop();
      RC_ASSERT((next != nullptr && next->number == number));
    }
    RC_ASSERT((all.empty() && self.queue.empty()));
  }
  void show(std::ostream& out) const override { out << "take_all"; }
};

RC_GTEST_PROP(injector_model, agrees_with_a_deque, ()) {
  system self;
  rc::state::check(reference{}, self, [](const reference&) {
    return rc::gen::weightedElement<std::shared_ptr<const command>>({
        {4, std::make_shared<push>()},
        {3, std::make_shared<pop>()},
        {1, std::make_shared<take_all>()},
    });
  });
}

}  // namespace
}  // namespace fencepost::injector_tests
