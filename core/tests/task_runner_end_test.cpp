// The end of a task runner: what happens to its remaining tasks, and to its descriptors.
#include "fencepost/runtime/task_runner.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <thread>
#include <utility>

#include "pipe_ends.hpp"

namespace fencepost {
namespace {

using namespace std::chrono_literals;

TEST(task_runner, what_is_left_is_destroyed_and_not_run) {
  const auto alive = std::make_shared<int>(0);
  bool ran = false;
  pipe_ends pipe;
  {
    task_runner runner;
    runner.run_until_idle();
    runner.add_watch(pipe.read_end(), [alive, &ran](watch_events) { ran = true; });
    for (int number = 0; number < 1500; ++number) runner.post([alive, &ran] { ran = true; });
    runner.post_delayed([alive, &ran] { ran = true; }, 0s);
    runner.post([&] { runner.quit(); });
    EXPECT_EQ(alive.use_count(), 1503);
  }
  {
    task_runner runner;
    runner.post_delayed([alive, &ran] { ran = true; }, 1h);
    runner.run_until_idle();
    EXPECT_EQ(alive.use_count(), 2);
  }
  EXPECT_EQ(alive.use_count(), 1);
  EXPECT_FALSE(ran);
}

TEST(task_runner, what_is_destroyed_with_the_runner_may_post) {
  struct posts_at_the_end {
    task_runner* runner;
    std::shared_ptr<int> alive;
    posts_at_the_end(task_runner& to, std::shared_ptr<int> counted)
        : runner(&to), alive(std::move(counted)) {}
    posts_at_the_end(posts_at_the_end&& other) noexcept
        : runner(std::exchange(other.runner, nullptr)), alive(std::move(other.alive)) {}
    ~posts_at_the_end() {
      if (runner == nullptr) return;
      runner->post([kept = alive] {});
      runner->post_delayed([kept = alive] {}, 1s);
    }
    void operator()() {}
    void operator()(watch_events) {}
  };
  const auto alive = std::make_shared<int>(0);
  pipe_ends pipe;
  {
    task_runner runner;
    runner.run_until_idle();
    runner.add_watch(pipe.read_end(), posts_at_the_end(runner, alive));
    runner.post_delayed(posts_at_the_end(runner, alive), 1h);
    runner.run_until_idle();
    runner.post(posts_at_the_end(runner, alive));
  }
  EXPECT_EQ(alive.use_count(), 1);
}

// The poster may still be returning from its call when the runner is destroyed.
TEST(task_runner, a_runner_goes_as_soon_as_the_last_task_has_run) {
  for (int round = 0; round < 500; ++round) {
    auto runner = std::make_unique<task_runner>();
    std::thread poster{[to = runner.get()] { to->quit(); }};
    runner->run();
    runner.reset();
    task_runner next;  // has the same wake point, and may be woken needlessly
    next.quit();
    next.run();
    poster.join();
  }
}

TEST(task_runner, runners_give_their_descriptors_to_the_next_one) {
  const auto open = [] {
    int count = 0;
    for (int fd = 0; fd < 256; ++fd) count += ::fcntl(fd, F_GETFD) >= 0;
    return count;
  };
  { const task_runner first; }
  const int before = open();
  for (int number = 0; number < 20; ++number) {
    const task_runner next;
    EXPECT_EQ(open(), before);
  }
}

#if GTEST_HAS_DEATH_TEST
TEST(task_runner_death_test, a_runner_is_not_destroyed_within_its_task) {
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  EXPECT_DEATH(
      {
        auto runner = std::make_unique<task_runner>();
        runner->post([&] { runner.reset(); });
        runner->run();
      },
      "fencepost::task_runner: destroyed while run.. is running; call quit");
}
#endif

}  // namespace
}  // namespace fencepost
