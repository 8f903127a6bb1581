// How often a runner looks for work before it sleeps, on a clock that the test sets.
#include <gtest/gtest.h>

#include <chrono>
#include <cstddef>
#include <functional>
#include <thread>
#include <utility>
#include <vector>

#include "fencepost/runtime/task_runner.hpp"
#include "fencepost/runtime/wake_event.hpp"
#include "fencepost/runtime/watch_events.hpp"
#include "virtual_time.hpp"

namespace fencepost {
namespace {

using namespace std::chrono_literals;

// A runner for which each sleep is a step of a script; the sleep after the last step quits.
struct scripted_runner {
  using step = std::function<void(scripted_runner&)>;
  using counts = std::vector<unsigned>;

  explicit scripted_runner(std::vector<step> script) : steps{std::move(script)} {}

  // Returns how often the runner yielded before each sleep.
  counts run() {
    runner.run();
    return looks;
  }
  void post() {
    std::thread{[this] { runner.post([this] { ++ran; }); }}.join();
  }

  virtual_time time{[this](int) {
                      looks.push_back(std::exchange(yields, 0));
                      const std::size_t number = looks.size() - 1;
                      if (number == steps.size()) return runner.quit();
                      steps[number](*this);
                    },
                    [this] {
                      time.pass(a_yield);
                      if (++yields == post_at) post();
                    }};
  task_runner runner;
  std::vector<step> steps;
  counts looks;
  unsigned yields = 0, ran = 0;
  unsigned post_at = 0;                      // another thread posts at this yield after a sleep
  std::chrono::nanoseconds a_yield = 300ns;  // how long a yield takes
};

// A sleep that is ended by another thread's post after this time.
scripted_runner::step post_after(std::chrono::nanoseconds time) {
  return [time](scripted_runner& on) {
    on.time.pass(time);
    on.post();
  };
}

TEST(task_runner_looks, once_before_a_sleep) {
  scripted_runner on{{post_after(50us), post_after(1ms), post_after(1h)}};
  EXPECT_EQ(on.run(), (scripted_runner::counts{1, 1, 1, 1}));
  EXPECT_EQ(on.ran, 3u);
}

TEST(task_runner_looks, longer_after_a_sleep_that_a_post_has_soon_ended) {
  scripted_runner on{{post_after(49us), post_after(0us), post_after(50us)}};
  EXPECT_EQ(on.run(), (scripted_runner::counts{1, 16, 16, 1}));
  EXPECT_EQ(on.ran, 3u);
}

TEST(task_runner_looks, a_post_meanwhile_saves_the_sleep) {
  scripted_runner on{{post_after(10us)}};
  on.post_at = 10;
  EXPECT_EQ(on.run(), (scripted_runner::counts{1, 26}));  // 10, a task, and 16
  EXPECT_EQ(on.ran, 2u);
}

TEST(task_runner_looks, no_longer_where_others_need_the_processor) {
  scripted_runner on{{post_after(10us), post_after(10us)}};
  on.a_yield = 20us;
  EXPECT_EQ(on.run(), (scripted_runner::counts{1, 3, 3}));
}

TEST(task_runner_looks, once_after_a_sleep_that_a_descriptor_has_ended) {
  wake_event ready;
  scripted_runner on{{post_after(10us), [&](scripted_runner&) { ready.signal(); }}};
  on.runner.add_watch(ready.descriptor(), [&](watch_events) { ready.clear(); });
  EXPECT_EQ(on.run(), (scripted_runner::counts{1, 16, 1}));
}

TEST(task_runner_looks, not_at_all_if_it_is_not_to_sleep) {
  scripted_runner on{{}};
  on.post();
  on.runner.run_until_idle();
  EXPECT_EQ(on.ran, 1u);
  EXPECT_EQ(on.yields, 0u);
}

}  // namespace
}  // namespace fencepost
