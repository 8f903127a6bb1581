// What a runner does while another thread is in the middle of a post: the task has its slot in the
// queue, but cannot be popped yet. On a clock that the test sets, so that a sleep is an event.
#include <gtest/gtest.h>

#include <chrono>
#include <latch>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "fencepost/runtime/task_runner.hpp"
#include "virtual_time.hpp"

namespace fencepost {
namespace {

using namespace std::chrono_literals;

// A task that blocks its poster when it is moved for the last time in post().
class stopping_task {
 public:
  struct stop {
    explicit stop(int after) : moves_left(after) {}
    int moves_left;
    std::latch reached{1}, go_on{1};
    bool ran = false;
  };
  explicit stopping_task(stop& at) : stop_(&at) {}
  stopping_task(stopping_task&& other) noexcept : stop_(other.stop_) {
    if (--stop_->moves_left != 0) return;
    stop_->reached.count_down();
    stop_->go_on.wait();
  }
  void operator()() const { stop_->ran = true; }

 private:
  stop* stop_;
};

int moves_of_a_post() {
  constexpr int many = 1000;
  stopping_task::stop at{many};
  task_runner runner;
  runner.post(stopping_task{at});
  return many - at.moves_left;
}

struct unfinished_post : testing::Test {
  // One thread blocks in the middle of a post, and another one makes a post.
  void begin() {
    poster = std::thread{[this] { runner.post(stopping_task{at}); }};
    at.reached.wait();
    post("behind it");
  }
  void post(const char* what) {
    std::thread{[this, what] { runner.post([this, what] { note(what); }); }}.join();
  }
  void finish() {
    if (poster.joinable()) at.go_on.count_down(), poster.join();
  }
  void note(const char* what) { notes.emplace_back(what); }
  ~unfinished_post() override { finish(); }

  std::vector<std::string> notes;
  const std::thread::id runner_thread = std::this_thread::get_id();
  int yields = 0;
  const char* wakes = nullptr;  // what is posted when the runner sleeps for the first time
  virtual_time time{[this](int milliseconds) {
                      note(milliseconds < 0 ? "sleeps" : "sleeps for a while");
                      if (milliseconds >= 0) {
                        time.pass(std::chrono::milliseconds{milliseconds});
                      } else if (const char* const what = std::exchange(wakes, nullptr)) {
                        post(what);
                      } else {
                        finish();
                      }
                    },
                    [this] {
                      if (std::this_thread::get_id() != runner_thread) return;  // from a latch
                      if (++yields == 1000) note("does not sleep"), finish();
                    }};
  stopping_task::stop at{moves_of_a_post()};
  task_runner runner;
  std::thread poster;
};

using lines = std::vector<std::string>;

TEST_F(unfinished_post, the_runner_sleeps_until_it_is_finished) {
  begin();
  std::thread{[this] { runner.quit(); }}.join();
  runner.run();
  EXPECT_TRUE(at.ran);
  EXPECT_EQ(notes, (lines{"sleeps", "behind it"}));
}

TEST_F(unfinished_post, run_until_idle_does_not_leave_what_was_posted_behind_it) {
  begin();
  EXPECT_FALSE(runner.is_idle());
  runner.run_until_idle();
  EXPECT_TRUE(at.ran);
  EXPECT_EQ(notes, (lines{"sleeps", "behind it"}));
  EXPECT_TRUE(runner.is_idle());
}

TEST_F(unfinished_post, a_runner_that_is_woken_before_it_is_finished_sleeps_again) {
  wakes = "behind both";
  begin();
  runner.run_until_idle();
  EXPECT_TRUE(at.ran);
  EXPECT_EQ(notes, (lines{"sleeps", "sleeps", "behind it", "behind both"}));
}

TEST_F(unfinished_post, what_the_runner_posts_to_itself_is_behind_it) {
  runner.run_until_idle();
  begin();
  runner.post([this] { note("its own"); });
  runner.run_until_idle();
  EXPECT_TRUE(at.ran);
  EXPECT_EQ(notes, (lines{"sleeps", "behind it", "its own"}));
}

TEST_F(unfinished_post, what_is_due_is_run_meanwhile) {
  runner.post_delayed([this] { note("due"); }, 5ms);
  runner.run_until_idle();
  begin();
  std::thread{[this] { runner.quit(); }}.join();
  runner.run();
  EXPECT_TRUE(at.ran);
  EXPECT_EQ(notes, (lines{"sleeps for a while", "due", "sleeps", "behind it"}));
}

}  // namespace
}  // namespace fencepost
