// The sleep protocol: what one thread can observe of it, and a few workers that really sleep.
#include "fencepost/sync/worker_sleep.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>
#include <rapidcheck/state.h>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <new>
#include <optional>
#include <ostream>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "fencepost/queue/injector.hpp"
#include "message_of.hpp"

namespace {
bool memory_is_used_up = false;  // for over-aligned allocations
}  // namespace

[[gnu::noinline]] void* operator new[](std::size_t size, std::align_val_t alignment) {
  if (!memory_is_used_up) {
    // The size must be a multiple of the alignment, and it is: it is the size of an array.
    if (void* memory = std::aligned_alloc(static_cast<std::size_t>(alignment), size)) return memory;
  }
  throw std::bad_alloc{};
}
[[gnu::noinline]] void operator delete[](void* memory, std::align_val_t) noexcept {
  std::free(memory);
}
[[gnu::noinline]] void operator delete[](void* memory, std::size_t, std::align_val_t) noexcept {
  std::free(memory);
}

namespace fencepost::worker_sleep_tests {
namespace {

constexpr auto nothing = []() noexcept { return false; };
constexpr auto something = []() noexcept { return true; };
constexpr sleep_options at_once{.rounds_until_sleepy = 0, .rounds_until_sleeping = 1};

TEST(sleep, no_workers_are_refused) {
  EXPECT_THROW(worker_sleep<>{0}, std::invalid_argument);
  EXPECT_NE(message_of([] { worker_sleep<>{0}; }).find("at least one"), std::string::npos);
}

TEST(sleep, more_workers_than_can_be_counted_are_refused) {
  EXPECT_THROW(worker_sleep<>{65'536}, std::length_error);
  EXPECT_NE(message_of([] { worker_sleep<>{65'536}; }).find("at most 65535"), std::string::npos);
  EXPECT_THROW(worker_sleep<>{0xffff'ffff}, std::length_error);
}

TEST(sleep, a_pool_for_which_there_is_no_memory_is_not_made) {
  memory_is_used_up = true;
  EXPECT_THROW(worker_sleep<>{4}, std::bad_alloc);
  memory_is_used_up = false;
  EXPECT_NO_THROW(worker_sleep<>{4});
}

TEST(sleep, as_many_workers_as_can_be_counted_are_accepted) {
  worker_sleep<> sleep{65'535};
  EXPECT_EQ(sleep.workers(), 65'535u);
  auto last = sleep.start_looking(65'534);
  EXPECT_EQ(sleep.counters().inactive(), 1u);
  sleep.work_found();
  static_cast<void>(last);
}

TEST(sleep, options_without_a_search_after_the_announcement_are_refused) {
  const sleep_options wrong{.rounds_until_sleepy = 5, .rounds_until_sleeping = 5};
  EXPECT_THROW((worker_sleep<>{1, wrong}), std::invalid_argument);
  EXPECT_NE(message_of([&] {
              worker_sleep<>{1, wrong};
            }).find("rounds_until_sleeping is 5"),
            std::string::npos);
}

TEST(sleep, options_by_which_who_leaves_wakes_nobody_are_refused) {
  EXPECT_THROW((worker_sleep<>{1, {.wake_in_its_place = 0}}), std::invalid_argument);
}

TEST(sleep, an_idle_worker_passes_its_rounds_before_it_announces_itself) {
  worker_sleep<> sleep{1};
  sleep.new_jobs(1, true);  // makes the counter odd
  core_latch<> latch;
  auto idle = sleep.start_looking(0);
  for (int round = 0; round < 32; ++round) {
    EXPECT_EQ(sleep.no_work_found(idle, latch, something), idle_result::look_again);
  }
  EXPECT_FALSE(sleep.counters().sleepy());
  EXPECT_EQ(sleep.no_work_found(idle, latch, something), idle_result::look_again);
  EXPECT_TRUE(sleep.counters().sleepy()) << "the 33rd announces it";
  EXPECT_EQ(sleep.no_work_found(idle, latch, something), idle_result::look_now);
  EXPECT_EQ(sleep.counters().sleeping(), 0u) << "the last look found something";
  sleep.work_found();
  EXPECT_EQ(sleep.counters().inactive(), 0u);
}

TEST(sleep, a_post_sends_a_sleepy_worker_back_to_one_more_search) {
  worker_sleep<> sleep{1, at_once};
  core_latch<> latch;
  auto idle = sleep.start_looking(0);
  EXPECT_EQ(sleep.no_work_found(idle, latch, nothing), idle_result::look_again);
  sleep.new_jobs_unfenced(1, true);
  EXPECT_EQ(sleep.no_work_found(idle, latch, nothing), idle_result::look_now);
  EXPECT_EQ(sleep.no_work_found(idle, latch, nothing), idle_result::look_again);
  EXPECT_TRUE(sleep.counters().sleepy()) << "it has announced itself again";
  sleep.work_found();
}

TEST(sleep, a_worker_whose_latch_is_set_does_not_block) {
  worker_sleep<> sleep{1, at_once};
  core_latch<> latch;
  auto idle = sleep.start_looking(0);
  EXPECT_EQ(sleep.no_work_found(idle, latch, nothing), idle_result::look_again);
  sleep.set_latch(latch, 0);
  EXPECT_EQ(sleep.no_work_found(idle, latch, nothing), idle_result::look_now);
  sleep.work_found();
}

TEST(sleep, a_worker_does_not_block_when_the_pool_stops) {
  worker_sleep<> sleep{1, at_once};
  core_latch<> latch;
  EXPECT_FALSE(sleep.stopping());
  sleep.stop();
  EXPECT_TRUE(sleep.stopping());
  auto idle = sleep.start_looking(0);
  EXPECT_EQ(sleep.no_work_found(idle, latch, nothing), idle_result::look_again);
  EXPECT_EQ(sleep.no_work_found(idle, latch, nothing), idle_result::look_now);
  EXPECT_EQ(sleep.counters().sleeping(), 0u);
  sleep.work_found();
}

TEST(sleep, a_worker_sleeps_until_its_deadline_and_is_not_counted_then) {
  worker_sleep<> sleep{1, at_once};
  core_latch<> latch;
  auto idle = sleep.start_looking(0);
  for (int round = 0; round < 3; ++round) {
    EXPECT_EQ(sleep.no_work_found(idle, latch, nothing), idle_result::look_again);
    const deadline until = deadline::clock::now() + std::chrono::milliseconds{2};
    EXPECT_EQ(sleep.no_work_found(idle, latch, nothing, until), idle_result::time_is_up);
    EXPECT_GE(deadline::clock::now(), until);
    EXPECT_EQ(sleep.counters().sleeping(), 0u);
    EXPECT_FALSE(sleep.wake(0));
  }
  EXPECT_EQ(sleep.no_work_found(idle, latch, nothing), idle_result::look_again);
  EXPECT_EQ(sleep.no_work_found(idle, latch, something, deadline{}), idle_result::look_now)
      << "the last look comes before the deadline";
  sleep.work_found();
}

TEST(sleep, a_worker_that_is_awake_is_not_woken) {
  worker_sleep<> sleep{2};
  EXPECT_FALSE(sleep.wake(1));
  sleep.wake_any(2);
  EXPECT_EQ(sleep.counters(), sleep_counters{});
}

// Workers on real threads; each sleeps until it is woken once.
struct sleepers {
  explicit sleepers(unsigned count) : sleep{count, at_once} {
    for (unsigned worker = 0; worker < count; ++worker)
      threads.emplace_back([this, worker] { run(worker); });
    while (sleep.counters().sleeping() != count) std::this_thread::yield();
  }
  void run(unsigned worker) {
    core_latch<> latch;
    auto idle = sleep.start_looking(worker);
    while (sleep.no_work_found(idle, latch, nothing) != idle_result::look_now) {
    }
    awake.fetch_add(1);
    while (!leave.load()) std::this_thread::yield();
    sleep.work_found();
  }
  void are_awake(unsigned count) const {
    while (awake.load() != count) std::this_thread::yield();
    EXPECT_EQ(sleep.counters().sleeping(), threads.size() - count);
  }
  ~sleepers() {
    sleep.stop();
    leave.store(true);
    for (auto& thread : threads) thread.join();
    EXPECT_EQ(sleep.counters().sleeping(), 0u);
    EXPECT_EQ(sleep.counters().inactive(), 0u);
  }
  worker_sleep<> sleep;
  std::atomic<unsigned> awake{0};
  std::atomic<bool> leave{false};
  std::vector<std::thread> threads;
};

TEST(sleep, a_post_wakes_as_many_workers_as_there_are_jobs) {
  sleepers four{4};
  four.sleep.new_jobs(2, true);
  four.are_awake(2);
}

TEST(sleep, a_post_to_an_empty_queue_counts_on_idle_workers_that_are_awake) {
  sleepers three{3};
  ASSERT_TRUE(three.sleep.wake(1));
  three.are_awake(1);
  three.sleep.new_jobs(1, true);
  three.are_awake(1);
  three.sleep.new_jobs(1, false);
  three.are_awake(2);
  three.sleep.new_jobs(3, true);
  three.are_awake(3);
}

TEST(sleep, the_waker_and_not_the_sleeper_takes_it_off_the_count) {
  sleepers one{1};
  EXPECT_TRUE(one.sleep.wake(0));
  EXPECT_EQ(one.sleep.counters().sleeping(), 0u) << "at once";
  EXPECT_FALSE(one.sleep.wake(0)) << "and once";
}

TEST(sleep, a_worker_that_leaves_wakes_two) {
  sleepers four{4};
  auto idle = four.sleep.start_looking(0);  // as if there were one more worker
  static_cast<void>(idle);
  four.sleep.work_found();
  four.are_awake(2);
}

TEST(sleep, stopping_wakes_all) {
  sleepers three{3};
  three.sleep.stop();
  three.are_awake(3);
}

// A small pool with posters outside. One of them waits after each job until a worker sleeps.
TEST(sleep, a_pool_misses_no_job_and_no_worker_is_left_behind) {
  struct job : injector_link<job> {};
  constexpr unsigned workers = 3, posters = 2, each = 3'000;
  worker_sleep<> sleep{workers, {.rounds_until_sleepy = 2, .rounds_until_sleeping = 3}};
  injector<job> queue;
  std::atomic<unsigned> done{0};
  const auto work = [&](unsigned worker) {
    core_latch<> never_set;
    const auto last_look = [&queue]() noexcept { return !queue.empty(); };
    while (!sleep.stopping()) {
      auto idle = sleep.start_looking(worker);
      job* found = nullptr;
      while (!sleep.stopping() && (found = queue.pop()) == nullptr) {
        if (sleep.no_work_found(idle, never_set, last_look) == idle_result::look_again) {
          std::this_thread::yield();
        }
      }
      sleep.work_found();
      if (found != nullptr) done.fetch_add(1);
    }
  };
  const auto post = [&](unsigned poster) {
    std::vector<job> jobs(each);
    for (job& next : jobs) {
      const bool was_empty = queue.push(next);
      sleep.new_jobs(1, was_empty);
      if (poster == 0) {
        while (!queue.empty() || sleep.counters().sleeping() == 0) std::this_thread::yield();
      }
    }
    while (done.load() != posters * each) std::this_thread::yield();
  };
  std::vector<std::thread> threads;
  for (unsigned worker = 0; worker < workers; ++worker) threads.emplace_back(work, worker);
  std::thread other{post, 1};
  post(0);
  other.join();
  sleep.stop();
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(done.load(), posters * each);
  EXPECT_EQ(sleep.counters().sleeping(), 0u);
  EXPECT_EQ(sleep.counters().inactive(), 0u);
}

// Random sequences of steps of two workers and a poster that do not block.
struct reference {
  struct worker {
    bool idle = false;
    std::uint32_t rounds = 0;
    std::uint64_t announced_at = 0;  // the number of posts at that time
  };
  worker workers[2];
  std::uint64_t posts = 0;
  std::uint64_t last_announcement = 0;
  std::uint32_t idle() const { return (workers[0].idle ? 1u : 0u) + (workers[1].idle ? 1u : 0u); }
};

struct system {
  static constexpr sleep_options options{.rounds_until_sleepy = 2, .rounds_until_sleeping = 4};
  worker_sleep<> sleep{2, options};
  core_latch<> latch;
  std::optional<worker_sleep<>::idle_worker> idle[2];
  void agrees_with(const reference& model) const {
    RC_ASSERT((sleep.counters().inactive() == model.idle()));
    RC_ASSERT((sleep.counters().sleeping() == 0u));
    RC_ASSERT((sleep.counters().sleepy() == (model.posts == model.last_announcement)));
  }
};
using command = rc::state::Command<reference, system>;

template <unsigned Worker>
struct start_looking : command {
  void checkPreconditions(const reference& model) const override {
    RC_PRE((!model.workers[Worker].idle));
  }
  void apply(reference& model) const override { model.workers[Worker] = {.idle = true}; }
  void run(const reference& model, system& self) const override {
    self.idle[Worker] = self.sleep.start_looking(Worker);
    reference after = model;
    apply(after);
    self.agrees_with(after);
  }
  void show(std::ostream& out) const override { out << "start_looking " << Worker; }
};

// The last look always finds something, so that no worker blocks.
template <unsigned Worker>
struct no_work_found : command {
  void checkPreconditions(const reference& model) const override {
    RC_PRE((model.workers[Worker].idle));
  }
  void apply(reference& model) const override {
    auto& worker = model.workers[Worker];
    if (worker.rounds == 4) {
      worker.rounds = worker.announced_at == model.posts ? 0 : 2;
      return;
    }
    if (worker.rounds == 2) worker.announced_at = model.last_announcement = model.posts;
    ++worker.rounds;
  }
  void run(const reference& model, system& self) const override {
    bool looked = false;
    const auto last_look = [&looked]() noexcept { return looked = true; };
    const auto& worker = model.workers[Worker];
    const idle_result result = self.sleep.no_work_found(*self.idle[Worker], self.latch, last_look);
    RC_ASSERT(((result == idle_result::look_now) == (worker.rounds == 4)));
    RC_ASSERT((looked == (worker.rounds == 4 && worker.announced_at == model.posts)));
    reference after = model;
    apply(after);
    self.agrees_with(after);
  }
  void show(std::ostream& out) const override { out << "no_work_found " << Worker; }
};

template <unsigned Worker>
struct work_found : command {
  void checkPreconditions(const reference& model) const override {
    RC_PRE((model.workers[Worker].idle));
  }
  void apply(reference& model) const override { model.workers[Worker].idle = false; }
  void run(const reference& model, system& self) const override {
    self.sleep.work_found();
    reference after = model;
    apply(after);
    self.agrees_with(after);
  }
  void show(std::ostream& out) const override { out << "work_found " << Worker; }
};

struct post : command {
  void apply(reference& model) const override { ++model.posts; }
  void run(const reference& model, system& self) const override {
    self.sleep.new_jobs(1, true);
    reference after = model;
    apply(after);
    self.agrees_with(after);
  }
  void show(std::ostream& out) const override { out << "post"; }
};

RC_GTEST_PROP(sleep_model, agrees_with_the_reference, ()) {
  system self;
  rc::state::check(reference{}, self, [](const reference&) {
    return rc::gen::weightedElement<std::shared_ptr<const command>>({
        {2, std::make_shared<start_looking<0>>()},
        {2, std::make_shared<start_looking<1>>()},
        {9, std::make_shared<no_work_found<0>>()},
        {9, std::make_shared<no_work_found<1>>()},
        {1, std::make_shared<work_found<0>>()},
        {1, std::make_shared<work_found<1>>()},
        {2, std::make_shared<post>()},
    });
  });
}

}  // namespace
}  // namespace fencepost::worker_sleep_tests
