// The task runner does not allocate for tasks that it has room for.
#include "fencepost/runtime/task_runner.hpp"

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <chrono>
#include <thread>

#include "counted_allocations.hpp"
#include "pipe_ends.hpp"

namespace fencepost {
namespace {

// The limit is 512 items in the runner, with no concurrent posts.
TEST(task_runner, nothing_is_allocated_in_the_steady_state) {
  task_runner runner;
  pipe_ends pipe;
  long ran = 0;
  runner.add_watch(pipe.read_end(), [&](watch_events) {
    pipe.read();
    ++ran;
  });
  std::array<void*, 5> captures{};
  const auto fill = [&](int tasks) {
    for (int number = 0; number < tasks; ++number)
      runner.post([&ran, captures] { ran += captures[0] == nullptr; });
  };
  fill(100);
  runner.run_until_idle();
  const long before = allocations;
  for (int round = 0; round < 50; ++round) {
    fill(400 + round);
    for (int number = 0; number < 60; ++number) {
      runner.post_delayed([&ran] { ++ran; }, std::chrono::nanoseconds(number));
    }
    pipe.write();
    runner.run_until_idle();
    // Now 512 items at once.
    while (!runner.is_idle()) runner.run_until_idle();
    fill(512);
    runner.run_until_idle();
  }
  while (ran < 100 + 50 * (400 + 60 + 1 + 512) + 49 * 50 / 2) runner.run_until_idle();
  EXPECT_EQ(allocations - before, 0);
}

#if defined(__cpp_lib_jthread)
// However many there have been, those that were cancelled need no room.
TEST(task_runner, nothing_is_allocated_for_delayed_tasks_while_most_are_cancelled) {
  task_runner runner;
  const std::stop_source never_asked;
  std::stop_source over;
  over.request_stop();
  runner.run_until_idle();
  const long before = allocations;
  for (int number = 0; number < 10'000; ++number) {
    runner.post_delayed(
        over.get_token(), [] { FAIL(); }, std::chrono::hours(number % 20));
    if (number % 1000 == 0) {
      runner.post_delayed(
          never_asked.get_token(), [] { FAIL(); }, std::chrono::hours(1));
    }
    runner.run_until_idle();
  }
  EXPECT_EQ(allocations - before, 0);
}
#endif

// The same for the posts of another thread, which do not overlap with the runner's turns.
TEST(task_runner, nothing_is_allocated_for_the_posts_of_another_thread) {
  task_runner runner;
  constexpr int rounds = 50;
  std::atomic<int> turn{0};  // even: the poster's turn
  const auto pass_on = [&](int next) {
    turn.store(next);
    turn.notify_one();
  };
  long ran = 0;
  std::thread poster{[&] {
    for (int round = 0; round < rounds; ++round) {
      for (int now = turn; now != 2 * round; now = turn) turn.wait(now);
      const int tasks = 512 - round % 7;
      for (int number = 0; number < tasks; ++number) runner.post([&ran] { ++ran; });
      pass_on(2 * round + 1);
    }
  }};
  long before = 0, expected = 0;
  for (int round = 0; round < rounds; ++round) {
    for (int now = turn; now != 2 * round + 1; now = turn) turn.wait(now);
    if (round == 3) before = allocations;
    expected += 512 - round % 7;
    runner.run_until_idle();
    EXPECT_EQ(ran, expected);
    if (round + 1 == rounds) {
      EXPECT_EQ(allocations - before, 0);
    }
    pass_on(2 * round + 2);
  }
  poster.join();
}

}  // namespace
}  // namespace fencepost
