// The task runner: what it runs and when. It is woken by an eventfd, or by a pipe.
#include "fencepost/runtime/task_runner.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "error_of.hpp"
#include "fencepost/runtime/due_after.hpp"
#include "running_thread.hpp"

namespace fencepost {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;

TEST(task_runner, tasks_of_one_thread_run_in_its_order) {
  task_runner runner;
  std::vector<int> ran;
  for (int number = 0; number < 2000; ++number) {
    runner.post([&ran, number] { ran.push_back(number); });
  }
  EXPECT_TRUE(ran.empty());
  runner.run_until_idle();
  ASSERT_EQ(ran.size(), 2000u);
  for (int number = 0; number < 2000; ++number)
    EXPECT_EQ(ran[static_cast<unsigned>(number)], number);
}

TEST(task_runner, tasks_may_be_movable_only_or_large_or_over_aligned) {
  task_runner runner;
  int sum = 0;
  runner.post([&sum, owned = std::make_unique<int>(1)] { sum += *owned; });
  struct large {
    int* sum;
    char rest[200];
    void operator()() { *sum += 2; }
  };
  runner.post(large{&sum, {}});
  struct alignas(64) wide {
    int* sum;
    void operator()() {
      EXPECT_EQ(reinterpret_cast<std::uintptr_t>(this) % 64, 0u);
      *sum += 4;
    }
  };
  runner.post(wide{&sum});
  const std::function<void()> copied = [&sum] { sum += 8; };
  runner.post(copied);
  runner.run_until_idle();
  EXPECT_EQ(sum, 15);
}

TEST(task_runner, a_task_may_post) {
  task_runner runner;
  std::vector<int> ran;
  runner.post([&] {
    runner.post([&] {
      ran.push_back(3);
      runner.quit();
    });
    ran.push_back(1);
  });
  runner.post([&] { ran.push_back(2); });
  runner.run();
  EXPECT_THAT(ran, ElementsAre(1, 2, 3));
}

TEST(task_runner, quit_leaves_what_was_posted_behind_it_to_the_next_run) {
  task_runner runner;
  std::vector<int> ran;
  runner.post([&] { ran.push_back(1); });
  runner.quit();
  runner.post([&] { ran.push_back(2); });
  runner.run();
  EXPECT_THAT(ran, ElementsAre(1));
  runner.quit();
  runner.run();
  EXPECT_THAT(ran, ElementsAre(1, 2));
}

TEST(task_runner, several_quits_end_one_run) {
  task_runner runner;
  std::vector<int> ran;
  runner.quit();
  runner.quit();
  runner.run();
  runner.post([&] {
    ran.push_back(1);
    for (int number = 0; number < 3; ++number) runner.quit();
  });
  runner.run();
  EXPECT_THAT(ran, ElementsAre(1));
  runner.post([&] { ran.push_back(2); });
  runner.post([&] { runner.post([&] { runner.quit(); }); });
  runner.post([&] { ran.push_back(3); });
  runner.run();
  EXPECT_THAT(ran, ElementsAre(1, 2, 3)) << "a quit of an earlier run ended this one";
}

TEST(task_runner, a_quit_is_not_forgotten_when_a_task_throws) {
  task_runner runner;
  runner.post([&] { runner.quit(); });
  runner.post([] { throw std::runtime_error("one"); });
  EXPECT_EQ(error_of<std::runtime_error>([&] { runner.run(); }), "one");
  runner.run();
}

#if defined(__cpp_lib_jthread)
TEST(task_runner, tasks_that_are_asked_to_stop_before_their_turn_are_not_run) {
  task_runner runner;
  std::stop_source source;
  std::vector<int> ran;
  const auto kept = std::make_shared<int>(0);
  runner.post(source.get_token(), [&ran, kept] { ran.push_back(1); });
  runner.post([&] { source.request_stop(); });
  runner.post(source.get_token(), [&ran, kept] { ran.push_back(2); });
  runner.post_delayed(
      source.get_token(), [&ran, kept] { ran.push_back(3); }, 0s);
  runner.post(std::stop_token{},
              [&](const std::stop_token& token) { ran.push_back(token.stop_possible() ? 5 : 4); });
  runner.post_delayed([&] { runner.quit(); }, 1ms);
  runner.run();
  EXPECT_THAT(ran, ElementsAre(1, 4));
  EXPECT_EQ(kept.use_count(), 1) << "what they captured is gone";
  const std::function<void()> none;
  EXPECT_THROW(runner.post(source.get_token(), none), std::invalid_argument);
}
#endif

TEST(task_runner, quit_within_a_batch_ends_it) {
  task_runner runner{{.batch = 8}};
  int ran = 0;
  runner.quit();
  runner.post([&] { ++ran; });
  runner.post_delayed([&] { ++ran; }, 0s);
  runner.run();
  EXPECT_EQ(ran, 0);
}

TEST(task_runner, another_thread_wakes_the_runner_and_ends_it) {
  task_runner runner;
  running_thread thread{runner};
  for (int round = 0; round < 200; ++round) {
    std::atomic<bool> done{false};
    runner.post([&] {
      EXPECT_TRUE(runner.on_runner_thread());
      done.store(true);
      done.notify_one();
    });
    done.wait(false);
  }
  EXPECT_FALSE(runner.on_runner_thread());
}

TEST(task_runner, many_posters_in_the_order_of_each) {
  constexpr unsigned posters = 16, each = 2000;
  task_runner runner{{.batch = 16}};
  std::vector<unsigned> next(posters, 0);
  unsigned wrong = 0, left = posters * each;
  std::vector<std::thread> threads;
  for (unsigned poster = 0; poster < posters; ++poster) {
    threads.emplace_back([&, poster] {
      for (unsigned number = 0; number < each; ++number) {
        runner.post([&, poster, number] {
          if (next[poster]++ != number) ++wrong;
          if (--left == 0) runner.quit();
        });
      }
    });
  }
  runner.run();
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0u);
  EXPECT_EQ(left, 0u);
}

TEST(task_runner, what_a_poster_did_before_is_visible_to_its_task) {
  task_runner runner;
  std::string text;
  std::thread poster{[&] {
    text = "a text that is too long to be kept in place";
    runner.post([&] {
      EXPECT_EQ(text.size(), 43u);
      runner.quit();
    });
  }};
  runner.run();
  poster.join();
}

TEST(task_runner, delayed_tasks_run_by_time_and_then_in_order) {
  task_runner runner;
  std::vector<int> ran;
  task_runner::clock::time_point start;
  runner.post_delayed([&] { ran.push_back(2); }, -1h);
  runner.post_delayed([&] { ran.push_back(3); }, 0s);
  // What is due later is posted later, so that the order holds even if the machine pauses here.
  runner.post([&] {
    ran.push_back(1);
    start = task_runner::clock::now();
    runner.post_delayed([&] { ran.push_back(4); }, 10ms);
    runner.post_delayed(
        [&] {
          ran.push_back(5);
          runner.quit();
        },
        20ms);
  });
  runner.run();
  // Never early; how late depends on the machine.
  EXPECT_GE(task_runner::clock::now() - start, 20ms);
  // A task that is due runs after its turn among the posted ones.
  EXPECT_THAT(ran, ElementsAre(2, 3, 1, 4, 5));
}

TEST(task_runner, a_task_has_a_time_of_its_own) {
  using clock = task_runner::clock;
  task_runner runner{{.batch = 8}};
  std::vector<int> ran;
  const clock::time_point start = clock::now();
  runner.post_at([&] { ran.push_back(3); }, start);
  runner.post_at([&] { ran.push_back(2); }, start - 1h);
  runner.post_at([&] { ran.push_back(1); }, clock::time_point::min());  // not a posted task
  runner.post_at([&] { ran.push_back(-1); }, clock::time_point::max());
  const auto coarse = std::chrono::ceil<std::chrono::milliseconds>(start) + 5ms;
  runner.post([&] {
    EXPECT_TRUE(ran.empty()) << "they have their turn first, and then their time";
    runner.post_at([&] { ran.push_back(4); }, coarse);
    runner.post_at(
        [&] {
          ran.push_back(5);
          runner.quit();
        },
        std::chrono::time_point<clock, std::chrono::duration<double>>{coarse + 5ms});
  });
  EXPECT_THROW(runner.post_at(std::function<void()>{}, start), std::invalid_argument);
  runner.run();
  EXPECT_GE(clock::now(), coarse + 5ms);
  EXPECT_THAT(ran, ElementsAre(1, 2, 3, 4, 5));
}

#if defined(__cpp_lib_jthread)
TEST(task_runner, a_task_with_a_time_is_cancelled_by_its_token) {
  task_runner runner;
  std::stop_source source;
  bool ran = false;
  const auto soon = task_runner::clock::now() + 1ms;
  runner.post_at(
      source.get_token(), [&] { ran = true; }, soon);
  runner.post_at(
      source.get_token(), [&](const std::stop_token&) { ran = true; }, soon);
  EXPECT_THROW(runner.post_at(source.get_token(), std::function<void()>{}, soon),
               std::invalid_argument);
  runner.post_at([&] { runner.quit(); }, soon);
  source.request_stop();
  runner.run();
  EXPECT_FALSE(ran);
}

// A time limit for each of many requests, nearly all of which are over long before.
TEST(task_runner, delayed_tasks_that_are_cancelled_do_not_wait_for_their_time) {
  task_runner runner{{.delayed = 8}};
  const auto held = std::make_shared<int>();
  long most = 0;
  std::vector<int> ran;
  for (int request = 0; request < 1000; ++request) {
    std::stop_source over;
    runner.post_delayed(
        over.get_token(), [held] { FAIL(); }, 24h);
    runner.post_repeating(
        over.get_token(), [held] { FAIL(); }, 24h);
    if (request % 250 == 0) runner.post_delayed([&ran, request] { ran.push_back(request); }, 1ms);
    runner.run_until_idle();
    over.request_stop();
    most = std::max(most, held.use_count() - 1);
  }
  EXPECT_LE(most, 100);  // of 2000
  runner.post_delayed([&] { runner.quit(); }, 2ms);
  runner.run();
  EXPECT_THAT(ran, ElementsAre(0, 250, 500, 750));
}

// What they have captured may use the runner when it is destroyed.
TEST(task_runner, delayed_tasks_that_are_cancelled_may_post_when_they_go) {
  task_runner runner{{.delayed = 4}};
  std::stop_source over;
  int gone = 0, posted = 0;
  const auto at_the_end = [&](int*) {
    ++gone;
    EXPECT_TRUE(runner.on_runner_thread());
    static_cast<void>(runner.is_idle());
    runner.post([&] { ++posted; });
    runner.post_delayed([&] { ++posted; }, 0ms);
  };
  runner.run_until_idle();
  int captured = 0;
  for (int i = 0; i < 4; ++i) {
    runner.post_delayed(
        over.get_token(), [held = std::shared_ptr<int>(&captured, at_the_end)] { FAIL(); }, 24h);
  }
  runner.run_until_idle();
  over.request_stop();
  EXPECT_EQ(gone, 0);
  runner.post_delayed([] {}, 0ms);
  while (posted < 8) runner.run_until_idle();
  EXPECT_EQ(gone, 4);
}

// The rest keep their order, and there is room for more.
TEST(delayed_tasks, those_that_are_stopped_are_removed_when_there_is_no_room) {
  struct number {
    int is;
    bool stopped() const { return is % 3 != 0; }
  };
  delayed_tasks<number> tasks;
  const auto now = task_runner::clock::now();
  std::size_t removed = 0;
  for (int n = 0; n < 1000; ++n) {
    removed += tasks.make_room();
    tasks.push(now, number{n});
  }
  EXPECT_EQ(removed + tasks.size(), 1000U);
  EXPECT_GE(removed, 500U);
  int after = -3;
  while (const auto next = tasks.pop(now)) {
    if (next->stopped()) continue;
    EXPECT_EQ(next->is, after + 3);
    after = next->is;
  }
  EXPECT_EQ(after, 999);
}
#endif

TEST(task_runner, delayed_tasks_of_one_time_run_in_order) {
  delayed_tasks<int> tasks;
  const auto now = task_runner::clock::now();
  for (int number = 0; number < 1000; ++number) tasks.push(now + (number % 3) * 1s, int{number});
  int last = -1;
  for (int number = 0; number < 1000; ++number) {
    const auto task = tasks.pop(now + 3s);
    ASSERT_TRUE(task.has_value());
    const int place = *task % 3 * 1000 + *task;
    EXPECT_LT(last, place);
    last = place;
  }
  EXPECT_FALSE(tasks.pop(now + 3s).has_value());
}

TEST(task_runner, delays_of_any_length_are_times) {
  const auto now = task_runner::clock::now();
  constexpr auto end = task_runner::clock::time_point::max();
  EXPECT_EQ(due_after(now, std::chrono::hours::max()), end);
  EXPECT_EQ(due_after(now, std::chrono::nanoseconds::max()), end);
  EXPECT_EQ(due_after(now, std::chrono::hours::min()), now);
  EXPECT_EQ(due_after(now, -1ns), now);
  EXPECT_EQ(due_after(now, 0s), now);
  EXPECT_EQ(due_after(now, 1ms), now + 1ms);
  EXPECT_EQ(due_after(now, std::chrono::duration<double>(1e300)), end);
  EXPECT_EQ(due_after(now, std::chrono::duration<double>(0.5)), now + 500ms);
  EXPECT_EQ(due_after(now, std::chrono::duration<double, std::nano>(0.5)), now + 1ns);
  EXPECT_EQ(due_after(now, std::chrono::duration<double>(std::numeric_limits<double>::quiet_NaN())),
            now);
  EXPECT_EQ(due_after(now, std::chrono::duration<unsigned>(2)), now + 2s);
  EXPECT_EQ(due_after(end, 1s), end);
}

TEST(task_runner, a_runner_with_a_huge_delay_sleeps_and_can_be_woken) {
  task_runner runner;
  bool ran = false;
  runner.post_delayed([&] { ran = true; }, std::chrono::hours::max());
  runner.post_delayed([&] { ran = true; }, std::chrono::hours(24 * 365));
  runner.run_until_idle();
  EXPECT_TRUE(runner.is_idle());
  std::thread other{[&] { runner.quit(); }};
  runner.run();
  other.join();
  EXPECT_FALSE(ran);
}

TEST(task_runner, a_runner_sleeps_until_a_delayed_task_is_due) {
  task_runner runner;
  runner.post_delayed([&] { runner.quit(); }, 5ms);
  runner.run();
}

TEST(task_runner, idle_says_that_there_is_nothing_to_run_now) {
  task_runner runner;
  EXPECT_TRUE(runner.is_idle());
  runner.post([] {});
  EXPECT_FALSE(runner.is_idle());
  runner.run_until_idle();
  EXPECT_TRUE(runner.is_idle());
  runner.post_delayed([] {}, 1h);
  EXPECT_FALSE(runner.is_idle());  // it waits for its turn
  runner.run_until_idle();
  EXPECT_TRUE(runner.is_idle());
}

}  // namespace
}  // namespace fencepost
